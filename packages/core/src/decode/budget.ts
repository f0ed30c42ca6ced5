/**
 * Limits the work that stored or user-supplied data may cause. Decoders count the work and refuse it before they do it:
 * otherwise a few hundred bytes of nested aliases would keep a process busy for hours.
 */
import { message, type Message } from '../message.ts'

export interface Limits {
  /** Characters of the text. */
  readonly length: number
  /** Nesting depth of collections. */
  readonly depth: number
  /** Tokens of a YAML text, which measure the work of parsing it. */
  readonly tokens: number
  /** Aliases of a YAML text. SnakeYAML, with which Java reads configurations, allows 50 aliases of collections. */
  readonly aliases: number
  /** Nodes of a YAML text after every alias is expanded. */
  readonly expansion: number
}

/** Limits for one node in the registry. ZooKeeper itself accepts no node above 1 MiB by default. */
export const storedLimits: Limits = Object.freeze({
  length: 1_048_576,
  depth: 50,
  tokens: 20_000,
  aliases: 50,
  expansion: 20_000,
})

/** Limits for a file that a user supplies; ten thousand jobs fit into it. */
export const fileLimits: Limits = Object.freeze({
  length: 16_777_216,
  depth: 50,
  tokens: 2_000_000,
  aliases: 1_000,
  expansion: 1_000_000,
})

const meanings = {
  length: (most: number): Message => message('length-excess', { most }),
  depth: (most: number): Message => message('depth-excess', { most }),
  tokens: (most: number): Message => message('tokens-excess', { most }),
  aliases: (most: number): Message => message('aliases-excess', { most }),
  expansion: (most: number): Message => message('expansion-excess', { most }),
} as const

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
  readonly what: Message

  constructor(limit: keyof Limits, most: number) {
    const what = meanings[limit](most)
    super(what.text)
    this.what = what
  }
}

/** Counts the work that one text has caused so far. */
export class Budget {
  readonly limits: Limits
  readonly #spent: Record<keyof Limits, number> = {
    length: 0,
    depth: 0,
    tokens: 0,
    aliases: 0,
    expansion: 0,
  }

  constructor(limits: Limits = storedLimits) {
    this.limits = limits
  }

  /** The work done, or the deepest level reached. */
  get spent(): Readonly<Record<keyof Limits, number>> {
    return this.#spent
  }

  /** Counts work that is about to be done. */
  spend(limit: Exclude<keyof Limits, 'depth'>, amount: number = 1): void {
    this.#spent[limit] += amount
    if (this.#spent[limit] > this.limits[limit]) {
      throw new BudgetExceeded(limit, this.limits[limit])
    }
  }

  /** Enters a level of nesting. */
  reach(depth: number): void {
    if (depth > this.#spent.depth) this.#spent.depth = depth
    if (depth > this.limits.depth) throw new BudgetExceeded('depth', this.limits.depth)
  }
}
