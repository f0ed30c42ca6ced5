/** Parses YAML token by token, so that a text which is too much work is refused before the work is done. */
import { Composer, type CST, type Document, Lexer, LineCounter, Parser, YAMLParseError } from 'yaml'
import type { Budget } from '../../decode/budget.ts'

export interface Parsed {
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

export function parseWithin(text: string, budget: Budget): Parsed {
  budget.spend('length', text.length)
  const lines = new LineCounter()
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    // Java takes the last one.
    uniqueKeys: false,
    // Tags of Java classes are none of ours.
    logLevel: 'error',
    prettyErrors: false,
    lineCounter: lines,
  })
  let document: Document.Parsed | undefined
  // The composer makes a document of any text, an empty one included.
  for (const one of composer.compose(tokensOf(text, lines, budget), true, text.length)) {
    if (document !== undefined) {
      const [start, end] = one.range
      const message = 'it contains multiple documents'
      document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', message))
      break
    }
    document = one
  }
  return { document: document as Document.Parsed, lines }
}

/** A collection takes an entry of the parser's stack, and so does the document. */
function* tokensOf(text: string, lines: LineCounter, budget: Budget): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const lexer = new Lexer()
  for (const lexeme of lexer.lex(text)) {
    budget.spend('tokens')
    yield* parser.next(lexeme)
    budget.reach(parser.stack.length - 2)
  }
  yield* parser.end()
}
