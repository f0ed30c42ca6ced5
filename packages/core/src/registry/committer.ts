/**
 * Group commit. Units that are queued in the same instant, of one job or of many, go out as one transaction. If a batch
 * fails because of one unit, that unit fails, and the others are tried again in smaller batches.
 */

import type { Clock } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import { isRegistryError } from './registry-error.ts'
import { type Moment, momentOf, type RegistryTime } from './registry-time.ts'
import type { PartResult, TransactionPart } from './transaction.ts'

export interface CommitClient {
  transact(parts: readonly TransactionPart[]): Promise<readonly PartResult[]>
}

/** The registry's time: every transaction gives a sample of it. */
type CommitTime = Pick<RegistryTime, 'observe'>

/** A group of parts that is committed as a whole or not at all. */
export interface CommitUnit {
  readonly parts: readonly TransactionPart[]
  /**
   * Whether the unit is known to fail by now. Called when the batch has failed because of another unit. The events of a
   * change arrive before the refusal that the change causes. So all units that the same change affects fail together,
   * instead of one after the other.
   */
  readonly isVain?: () => boolean
}

/** The outcome of a unit: the results of its parts, or the error of the part that failed. */
export type Committed =
  | { readonly results: readonly PartResult[]; readonly error?: undefined }
  | { readonly results?: undefined; readonly error: unknown }

/** Units whose caller waits for all of them. */
interface Order {
  readonly outcomes: Committed[]
  left: number
  readonly resolve: (outcomes: readonly Committed[]) => void
}

interface Unit {
  readonly unit: CommitUnit
  readonly bytes: number
  readonly order: Order
  /** The index of the unit within its order. */
  readonly index: number
}

/** A server closes the connection on a transaction above 1 MB, without an error: stay well below. */
export const maximumBytes: number = 512 * 1024
/**
 * Further units of the same instant go out in another transaction, on which the server works while this process reads
 * the first answer.
 */
const maximumUnits = 128
/** Beyond this number of transactions, units wait and go out together. */
const maximumInFlight = 8
const partOverhead = 60

export class Committer {
  readonly #client: CommitClient
  readonly #clock: Clock
  readonly #time: CommitTime
  #units: Unit[] = []
  #scheduled = false
  #inFlight = 0

  constructor(client: CommitClient, clock: Clock, time: CommitTime) {
    this.#client = client
    this.#clock = clock
    this.#time = time
  }

  /**
   * Commits the parts as a whole, together with all other units of this instant. Rejects with the error of its own part
   * that failed; `path` identifies the part.
   */
  async commit(parts: readonly TransactionPart[]): Promise<readonly PartResult[]> {
    const [outcome] = await this.commitEach([{ parts }])
    if (outcome?.results === undefined) throw outcome?.error
    return outcome.results
  }

  /** Commits each unit on its own, all of them in this instant; resolves when all are settled. */
  commitEach(units: readonly CommitUnit[]): Promise<readonly Committed[]> {
    if (units.length === 0) return Promise.resolve([])
    return new Promise((resolve) => {
      const order: Order = { outcomes: [], left: units.length, resolve }
      for (let index = 0; index < units.length; index++) {
        const unit = units[index] as CommitUnit
        const bytes = bytesOf(unit.parts)
        const queued = { unit, bytes, order, index }
        if (bytes <= maximumBytes) this.#units.push(queued)
        else settle(queued, { error: tooLarge(unit, bytes) })
      }
      if (this.#units.length > 0) this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= maximumInFlight) return
    this.#scheduled = true
    this.#clock.afterPoll(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    while (this.#units.length > 0 && this.#inFlight < maximumInFlight) {
      let bytes = 0
      let count = 0
      for (const unit of this.#units) {
        if (count === maximumUnits || (count > 0 && bytes + unit.bytes > maximumBytes)) break
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
      const results = await this.#client.transact(parts)
      this.#learnTime(results, begun)
      let first = 0
      for (const queued of units) {
        const { length } = queued.unit.parts
        settle(queued, { results: resultsAt(results, places, first, length) })
        first += length
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

  #failed(units: readonly Unit[], places: readonly number[], error: unknown): void {
    const rest: Unit[] = []
    const part = isRegistryError(error) ? error.partIndex : undefined
    let first = 0
    for (const queued of units) {
      const { unit } = queued
      const end = first + unit.parts.length
      const isCulprit = part === undefined || places.slice(first, end).includes(part)
      if (isCulprit || unit.isVain?.() === true) settle(queued, { error })
      else rest.push(queued)
      first = end
    }
    const half = Math.ceil(rest.length / 2)
    // In two batches: if more units fail, half of the others is separated from them.
    for (const some of [rest.slice(0, half), rest.slice(half)]) {
      if (some.length > 0) void this.#send(some)
    }
  }
}

function settle({ order, index }: Unit, outcome: Committed): void {
  order.outcomes[index] = outcome
  order.left -= 1
  if (order.left === 0) order.resolve(order.outcomes)
}

function tooLarge({ parts }: CommitUnit, bytes: number): ElasticJobError {
  return new ElasticJobError(
    'JOB_TRANSACTION_TOO_LARGE',
    `a transaction of ${parts.length} parts has ${bytes} bytes; at most ${maximumBytes} are safe`,
  )
}

/** A check that several units begin with, and its index in the list. */
interface SharedCheck {
  readonly check: TransactionPart
  readonly place: number
}

/**
 * All parts in one list, and the index in it for each part of each unit, in order. Checks that consecutive units begin
 * with, such as those of one job, appear once.
 */
function merge(units: readonly Unit[]): { parts: TransactionPart[]; places: readonly number[] } {
  const parts: TransactionPart[] = []
  const places: number[] = []
  const shared: SharedCheck[] = []
  for (const { unit } of units) {
    let isLeading = true
    for (const [index, part] of unit.parts.entries()) {
      isLeading &&= part.type === 'check'
      const known = isLeading ? shared[index] : undefined
      if (known !== undefined && asksTheSame(part, known.check)) {
        places.push(known.place)
        continue
      }
      const place = parts.push(part) - 1
      places.push(place)
      if (isLeading) {
        shared.length = index
        shared.push({ check: part, place })
      } else if (part.type !== 'check') {
        // After a change of the node the same check may give another result.
        const changed = shared.findIndex(({ check }) => check.path === part.path)
        if (changed !== -1) shared.length = changed
      }
    }
  }
  return { parts, places }
}

function asksTheSame(one: TransactionPart | undefined, check: TransactionPart): boolean {
  return (
    one?.type === 'check' &&
    check.type === 'check' &&
    one.version === check.version &&
    one.path === check.path
  )
}

function resultsAt(
  results: readonly PartResult[],
  places: readonly number[],
  first: number,
  length: number,
): readonly PartResult[] {
  const own: PartResult[] = []
  for (let at = first; at < first + length; at++) own.push(results[places[at] as number] ?? {})
  return own
}

/** The approximate size of the parts in a request, rather too large than too small. */
export function bytesOf(parts: readonly TransactionPart[]): number {
  let bytes = 0
  for (const part of parts) {
    bytes += partOverhead + Buffer.byteLength(part.path)
    if ('data' in part) bytes += part.data.length
  }
  return bytes
}
