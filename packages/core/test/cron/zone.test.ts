import { describe, expect, it } from 'vitest'

import { findZone } from '../../src/cron/zone-names.ts'
import type { Zone } from '../../src/cron/zone.ts'
import { Zone as ZoneTable } from '../../src/cron/zone.ts'

function zoneOf(name: string): Zone {
  const found = findZone(name)
  if (found === undefined) throw new Error(`no zone ${name}`)
  return found.zone
}

/** A clock's reading, or an instant, in seconds. */
function seconds(iso: string): number {
  return Date.parse(`${iso}Z`) / 1000
}

const iso = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19)

describe('Zone', () => {
  it.each([
    ['Asia/Kolkata', '2026-01-01T00:00:00', '2026-01-01T05:30:00'],
    ['America/New_York', '2026-03-08T06:59:59', '2026-03-08T01:59:59'],
    ['America/New_York', '2026-03-08T07:00:00', '2026-03-08T03:00:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59', '2026-04-05T01:59:59'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00', '2026-04-05T01:30:00'],
    ['America/Santiago', '2025-09-07T04:00:00', '2025-09-07T01:00:00'],
    ['GMT-03:30', '2026-01-01T00:00:00', '2025-12-31T20:30:00'],
  ])('in %s, %s is %s on the wall', (name, instant, wall) => {
    expect(iso(zoneOf(name).wallOf(seconds(instant)))).toBe(wall)
  })

  it('means the second one of two equal times', () => {
    const zone = zoneOf('America/New_York')
    expect(iso(zone.instantOf(seconds('2026-11-01T01:30:00')))).toBe('2026-11-01T06:30:00')
    expect(iso(zone.instantOf(seconds('2026-11-01T00:59:59')))).toBe('2026-11-01T04:59:59')
  })

  it('moves what the clock leaves out on by what it leaves out', () => {
    const zone = zoneOf('America/New_York')
    expect(iso(zone.settle(seconds('2026-03-08T02:30:00')))).toBe('2026-03-08T03:30:00')
    expect(iso(zone.settle(seconds('2026-03-08T03:00:00')))).toBe('2026-03-08T03:00:00')
    expect(iso(zone.settle(seconds('2026-03-08T01:59:59')))).toBe('2026-03-08T01:59:59')
  })

  it('tells of a repeated hour from its first beginning to its second end', () => {
    const zone = zoneOf('Australia/Lord_Howe')
    const at = seconds('2026-04-04T15:00:00')
    const repeat = { at, length: 1800 }
    expect(
      [at - 1801, at - 1800, at, at + 1799, at + 1800].map((s) => zone.repeatAround(s)),
    ).toEqual([undefined, repeat, repeat, repeat, undefined])
    expect(zone.repeatAround(seconds('2026-10-03T15:30:00'))).toBeUndefined()
  })

  it('finds two changes a week apart', () => {
    const zone = zoneOf('America/Recife')
    const walls = ['2000-10-08T02:59:59', '2000-10-08T03:00:00', '2000-10-15T02:00:00'].map(
      (instant) => iso(zone.wallOf(seconds(instant))),
    )
    expect(walls).toEqual(['2000-10-07T23:59:59', '2000-10-08T01:00:00', '2000-10-14T23:00:00'])
  })

  it('asks for offsets once only', () => {
    let asked = 0
    const zone = new ZoneTable((second) => {
      asked++
      return second < 1_000_000 ? 3600 : 7200
    })
    const look = (): number[] => [990_000, 999_999, 1_000_000, 5_000_000].map((s) => zone.wallOf(s))
    expect(look()).toEqual([993_600, 1_003_599, 1_007_200, 5_007_200])
    const before = asked
    look()
    expect(asked).toBe(before)
  })
})
