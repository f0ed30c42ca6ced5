/** What the configurations of 1.x and 2.x have in common. */
import { message, type Message } from '../message.ts'
import { highestPort } from './dump-options.ts'
import { YamlProblem } from './snake-yaml/document.ts'

/** Their strategies, by the last part of their class names. */
const strategies: ReadonlyMap<string, string> = new Map([
  ['AverageAllocationJobShardingStrategy', 'AVG_ALLOCATION'],
  ['OdevitySortByNameJobShardingStrategy', 'ODEVITY'],
  ['RotateServerByNameJobShardingStrategy', 'ROUND_ROBIN'],
])

/** Today's name of a strategy; the name of a class that nobody knows stays as it is. */
export function strategyOf(className: string | undefined): string | undefined {
  const name = simpleName(className)
  return name === undefined ? undefined : (strategies.get(name) ?? className)
}

export function simpleName(className: string | undefined): string | undefined {
  return className?.slice(className.lastIndexOf('.') + 1)
}

/** The values of an object as old readers take them: numbers and flags may stand in quotes. */
export class LegacyValues {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key)
  }

  /** A text; undefined if it is not there or empty. */
  text(key: string): string | undefined {
    const value = this.has(key) ? this.#values[key] : undefined
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw legacyProblem(message('key-not-text', { key }))
  }

  number(key: string, otherwise: number): number {
    const text = this.text(key)
    if (text === undefined) return otherwise
    const value = Number(text)
    if (Number.isInteger(value)) return value
    throw legacyProblem(message('key-not-integer', { key, text }))
  }

  flag(key: string, otherwise: boolean): boolean {
    const text = this.text(key)?.toLowerCase()
    if (text === undefined) return otherwise
    if (text === 'true' || text === 'false') return text === 'true'
    throw legacyProblem(message('key-not-flag', { key, text }))
  }

  object(key: string): Record<string, unknown> {
    const value = this.has(key) ? (this.#values[key] ?? {}) : {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    throw legacyProblem(message('key-not-object', { key }))
  }
}

/** Neither form gives places: 2.x writes JSON on one line, 1.x a node for each value. */
export function legacyProblem(reason: Message): YamlProblem {
  return new YamlProblem(reason, { line: 1, column: 1 })
}

/** The setting of ours for the port that a job of 1.x and 2.x could have; most had -1, for none. */
export function monitorPortProp(values: LegacyValues): Record<string, string> {
  const port = values.number('monitorPort', -1)
  return port < 0 || port > highestPort ? {} : { 'monitor.port': String(port) }
}
