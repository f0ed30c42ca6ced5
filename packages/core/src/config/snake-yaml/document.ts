import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, visit, type YAMLMap } from 'yaml'
import { Budget, BudgetExceeded, type Limits } from '../../decode/budget.ts'
import { englishOf, message, type Message } from '../../message.ts'
import { asLineFeeds, hasOwnBreaks, restoreBreaks } from './line-breaks.ts'
import { type Aliases, measure } from './measure.ts'
import { type Parsed, parseWithin } from './parse-within.ts'
import { kindOfPlain } from './plain-scalar.ts'

/** A problem of a YAML text, with its position. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem'
  readonly line: number
  readonly column: number
  readonly #reason: string | Message

  constructor(reason: string | Message, { line, column }: Position) {
    super(englishOf(reason))
    this.#reason = reason
    this.line = line
    this.column = column
  }

  /** The reason: a message of this package, or the text of the parser. */
  get reason(): string | Message {
    return this.#reason
  }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** A key of a mapping and its value. */
export interface Entry {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node | undefined
}

/** A YAML text whose scalars stay in written form: as in Java, their meaning depends on their key. */
export class YamlDocument {
  readonly text: string
  readonly root: Node | undefined
  readonly #lines: Parsed['lines']
  readonly #aliases: Aliases

  /**
   * Throws a `YamlProblem` for invalid YAML, and for a text that exceeds the limits, before it is parsed completely.
   */
  constructor(text: string, limits?: Limits) {
    const budget = new Budget(limits)
    this.text = text
    try {
      const { document, lines } = parse(text, budget)
      const [error] = document.errors
      this.#lines = lines
      if (error !== undefined) throw new YamlProblem(error.message, this.#positionAt(error.pos[0]))
      this.root = document.contents ?? undefined
      this.#aliases = measure(this.root, budget)
    } catch (error) {
      if (error instanceof BudgetExceeded) throw new YamlProblem(error.what, { line: 1, column: 1 })
      throw error
    }
  }

  /** The node itself, or the target of an alias. */
  follow(node: Node | undefined): Node | undefined {
    return isAlias(node) ? this.#aliases.get(node) : node
  }

  /** The entries of a mapping, in order, including those that `<<` merges. */
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

  problem(reason: string | Message, node: Node | undefined): YamlProblem {
    return new YamlProblem(reason, this.#positionAt(node?.range?.[0] ?? 0))
  }

  #mergedBy(target: Node | undefined): Entry[] {
    if (isMap(target)) return this.entriesOf(target)
    if (!isSeq(target)) return []
    return target.items.flatMap((shard) => this.#mergedBy(this.follow(shard as Node)))
  }

  #keyText(node: Node): string {
    if (isScalar(node)) return textOf(node)
    throw this.problem(message('yaml-key-not-text'), node)
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }
}

function parse(text: string, budget: Budget): Parsed {
  if (!hasOwnBreaks(text)) return parseWithin(text, budget)
  const parsed = parseWithin(asLineFeeds(text), budget)
  // After a Unicode line break inside quotes, the indentation of the next line is free in Java but not for this parser.
  // Java never writes these breaks inside quotes.
  if (parsed.document.errors.length > 0) return parseWithin(text, new Budget(budget.limits))
  visit(parsed.document, { Scalar: (_, scalar) => restoreBreaks(scalar, text) })
  return parsed
}

/** The text of a scalar, without interpretation. */
export function textOf(scalar: Scalar): string {
  if (scalar.tag === 'tag:yaml.org,2002:binary') {
    return Buffer.from(scalar.source ?? '', 'base64').toString('utf8')
  }
  return scalar.source ?? ''
}

/** Whether a scalar has no quotes and no tag, so that its text determines its type. */
export function isPlain(node: Node | undefined): node is Scalar {
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined
}

/** Whether the value is empty or a YAML word for null. */
export function isNothing(node: Node | undefined): boolean {
  return node === undefined || (isPlain(node) && kindOfPlain(textOf(node)) === 'null')
}
