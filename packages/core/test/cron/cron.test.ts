import { describe, expect, it } from 'vitest'

import { type Cron, parseCron } from '../../src/cron/cron.ts'
import { CronError } from '../../src/cron/cron-error.ts'

function fires(cron: Cron, after: string, count: number): string[] {
  return cron.preview(new Date(after), count).map((time) => time.toISOString().slice(0, 19))
}

describe('parseCron', () => {
  it('keeps what it was given', () => {
    const cron = parseCron('0 0 12 ? * wed', { timeZone: 'GMT+08:00' })
    expect(cron).toMatchObject({ expression: '0 0 12 ? * wed', timeZone: 'GMT+08:00' })
  })

  it('takes the zone of the process without one', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(parseCron('0 0 12 * * ?').timeZone).toBe(timeZone)
  })

  it('refuses a zone that nobody knows', () => {
    expect(() => parseCron('0 0 12 * * ?', { timeZone: 'Europe/Atlantis' })).toThrow(
      'cron "0 0 12 * * ?": nobody knows the time zone "Europe/Atlantis"; take an IANA name',
    )
  })

  it('refuses what is not a string', () => {
    expect(() => parseCron(undefined as unknown as string)).toThrow(CronError)
  })
})

describe('next', () => {
  const cron = parseCron('0 15 10 * * ?', { timeZone: 'UTC' })

  it('is later than the date asked with, to the millisecond', () => {
    expect(fires(cron, '2026-05-01T10:14:59.999Z', 1)).toEqual(['2026-05-01T10:15:00'])
    expect(fires(cron, '2026-05-01T10:15:00.000Z', 1)).toEqual(['2026-05-02T10:15:00'])
  })

  it('is in 1970 for every date before', () => {
    for (const after of [-1, -1e12, -8.64e15]) {
      expect(cron.next(new Date(after))).toEqual(new Date('1970-01-01T10:15:00Z'))
    }
  })

  it('is null after 2299', () => {
    expect(cron.next(new Date('2299-12-31T10:14:59Z'))).toEqual(new Date('2299-12-31T10:15:00Z'))
    expect(cron.next(new Date('2299-12-31T10:15:00Z'))).toBeNull()
    expect(cron.next(new Date(8.64e15))).toBeNull()
  })

  it('refuses a date that is none', () => {
    expect(() => cron.next(new Date(Number.NaN))).toThrow(RangeError)
  })

  it('finds 31W of November in the year in which 1 December is a Saturday', () => {
    const rare = parseCron('0 0 12 31W NOV ?', { timeZone: 'UTC', strict: true })
    expect(fires(rare, '2026-01-01T00:00:00Z', 1)).toEqual(['2029-11-30T12:00:00'])
  })
})

describe('preview', () => {
  it('gives so many, or fewer where it ends', () => {
    const cron = parseCron('0 0 0 1 1 ? 2027-2029', { timeZone: 'UTC' })
    expect(fires(cron, '2026-01-01T00:00:00Z', 2)).toEqual([
      '2027-01-01T00:00:00',
      '2028-01-01T00:00:00',
    ])
    expect(fires(cron, '2026-01-01T00:00:00Z', 9)).toHaveLength(3)
    expect(fires(cron, '2026-01-01T00:00:00Z', 0)).toEqual([])
  })
})

/** 2 November 2025, New York: 01:00 to 02:00 is shown twice, the second time from 06:00 UTC. */
describe('while the clock shows an hour for the second time', () => {
  const timeZone = 'America/New_York'

  it('an expression for every hour fires both times', () => {
    const cron = parseCron('0 0/30 * * * ?', { timeZone })
    expect(fires(cron, '2025-11-02T04:30:00Z', 5)).toEqual([
      '2025-11-02T05:00:00',
      '2025-11-02T05:30:00',
      '2025-11-02T06:00:00',
      '2025-11-02T06:30:00',
      '2025-11-02T07:00:00',
    ])
  })

  it('Quartz is silent the first time, and so is strict', () => {
    const cron = parseCron('0 0/30 * * * ?', { timeZone, strict: true })
    expect(fires(cron, '2025-11-02T04:30:00Z', 3)).toEqual([
      '2025-11-02T06:00:00',
      '2025-11-02T06:30:00',
      '2025-11-02T07:00:00',
    ])
  })

  it('0-23 is every hour, too, and 1-23 is not', () => {
    const next = (hours: string): string[] =>
      fires(parseCron(`0 0 ${hours} * * ?`, { timeZone }), '2025-11-02T04:30:00Z', 1)
    expect(next('0-23')).toEqual(['2025-11-02T05:00:00'])
    expect(next('1-23')).toEqual(['2025-11-02T06:00:00'])
  })

  it.each([true, false])('a fixed hour fires once, the second time (strict: %s)', (strict) => {
    const cron = parseCron('0 30 1 * * ?', { timeZone, strict })
    expect(fires(cron, '2025-11-01T12:00:00Z', 2)).toEqual([
      '2025-11-02T06:30:00',
      '2025-11-03T06:30:00',
    ])
  })

  it('goes on with the beginning of the second time after the end of the first', () => {
    const cron = parseCron('0 10 * * * ?', { timeZone })
    expect(fires(cron, '2025-11-02T05:30:00Z', 2)).toEqual([
      '2025-11-02T06:10:00',
      '2025-11-02T07:10:00',
    ])
  })

  it('fires both times though nothing else is left', () => {
    const cron = parseCron('0 10 * 2 11 ? 2025', { timeZone })
    expect(fires(cron, '2025-11-03T04:09:59Z', 2)).toEqual(['2025-11-03T04:10:00'])
    expect(fires(cron, '2025-11-02T05:09:59Z', 2)).toEqual([
      '2025-11-02T05:10:00',
      '2025-11-02T06:10:00',
    ])
  })

  it('half an hour is repeated on Lord Howe', () => {
    const cron = parseCron('0 0/15 * * * ?', { timeZone: 'Australia/Lord_Howe' })
    expect(fires(cron, '2026-04-04T14:15:00Z', 5)).toEqual([
      '2026-04-04T14:30:00',
      '2026-04-04T14:45:00',
      '2026-04-04T15:00:00',
      '2026-04-04T15:15:00',
      '2026-04-04T15:30:00',
    ])
  })
})

describe('latestAtOrBefore', () => {
  const at = (iso: string): number => Date.parse(iso)
  const cron = parseCron('0/5 * * * * ?', { timeZone: 'Europe/Berlin' })

  it('includes the end and leaves out the beginning', () => {
    const end = at('2026-05-01T10:00:05Z')
    expect(cron.latestAtOrBefore(end, end - 25_000)).toBe(end)
    expect(cron.latestAtOrBefore(end - 1, end - 25_000)).toBe(end - 5000)
    expect(cron.latestAtOrBefore(end + 4999, end - 25_000)).toBe(end)
    expect(cron.latestAtOrBefore(end, end)).toBeUndefined()
    expect(cron.latestAtOrBefore(end + 4999, end)).toBeUndefined()
    expect(cron.latestAtOrBefore(end - 10_000, end)).toBeUndefined()
  })

  it('asks seldom, however many fires there are', () => {
    const end = at('2026-05-01T10:00:03Z')
    expect(cron.latestAtOrBefore(end, end - 86_400_000)).toBe(end - 3000)
    const daily = parseCron('0 0 0 * * ?', { timeZone: 'UTC' })
    expect(daily.latestAtOrBefore(end, end - 86_400_000)).toBe(at('2026-05-01T00:00:00Z'))
    expect(daily.latestAtOrBefore(end, 0)).toBe(at('2026-05-01T00:00:00Z'))
  })

  it.each([true, false])('sees through a repeated hour (strict: %s)', (strict) => {
    const fixed = parseCron('0 10,40 1 * * ?', { timeZone: 'America/New_York', strict })
    const latest = (end: string, from: string): string | undefined => {
      const time = fixed.latestAtOrBefore(at(end), at(from))
      return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16)
    }
    expect(latest('2025-11-02T06:15:00Z', '2025-11-02T05:30:00Z')).toBe('2025-11-02T06:10')
    expect(latest('2025-11-02T05:59:00Z', '2025-11-02T04:30:00Z')).toBeUndefined()
    expect(latest('2025-11-02T08:00:00Z', '2025-11-02T00:00:00Z')).toBe('2025-11-02T06:40')
  })
})
