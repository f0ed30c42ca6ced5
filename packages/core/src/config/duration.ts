/** Milliseconds as a number, or a number with a unit: `500ms`, `30s`, `5m`, `2h`, `1d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The milliseconds of a duration; NaN for any other value. A number as text is in milliseconds. */
export function millisecondsOf(value: unknown): number {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : ''
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/u.exec(text) ?? []
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (units[unit] as number))
}
