/** A span of years with a step; a list of years is a list of spans. */
export interface YearSpan {
  readonly from: number
  readonly to: number
  readonly step: number
}

export type YearSet = readonly YearSpan[]

export const firstYear = 1970

/**
 * The last year of the search, so that an expression that never fires is detected. Quartz stops a hundred years after
 * the start of its process; a fixed end gives the same answer at any time.
 */
export const lastYear = 2299

export const everyYear: YearSet = Object.freeze([
  Object.freeze({ from: firstYear, to: lastYear, step: 1 }),
])

/** The first year of the set at or after `year`; undefined if there is none. */
export function yearFrom(years: YearSet, year: number): number | undefined {
  let earliest: number | undefined
  for (const { from, to, step } of years) {
    const next = year <= from ? from : from + Math.ceil((year - from) / step) * step
    if (next <= to && (earliest === undefined || next < earliest)) earliest = next
  }
  return earliest !== undefined && earliest <= lastYear ? earliest : undefined
}
