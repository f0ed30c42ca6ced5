/**
 * Group commit. What is decided in the same instant, of one job or of many, goes out as one
 * transaction; a batch that fails does so because of one unit, which is told so, and the others are
 * tried again in smaller parts.
 */
import {
  isZooKeeperError,
  MultiError,
  type Stat,
  type TransactionPart,
} from '@elasticjob/zookeeper'

import type { Clock } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import { onTheDot } from './on-the-dot.ts'
import { type Moment, momentOf, type RegistryTime } from './registry-time.ts'

/** What each part of a unit came to: the stat of a `set`, the path of the others. */
export interface PartResult {
  readonly stat?: Stat
  readonly path?: string
}

export interface CommitClient {
  multi(parts: readonly TransactionPart[]): Promise<readonly PartResult[]>
}

/** The registry's time, of which every transaction shows something. */
type CommitTime = Pick<RegistryTime, 'now' | 'observe'>

interface Unit {
  readonly parts: readonly TransactionPart[]
  readonly bytes: number
  readonly isVain: () => boolean
  resolve(results: readonly PartResult[]): void
  reject(error: unknown): void
}

/** A transaction above 1 MB is no error but a closed connection: stay well below. */
export const maximumBytes: number = 512 * 1024
/** Beyond that many, what is decided waits and goes out together. */
const maximumInFlight = 8
const partOverhead = 60

export class Committer {
  readonly #client: CommitClient
  readonly #clock: Clock
  readonly #time: CommitTime
  #units: Unit[] = []
  #scheduled = false
  /** Nothing goes out before that time. */
  #heldUntil = 0
  #inFlight = 0

  constructor(client: CommitClient, clock: Clock, time: CommitTime) {
    this.#client = client
    this.#clock = clock
    this.#time = time
  }

  /**
   * What is committed from now on goes out at that time, which is at most `timerLateness` ahead: it can be
   * planned before it.
   */
  holdUntil(time: number): void {
    this.#heldUntil = time
  }

  /**
   * Carries out the parts as a whole, together with whatever else is decided in this instant. Rejects
   * with the error of its own part that failed, told by its path.
   *
   * `isVain`: whether it is known by now that it cannot be. It is asked when the batch has failed because
   * of another one: the events of a change come before the answer that it made impossible, so whoever
   * the same change concerns fails with the first, instead of one after the other.
   */
  commit(
    parts: readonly TransactionPart[],
    isVain: () => boolean = () => false,
  ): Promise<readonly PartResult[]> {
    const bytes = bytesOf(parts)
    if (bytes > maximumBytes) {
      return Promise.reject(
        new ElasticJobError(
          'JOB_TRANSACTION_TOO_LARGE',
          `a transaction of ${parts.length} parts has ${bytes} bytes; at most ${maximumBytes} are safe`,
        ),
      )
    }
    return new Promise((resolve, reject) => {
      this.#units.push({ parts, bytes, isVain, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= maximumInFlight) return
    this.#scheduled = true
    // Asked when it is to go out: what is held may come behind what is not.
    const timeLeft = (): number => this.#heldUntil - this.#time.now()
    onTheDot(this.#clock, timeLeft, () => {
      this.#scheduled = false
      this.#heldUntil = 0
      this.#flush()
    })
  }

  #flush(): void {
    while (this.#units.length > 0 && this.#inFlight < maximumInFlight) {
      let bytes = 0
      let count = 0
      for (const unit of this.#units) {
        if (count > 0 && bytes + unit.bytes > maximumBytes) break
        bytes += unit.bytes
        count += 1
      }
      void this.#send(this.#units.splice(0, count))
    }
  }

  async #send(units: readonly Unit[]): Promise<void> {
    const { parts, places } = merge(units)
    const begun = momentOf(this.#clock)
    this.#inFlight += 1
    try {
      const results = await this.#client.multi(parts)
      this.#learnTime(results, begun)
      for (const [index, unit] of units.entries()) {
        unit.resolve((places[index] as readonly number[]).map((at) => results[at] ?? {}))
      }
    } catch (error) {
      this.#failed(units, places, error)
    } finally {
      this.#inFlight -= 1
      if (this.#units.length > 0) this.#schedule()
    }
  }

  #learnTime(results: readonly PartResult[], begun: Moment): void {
    const stat = results.find((result) => result.stat !== undefined)?.stat
    if (stat !== undefined) this.#time.observe(Number(stat.mtime), begun)
  }

  #failed(units: readonly Unit[], places: readonly (readonly number[])[], error: unknown): void {
    const rest: Unit[] = []
    for (const [index, unit] of units.entries()) {
      const isCulprit = !(error instanceof MultiError) || places[index]?.includes(error.index)
      if (isCulprit === true || unit.isVain()) unit.reject(error)
      else rest.push(unit)
    }
    const half = Math.ceil(rest.length / 2)
    // In two parts: should there be more that cannot be, half of the others is rid of them.
    for (const part of [rest.slice(0, half), rest.slice(half)]) {
      if (part.length > 0) void this.#send(part)
    }
  }
}

/** All parts in one list, and where each unit's parts went. What was just checked is not checked again. */
function merge(units: readonly Unit[]): {
  parts: TransactionPart[]
  places: readonly (readonly number[])[]
} {
  const parts: TransactionPart[] = []
  const checked = new Map<string, { readonly version: number; readonly place: number }>()
  const places = units.map((unit) =>
    unit.parts.map((part) => {
      const before = checked.get(part.path)
      if (part.type === 'check' && before?.version === part.version) return before.place
      const place = parts.push(part) - 1
      // Behind a change the same question may have another answer.
      if (part.type === 'check') checked.set(part.path, { version: part.version, place })
      else checked.delete(part.path)
      return place
    }),
  )
  return { parts, places }
}

/** What the parts take in a request, roughly and rather too much. */
export function bytesOf(parts: readonly TransactionPart[]): number {
  let bytes = 0
  for (const part of parts) {
    bytes += partOverhead + Buffer.byteLength(part.path)
    if ('data' in part) bytes += part.data.length
  }
  return bytes
}

/** Whether nobody can know if the transaction was carried out. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isZooKeeperError(error) && error.outcomeUnknown
}
