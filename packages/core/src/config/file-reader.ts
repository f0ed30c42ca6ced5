import { isMap, isScalar, isSeq, type Node } from 'yaml'
import type { Problem } from '../errors.ts'
import { interpolate } from './interpolate.ts'
import { isNothing, textOf, type YamlDocument } from './snake-yaml/document.ts'
import { javaText } from './snake-yaml/java-text.ts'
import { toFlag, toInteger } from './snake-yaml/plain-scalar.ts'
import { yamlTextOf } from './snake-yaml/yaml-text.ts'

/** The kind of value that a key of the file has. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'texts'
  | 'extras'
  | 'props'
  | 'parameters'
  | 'run option'

/** A key of the file: its value, position and path. */
export interface Field {
  readonly path: string
  readonly keyNode: Node
  readonly value: Node | undefined
}

/**
 * Reads values of a file as the kinds that their keys require, and interpolates variables. A value of another kind is
 * returned unchanged: the check of the key produces the better error message.
 */
export class FileReader {
  readonly problems: Problem[] = []
  readonly warnings: string[] = []
  readonly #document: YamlDocument
  readonly #environment: Readonly<Record<string, string | undefined>>

  constructor(document: YamlDocument, environment: Readonly<Record<string, string | undefined>>) {
    this.#document = document
    this.#environment = environment
  }

  /** The fields of a section by name. Names may contain hyphens, as in Spring. */
  fieldsOf({ value, path, keyNode }: Field, asWritten: boolean = false): Map<string, Field> {
    const fields = new Map<string, Field>()
    if (isNothing(value)) return fields
    if (!isMap(value)) {
      this.report(path, 'it must be a mapping of keys to values', keyNode)
      return fields
    }
    for (const { key, keyNode: node, value: inner } of this.#document.entriesOf(value)) {
      const name = asWritten ? key : camelCased(key)
      fields.set(name, { path: path === '' ? key : `${path}.${key}`, keyNode: node, value: inner })
    }
    return fields
  }

  report(path: string, message: string, node: Node | undefined): void {
    this.problems.push({ key: path, message: `${message} (${this.#lineOf(node)})` })
  }

  warn(path: string, message: string, node: Node | undefined): void {
    this.warnings.push(`${path}: ${message} (${this.#lineOf(node)})`)
  }

  valueOf(field: Field, kind: ValueKind): unknown {
    const { value } = field
    if (isNothing(value)) return undefined
    switch (kind) {
      case 'text':
        return this.#text(field)
      case 'number': {
        const text = this.#text(field)
        const number = typeof text === 'string' ? toInteger(text) : undefined
        return number === undefined ? text : Number(number)
      }
      case 'flag': {
        const text = this.#text(field)
        return typeof text === 'string' ? (toFlag(text) ?? text) : text
      }
      case 'texts':
        if (isScalar(value)) return splitAtCommas(this.#text(field) as string)
        return this.#elements(field).map((element) => this.#text({ ...field, value: element }))
      case 'extras':
        return this.#elements(field).map((element) => yamlTextOf(this.#document, element))
      case 'props':
        return Object.fromEntries(this.#props(field, ''))
      case 'run option':
        if (isMap(value)) {
          const inner = [...this.fieldsOf(field)]
          return Object.fromEntries(inner.map(([name, one]) => [name, this.valueOf(one, 'number')]))
        }
        return this.valueOf(field, 'number')
      case 'parameters': {
        if (!isMap(value)) return this.#text(field)
        const parameters = this.fieldsOf(field, true)
        return Object.fromEntries(
          [...parameters].map(([shard, parameter]) => [shard, this.#text(parameter)]),
        )
      }
    }
  }

  #text(field: Field): unknown {
    const { value, path } = field
    if (!isScalar(value)) return isSeq(value) ? [] : {}
    const { text, problems } = interpolate(textOf(value), this.#environment)
    for (const problem of problems) this.report(path, problem, value)
    return text
  }

  #elements({ value, path }: Field): Node[] {
    if (isSeq(value)) {
      return value.items.map((element) => this.#document.follow(element as Node) as Node)
    }
    this.report(path, 'it must be a list', value)
    return []
  }

  /** Properties may be nested, `dingtalk: { webhook: … }` for `dingtalk.webhook`, as in Spring. */
  #props(field: Field, prefix: string): [string, unknown][] {
    return [...this.fieldsOf(field, true)].flatMap(([name, inner]): [string, unknown][] => {
      const { value } = inner
      if (isMap(value)) return this.#props(inner, `${prefix}${name}.`)
      if (isNothing(value)) return []
      // The value of a variable is text; a literal value is converted as in Java.
      const filled = isScalar(value) ? this.#text(inner) : undefined
      const isFilled = isScalar(value) && filled !== textOf(value)
      return [[prefix + name, isFilled ? filled : javaText(this.#document, value)]]
    })
  }

  #lineOf(node: Node | undefined): string {
    return `line ${this.#document.problem('', node).line}`
  }
}

function camelCased(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function splitAtCommas(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
