/** Which shard is expected to fire when, while operators change that: written down as it happens. */
import { shardKey } from './facts.ts'

/** While a shard is enabled and fires with one period. Times are in milliseconds since 1970. */
export interface ExpectedSpan {
  readonly job: string
  readonly shard: number
  /** Fire times after this moment are expected. */
  readonly from: number
  /** Fire times after this moment are not. */
  readonly to: number
  readonly period: number
}

/** While no shard of a job, or one shard, may start a scheduled run. */
export interface ForbiddenSpan {
  readonly job: string
  /** Undefined for all shards. */
  readonly shard: number | undefined
  readonly from: number
  readonly to: number
}

export class Expectations {
  readonly #open = new Map<string, Omit<ExpectedSpan, 'to'>>()
  readonly #spans: ExpectedSpan[] = []
  readonly #forbidden: ForbiddenSpan[] = []

  expect(span: Omit<ExpectedSpan, 'to'>): void {
    this.#open.set(shardKey(span), span)
  }

  /** From this moment on nothing is known of a job's fire times, or of those of one shard. */
  suspend(job: string, at: number, shard?: number): void {
    for (const [key, span] of this.#open) {
      if (span.job !== job || (shard !== undefined && span.shard !== shard)) continue
      this.#open.delete(key)
      this.#spans.push({ ...span, to: at })
    }
  }

  forbid(span: ForbiddenSpan): void {
    this.#forbidden.push(span)
  }

  get forbidden(): readonly ForbiddenSpan[] {
    return this.#forbidden
  }

  /** All that was expected until a moment. */
  spans(until: number): ExpectedSpan[] {
    return [...this.#spans, ...[...this.#open.values()].map((span) => ({ ...span, to: until }))]
  }
}
