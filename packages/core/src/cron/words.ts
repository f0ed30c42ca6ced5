/** English phrases for the description of an expression. */
import type { SmallSet } from './small-set.ts'

/** The pattern that the values of a field form. */
export type Shape =
  | { readonly kind: 'every' }
  | { readonly kind: 'one'; readonly value: number }
  /** Three or more consecutive values; wraps around if `to` is smaller. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  /** Three or more values at equal distances. */
  | {
      readonly kind: 'steps'
      readonly from: number
      readonly to: number
      readonly step: number
      /** Whether the distance also holds across the wrap-around: every 10 seconds, but not every 7. */
      readonly isEven: boolean
    }
  | { readonly kind: 'list'; readonly values: readonly number[] }

/** The shape of a set of values between two bounds. */
export function shapeOf(set: SmallSet, smallest: number, largest: number): Shape {
  const values = set.values().filter((value) => value >= smallest && value <= largest)
  const count = largest - smallest + 1
  if (values.length === count) return { kind: 'every' }
  const [first = 0, second = 0] = values
  if (values.length === 1) return { kind: 'one', value: first }
  const last = values.at(-1) ?? first
  if (values.length >= 3) {
    const range = rangeOver(values, first, last, count)
    if (range !== undefined) return range
    const step = second - first
    if (values.every((value, index) => value === first + index * step)) {
      return { kind: 'steps', from: first, to: last, step, isEven: values.length * step === count }
    }
  }
  return { kind: 'list', values }
}

/** The range that the values form, if they form one; `FRI-MON` does, too. */
function rangeOver(
  values: readonly number[],
  first: number,
  last: number,
  count: number,
): Shape | undefined {
  if (last - first + 1 === values.length) return { kind: 'range', from: first, to: last }
  const gaps = values.flatMap((value, index) => {
    const next = values[index + 1]
    return next === undefined || next === value + 1 ? [] : [[value, next] as const]
  })
  const [gap] = gaps
  if (gap === undefined || gaps.length > 1 || last - first + 1 !== count) return undefined
  return { kind: 'range', from: gap[1], to: gap[0] }
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly (string | number)[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const endings = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
])
const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' })

/** `1st`, `2nd`, `31st`. */
export function ordinal(value: number): string {
  return `${value}${endings.get(ordinalRules.select(value)) ?? 'th'}`
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
