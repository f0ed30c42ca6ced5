import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import { dayFrom, nearestWeekdayIn } from '../../src/cron/day-rule.ts'
import { type CronFields, parseFields } from '../../src/cron/parse-fields.ts'
import { yearFrom } from '../../src/cron/year-set.ts'

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** One part of a field, then several. */
function field(smallest: number, largest: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: smallest, max: largest })
  const step = fc.integer({ min: 1, max: Math.min(largest, 20) })
  const part = fc.oneof(
    value.map(String),
    fc.tuple(value, value).map(([from, to]) => `${from}-${to}`),
    fc.tuple(value, value, step).map(([from, to, by]) => `${from}-${to}/${by}`),
    fc.tuple(value, step).map(([from, by]) => `${from}/${by}`),
    step.map((by) => `*/${by}`),
    fc.constant('*'),
  )
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','))
}

/**
 * The days from 29 on are left out before a `W`: whether a short month fires depends on the month in
 * which the search began (docs/cron.md), so that nothing holds for these that holds for all others.
 */
const days = fc.oneof(
  field(1, 31).map((text) => [text, '?'] as const),
  fc.constantFrom('L', 'LW', 'L-3', 'L-5W').map((text) => [text, '?'] as const),
  fc.integer({ min: 1, max: 28 }).map((day) => [`${day}W`, '?'] as const),
  field(1, 7).map((text) => ['?', text] as const),
  fc.constantFrom(...weekdays).map((name) => ['?', `${name}L`] as const),
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 4 }))
    .map(([day, nth]) => ['?', `${day}#${nth}`] as const),
)

const expressions = fc
  .tuple(field(0, 59), field(0, 59), field(0, 23), days, field(1, 12))
  .map(([second, minute, hour, [day, weekday], month]) =>
    [second, minute, hour, day, month, weekday].join(' '),
  )

/**
 * None in which the clock leaves out 23:00 or begins to leave out within an hour: there Quartz, and so
 * we, miss a day or the rest of that hour (docs/cron.md).
 */
const zones = fc.constantFrom(
  'UTC',
  'GMT+08:00',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Santiago',
  'America/Havana',
  'Pacific/Auckland',
)

/** The changes of the clock in these zones lie in these months; the second is a whole one. */
const seconds = fc
  .oneof(
    fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) }),
    fc.integer({ min: Date.UTC(2025, 2, 28), max: Date.UTC(2025, 3, 7) }),
    fc.integer({ min: Date.UTC(2025, 9, 25), max: Date.UTC(2025, 10, 3) }),
  )
  .map((millis) => Math.floor(millis / 1000))

interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clock on the wall shows, by `Intl` alone. */
function wallAt(second: number, zone: string): Wall {
  let format = formats.get(zone)
  if (format === undefined) {
    const timeZone = zone === 'GMT+08:00' ? 'Etc/GMT-8' : zone
    const numeric = 'numeric'
    const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' } as const
    const date = { year: numeric, month: numeric, day: numeric } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone, ...date, ...time })
    formats.set(zone, format)
  }
  const parts = format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)])
  return Object.fromEntries(parts) as Wall
}

function matches(fields: CronFields, wall: Wall): boolean {
  const { year, month, day } = wall
  const rule = fields.dayRule
  const isDay =
    rule.kind === 'nearest' || rule.kind === 'nearest-to-last'
      ? nearestWeekdayIn(rule, year, month) === day
      : dayFrom(rule, year, month, day) === day
  return (
    isDay &&
    fields.seconds.has(wall.second) &&
    fields.minutes.has(wall.minute) &&
    fields.hours.has(wall.hour) &&
    fields.months.has(month) &&
    yearFrom(fields.years, year) === year
  )
}

/** Whether the clock will show the same again within three hours. */
function isShownAgain(second: number, zone: string): boolean {
  const shown = JSON.stringify(wallAt(second, zone))
  return [1800, 3600, 7200].some((later) => JSON.stringify(wallAt(second + later, zone)) === shown)
}

function isEveryHour({ hours }: CronFields): boolean {
  return hours.values().length === 24
}

describe('next', () => {
  it('is later than what it was asked with, and at a time that the fields name', () => {
    fc.assert(
      fc.property(expressions, zones, seconds, fc.boolean(), (text, timeZone, after, strict) => {
        const next = parseCron(text, { timeZone, strict }).nextAfter(after * 1000)
        if (next === undefined) return
        expect(next).toBeGreaterThan(after * 1000)
        expect(matches(parseFields(text), wallAt(next / 1000, timeZone))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves out nothing but the first of two equal times of a fixed hour', () => {
    fc.assert(
      fc.property(expressions, zones, seconds, (text, timeZone, after) => {
        const fields = parseFields(text)
        // Asked within the first of two equal hours, Quartz goes to the same minute of the second.
        fc.pre(isEveryHour(fields) || !isShownAgain(after, timeZone))
        const next = parseCron(text, { timeZone }).nextAfter(after * 1000) ?? Infinity
        for (let second = after + 1; second < Math.min(next / 1000, after + 600); second++) {
          if (!matches(fields, wallAt(second, timeZone))) continue
          expect(!isEveryHour(fields) && isShownAgain(second, timeZone)).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('does not go back when time goes on', () => {
    const spans = fc.oneof(fc.nat({ max: 7200 }), fc.nat({ max: 90 * 86_400 }))
    fc.assert(
      fc.property(expressions, zones, seconds, spans, (text, timeZone, after, span) => {
        fc.pre(isEveryHour(parseFields(text)) || !isShownAgain(after, timeZone))
        const cron = parseCron(text, { timeZone })
        const [early, late] = [after, after + span].map(
          (second) => cron.nextAfter(second * 1000) ?? Infinity,
        )
        expect(late).toBeGreaterThanOrEqual(early ?? 0)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('latestAtOrBefore', () => {
  it('is the last of the fires in between', () => {
    const spans = fc.nat({ max: 7200 })
    fc.assert(
      fc.property(expressions, zones, seconds, spans, (text, timeZone, from, span) => {
        fc.pre(isEveryHour(parseFields(text)) || !isShownAgain(from, timeZone))
        const cron = parseCron(text, { timeZone })
        const [start, end] = [from * 1000, (from + span) * 1000]
        let last: number | undefined
        for (let time = cron.nextAfter(start); time !== undefined && time <= end;) {
          last = time
          time = cron.nextAfter(time)
        }
        expect(cron.latestAtOrBefore(end, start)).toBe(last)
      }),
      { numRuns: 500 },
    )
  })
})
