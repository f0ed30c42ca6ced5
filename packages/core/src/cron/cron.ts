import { message } from '../message.ts'
import { dayNumberOf } from './calendar.ts'
import { CronError, quoted } from './cron-error.ts'
import { describeFields } from './describe.ts'
import { nextFire } from './next-fire.ts'
import { type CronFields, parseFields } from './parse-fields.ts'
import { firstYear, lastYear } from './year-set.ts'
import { findZone, type NamedZone } from './zone-names.ts'
import type { Zone } from './zone.ts'

/** The options of `parseCron()`. */
export interface CronOptions {
  /**
   * The time zone of the expression: an IANA name such as `Europe/Berlin`, or `GMT+08:00`, the form that ElasticJob for
   * Java accepts.
   * @default the zone of the process
   */
  readonly timeZone?: string | undefined
  /**
   * Matches Quartz to the second. The results differ only for expressions that fire in every hour, while the clock
   * repeats an hour: Quartz does not fire the first time, the default is to fire both times.
   * @default false
   */
  readonly strict?: boolean | undefined
}

const defaults = Object.freeze({ strict: false }) satisfies CronOptions

/** Parses an expression in the Quartz dialect; throws a `CronError` that names the place of a problem. */
export function parseCron(expression: string, options: CronOptions = {}): Cron {
  if (typeof expression !== 'string') {
    throw new CronError(String(expression), message('cron-not-text'))
  }
  const fields = parseFields(expression)
  const zone = findZone(options.timeZone)
  if (zone === undefined) {
    throw new CronError(
      expression,
      message('cron-zone-unknown', { timeZone: quoted(String(options.timeZone)) }),
    )
  }
  return new Cron(expression, fields, zone, options.strict ?? defaults.strict)
}

/** A parsed cron expression that computes fire times. */
export class Cron {
  readonly expression: string
  readonly timeZone: string
  readonly #fields: CronFields
  readonly #zone: Zone
  /** Whether to fire both times when the clock repeats an hour. */
  readonly #firesTwice: boolean
  /** The last query and its result: all shards of a job ask for the same fire time. */
  #asked: number | undefined
  #answer: number | undefined

  /** @internal Created by `parseCron`. */
  constructor(expression: string, fields: CronFields, { name, zone }: NamedZone, strict: boolean) {
    this.expression = expression
    this.timeZone = name
    this.#fields = fields
    this.#zone = zone
    this.#firesTwice = !strict && fields.hours.values().length === 24
  }

  /** The first fire time after a date; null if there is none until the end of 2299. */
  next(after: Date): Date | null {
    const time = this.nextAfter(after.getTime())
    return time === undefined ? null : new Date(time)
  }

  /** Like `next`, in milliseconds and without allocating dates, for frequent calls. */
  nextAfter(epochMillis: number): number | undefined {
    const second = this.#nextSecond(secondAfter(epochMillis))
    return second === undefined ? undefined : second * 1000
  }

  /** The next `count` fire times; fewer if the schedule ends before. */
  preview(after: Date, count: number): Date[] {
    const times: Date[] = []
    for (let time = this.next(after); time !== null && times.length < count;) {
      times.push(time)
      time = this.next(time)
    }
    return times
  }

  /**
   * The latest fire time that is after `notBefore` and not after `epochMillis`. The number of steps is logarithmic in
   * the length of the span, regardless of how many fire times it contains.
   */
  latestAtOrBefore(epochMillis: number, notBefore: number): number | undefined {
    const end = secondAfter(epochMillis) - 1
    let latest = this.#fireWithin(secondAfter(notBefore), end)
    if (latest === undefined) return undefined
    // Search backwards with doubling distance until a fire time is found, then bisect between it and the end.
    let silentFrom = end + 1
    for (let back = 0; silentFrom > latest + 1; back = back * 2 + 1) {
      const from = Math.max(latest + 1, end - back)
      const found = this.#fireWithin(from, end)
      if (found !== undefined) {
        latest = found
        break
      }
      silentFrom = from
    }
    while (silentFrom > latest + 1) {
      const middle = latest + 1 + Math.floor((silentFrom - latest - 1) / 2)
      const found = this.#fireWithin(middle, end)
      if (found === undefined) silentFrom = middle
      else latest = found
    }
    return latest * 1000
  }

  /** The expression in English: `every 10 seconds`. */
  describe(): string {
    return describeFields(this.#fields)
  }

  /** The first fire time of a span, both ends included. */
  #fireWithin(from: number, to: number): number | undefined {
    const repeat = this.#zone.repeatAround(from)
    // If a repeated hour fires once, it fires the second time. For a start within the first time, Quartz jumps to the
    // same minute of the second time and skips the fire times before it.
    const isSilent = !this.#firesTwice && repeat !== undefined && from < repeat.at
    const found = this.#nextSecond(isSilent ? repeat.at : from)
    return found !== undefined && found <= to ? found : undefined
  }

  /** The first second at or after `from` that fires. */
  #nextSecond(from: number): number | undefined {
    if (from !== this.#asked) {
      this.#answer = this.#searchFrom(from)
      this.#asked = from
    }
    return this.#answer
  }

  #searchFrom(from: number): number | undefined {
    const found = nextFire(this.#fields, this.#zone, from)
    if (!this.#firesTwice) return found
    const missed = found === undefined ? undefined : this.#firstTimeOf(found, from)
    if (missed !== undefined) return missed
    // `from` is within the first pass of a repeated hour and no fire time is left in that pass. Quartz has skipped the
    // second pass as well, so search it here.
    const repeat = this.#zone.repeatAround(from)
    const isFirstTime = repeat !== undefined && from < repeat.at
    return isFirstTime ? nextFire(this.#fields, this.#zone, repeat.at) : found
  }

  /** The same clock time during the first pass of a repeated hour, unless that is before `from`. */
  #firstTimeOf(second: number, from: number): number | undefined {
    const repeat = this.#zone.repeatAround(second)
    if (repeat === undefined || second < repeat.at) return undefined
    const firstTime = second - repeat.length
    return firstTime >= from ? firstTime : undefined
  }
}

/** No year before 1970 and none after `lastYear` fires, so the search does not start further out. */
const earliestSecond = dayNumberOf(firstYear, 1, -1) * 86_400
const latestSecond = dayNumberOf(lastYear + 1, 1, 3) * 86_400

/** Fire times are whole seconds, so the next one is at least the following second. */
function secondAfter(epochMillis: number): number {
  if (Number.isNaN(epochMillis)) throw new RangeError('there is no fire time after an invalid date')
  const second = Math.floor(epochMillis / 1000) + 1
  return Math.min(Math.max(second, earliestSecond), latestSecond)
}
