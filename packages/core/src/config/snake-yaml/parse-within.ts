/** Parses YAML token by token, so that a text which exceeds the budget is refused before it is processed. */
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
    // As in Java, the last one counts.
    uniqueKeys: false,
    // Suppresses warnings about tags of Java classes.
    logLevel: 'error',
    prettyErrors: false,
    lineCounter: lines,
  })
  let document: Document.Parsed | undefined
  // The composer creates a document for any text, even an empty one.
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

/** The document and each collection take one entry of the parser's stack. */
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
