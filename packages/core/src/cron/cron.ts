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
   * Where the clock hangs that the expression speaks of: an IANA name such as `Europe/Berlin`, or
   * `GMT+08:00`, the form that ElasticJob for Java takes.
   * @default the zone of the process
   */
  readonly timeZone?: string | undefined
  /**
   * Quartz to the second. It differs while the clock shows an hour for the second time, and for
   * expressions that fire in every hour alone: Quartz is silent the first time, we fire both times.
   * @default false
   */
  readonly strict?: boolean | undefined
}

const defaults = Object.freeze({ strict: false }) satisfies CronOptions

/** Reads an expression in the dialect of Quartz; throws a `CronError` that says where it is wrong. */
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

/** When something fires. */
export class Cron {
  readonly expression: string
  readonly timeZone: string
  readonly #fields: CronFields
  readonly #zone: Zone
  /** Fires both times when the clock shows an hour twice. */
  readonly #firesTwice: boolean
  /** The last answer: all shards of a job ask the same. */
  #asked: number | undefined
  #answer: number | undefined

  /** @internal `parseCron` makes them. */
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

  /** The same in milliseconds, for those who ask often. */
  nextAfter(epochMillis: number): number | undefined {
    const second = this.#nextSecond(secondAfter(epochMillis))
    return second === undefined ? undefined : second * 1000
  }

  /** The next so many fire times; fewer where it ends before. */
  preview(after: Date, count: number): Date[] {
    const times: Date[] = []
    for (let time = this.next(after); time !== null && times.length < count;) {
      times.push(time)
      time = this.next(time)
    }
    return times
  }

  /**
   * The latest fire time that is after `notBefore` and not after `epochMillis`. It needs as many
   * steps as the span has binary digits in seconds, however many fires there are in it.
   */
  latestAtOrBefore(epochMillis: number, notBefore: number): number | undefined {
    const end = secondAfter(epochMillis) - 1
    let latest = this.#fireWithin(secondAfter(notBefore), end)
    if (latest === undefined) return undefined
    // Looks back ever further until there is a fire, then halves what lies between it and the end.
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

  /** The expression in English words: `every 10 seconds`. */
  describe(): string {
    return describeFields(this.#fields)
  }

  /** The first fire of a span, both ends included. */
  #fireWithin(from: number, to: number): number | undefined {
    const repeat = this.#zone.repeatAround(from)
    // Where a repeated hour fires once, that is the second time: an answer for a time within the
    // first is Quartz's jump to the same minute of the second, and leaves out what fires before it.
    const isSilent = !this.#firesTwice && repeat !== undefined && from < repeat.at
    const found = this.#nextSecond(isSilent ? repeat.at : from)
    return found !== undefined && found <= to ? found : undefined
  }

  /** The first second that fires, not before `from`. */
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
    // Within the first time, but nothing is left of it: Quartz has passed over the second as well.
    const repeat = this.#zone.repeatAround(from)
    const isFirstTime = repeat !== undefined && from < repeat.at
    return isFirstTime ? nextFire(this.#fields, this.#zone, repeat.at) : found
  }

  /** The same time of the clock when it is shown for the first time, unless that is before `from`. */
  #firstTimeOf(second: number, from: number): number | undefined {
    const repeat = this.#zone.repeatAround(second)
    if (repeat === undefined || second < repeat.at) return undefined
    const firstTime = second - repeat.length
    return firstTime >= from ? firstTime : undefined
  }
}

/** No year before 1970 fires, and none after the last: the search need not begin further out. */
const earliestSecond = dayNumberOf(firstYear, 1, -1) * 86_400
const latestSecond = dayNumberOf(lastYear + 1, 1, 3) * 86_400

/** A fire time is a whole second, and the next one is at least the second after. */
function secondAfter(epochMillis: number): number {
  if (Number.isNaN(epochMillis)) throw new RangeError('there is no fire time after an invalid date')
  const second = Math.floor(epochMillis / 1000) + 1
  return Math.min(Math.max(second, earliestSecond), latestSecond)
}
