import { InvalidArgumentError } from 'commander'

const units: Readonly<Record<string, number>> = Object.freeze({
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
})

/** Parses `2h` ago, or `2026-11-15T08:00`; the result needs the current time. */
export function momentOf(text: string): (now: number) => number {
  const [, count, unit] = /^(\d{1,6})(s|min|h|d)$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) {
    return (now) => now - Number(count) * (units[unit] as number)
  }
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError(
      'Write it as 30s, 10min, 2h or 7d (ago), or as 2026-11-15T08:00.',
    )
  }
  return () => time
}
