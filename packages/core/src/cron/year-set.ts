/** Years in steps; a list of years is a list of these. */
export interface YearSpan {
  readonly from: number
  readonly to: number
  readonly step: number
}

export type YearSet = readonly YearSpan[]

export const firstYear = 1970

/**
 * Where the search ends, so that an expression which never fires is found out. Quartz ends a hundred
 * years after the start of its process; an end that does not move gives one answer to one question.
 */
export const lastYear = 2299

export const everyYear: YearSet = Object.freeze([
  Object.freeze({ from: firstYear, to: lastYear, step: 1 }),
])

/** The first year of the set that is not before a year, if there is one. */
export function yearFrom(years: YearSet, year: number): number | undefined {
  let earliest: number | undefined
  for (const { from, to, step } of years) {
    const next = year <= from ? from : from + Math.ceil((year - from) / step) * step
    if (next <= to && (earliest === undefined || next < earliest)) earliest = next
  }
  return earliest !== undefined && earliest <= lastYear ? earliest : undefined
}
