import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'

/** Settings of a job that Java does not know, and those of a job type: strings by name. */
export type Props = Readonly<Record<string, string>>

/** An integer property. */
export interface IntegerProp {
  readonly key: string
  readonly least: number
  /**
   * @default 2147483647
   */
  readonly most?: number
  readonly byDefault: number
}

const largest = 2 ** 31 - 1

export function problemsOfInteger(
  props: Props,
  { key, least, most = largest }: IntegerProp,
): readonly Problem[] {
  const text = props[key]
  if (text === undefined || text === '') return []
  const value = Number(text)
  if (/^\s*[+-]?\d+\s*$/.test(text) && value >= least && value <= most) return []
  return [problem(key, message('number-out-of-range', { least, most, text }))]
}

/** The value in properties without problems; call `problemsOfInteger` first. */
export function integerOf(props: Props, { key, byDefault }: IntegerProp): number {
  const text = props[key]
  return text === undefined || text === '' ? byDefault : Number(text)
}

/** Integer properties, by their names in the code. */
export type IntegerProps<Name extends string> = Readonly<Record<Name, IntegerProp>>

export function problemsOfIntegers(props: Props, those: IntegerProps<string>): readonly Problem[] {
  return Object.values(those).flatMap((prop) => problemsOfInteger(props, prop))
}

/** The values in properties without problems; call `problemsOfIntegers` first. */
export function integersOf<Name extends string>(
  props: Props,
  those: IntegerProps<Name>,
): Record<Name, number> {
  const entries = Object.entries<IntegerProp>(those)
  return Object.fromEntries(
    entries.map(([name, prop]) => [name, integerOf(props, prop)]),
  ) as Record<Name, number>
}

export function problemsOfRequired(props: Props, key: string): readonly Problem[] {
  return (props[key] ?? '').trim() === '' ? [{ key, message: 'is required' }] : []
}
