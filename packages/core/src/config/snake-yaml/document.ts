import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'
import { englishOf, say, type Sentence } from '../../sentence.ts'
import { asLineFeeds, hasOwnBreaks, restoreBreaks } from './line-breaks.ts'
import { kindOfPlain } from './plain-scalar.ts'

/** Something in a YAML text that cannot be, with its place. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem'
  readonly line: number
  readonly column: number
  readonly #reason: string | Sentence

  constructor(reason: string | Sentence, { line, column }: Position) {
    super(englishOf(reason))
    this.#reason = reason
    this.line = line
    this.column = column
  }

  /** The message, as a sentence where it is one of ours and not the parser's. */
  get reason(): string | Sentence {
    return this.#reason
  }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** A key of a mapping and what stands behind it. */
export interface Entry {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node | undefined
}

/**
 * A YAML text whose scalars are left as they are written: what they mean depends on the key they
 * stand behind, as it does in Java.
 */
export class YamlDocument {
  readonly text: string
  readonly root: Node | undefined
  readonly #document: Document.Parsed
  readonly #lines: LineCounter

  constructor(text: string) {
    this.text = text
    const { document, lines } = parse(text)
    const [error] = document.errors
    this.#document = document
    this.#lines = lines
    if (error !== undefined) throw new YamlProblem(error.message, this.#positionAt(error.pos[0]))
    this.root = this.#document.contents ?? undefined
  }

  /** The node itself, or the one that an alias stands for. */
  follow(node: Node | undefined): Node | undefined {
    return isAlias(node) ? node.resolve(this.#document) : node
  }

  /** The entries of a mapping, in order, those that `<<` merges into it included. */
  entriesOf(map: YAMLMap): Entry[] {
    const own: Entry[] = []
    const merged: Entry[] = []
    for (const { key, value } of map.items) {
      const keyNode = key as Node
      const text = this.#keyText(keyNode)
      const target = this.follow((value ?? undefined) as Node | undefined)
      if (text === '<<' && isPlain(keyNode)) merged.push(...this.#mergedBy(target))
      else own.push({ key: text, keyNode, value: target })
    }
    const named = new Set(own.map(({ key }) => key))
    return [...merged.filter(({ key }) => !named.has(key)), ...own]
  }

  problem(reason: string | Sentence, node: Node | undefined): YamlProblem {
    return new YamlProblem(reason, this.#positionAt(node?.range?.[0] ?? 0))
  }

  #mergedBy(target: Node | undefined): Entry[] {
    if (isMap(target)) return this.entriesOf(target)
    if (!isSeq(target)) return []
    return target.items.flatMap((item) => this.#mergedBy(this.follow(item as Node)))
  }

  #keyText(node: Node): string {
    if (isScalar(node)) return textOf(node)
    throw this.problem(say`a key must be a text`, node)
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }
}

interface Parsed {
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

function parse(text: string): Parsed {
  if (!hasOwnBreaks(text)) return parseLines(text)
  const parsed = parseLines(asLineFeeds(text))
  // In quotes, where Java writes none of them, the next line may begin anywhere for Java, and not for this parser.
  if (parsed.document.errors.length > 0) return parseLines(text)
  visit(parsed.document, { Scalar: (_, scalar) => restoreBreaks(scalar, text) })
  return parsed
}

function parseLines(text: string): Parsed {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    // Java takes the last one.
    uniqueKeys: false,
    // Tags of Java classes are none of ours.
    logLevel: 'error',
    prettyErrors: false,
    lineCounter: lines,
  })
  return { document, lines }
}

/** A scalar's own text, whatever it may mean. */
export function textOf(scalar: Scalar): string {
  if (scalar.tag === 'tag:yaml.org,2002:binary') {
    return Buffer.from(scalar.source ?? '', 'base64').toString('utf8')
  }
  return scalar.source ?? ''
}

/** Whether a scalar stands without quotes and without a tag, so that its text decides what it is. */
export function isPlain(node: Node | undefined): node is Scalar {
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined
}

/** Whether nothing stands there, or a word for nothing. */
export function isNothing(node: Node | undefined): boolean {
  return node === undefined || (isPlain(node) && kindOfPlain(textOf(node)) === 'null')
}
