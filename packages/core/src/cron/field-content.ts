import type { FieldSpec } from './field-specs.ts'
import { SmallSet } from './small-set.ts'
import type { YearSpan } from './year-set.ts'

/**
 * Numbers with which Quartz marks `*` and `?` among the values of a field. Because they share the
 * values' room, `99` typed into an expression is `*` there, and `98` for a day is `?`.
 */
export const all = 99
export const none = 98

/** What the parts of one field add up to. */
export class FieldContent {
  readonly spec: FieldSpec
  readonly values: SmallSet = new SmallSet()
  readonly years: YearSpan[] = []
  /** There is a `?`, which outweighs all else. */
  isNone = false
  /** `L` of the day of month: how many days before the last. */
  lastDayOffset: number | undefined
  /** There is a `W`. */
  isNearestWeekday = false
  /** There is an `L` after a weekday. */
  isLastWeekday = false
  /** The number after a `#`. */
  nth: number | undefined

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  /** An empty part, as in `,`, or an `L` without a meaning there. */
  get isEmpty(): boolean {
    return (
      this.values.isEmpty &&
      this.years.length === 0 &&
      this.lastDayOffset === undefined &&
      !this.isNone
    )
  }

  /** Adds a value without asking whether there is such a one: before a `#` nobody asks. */
  add(value: number): void {
    if (this.spec.isDay && value === none) this.isNone = true
    else if (this.spec.name === 'year') this.years.push({ from: value, to: value, step: 1 })
    // A weekday that does not exist is as good as any other that does not.
    else this.values.add(Math.min(value, SmallSet.largest))
  }

  /** Adds every `step`th value. A range whose end comes first goes on at the beginning. */
  addSpan(from: number, to: number, step: number): void {
    const { name, smallest, largest } = this.spec
    if (name === 'year') {
      this.years.push({ from, to, step })
      return
    }
    const count = largest - smallest + 1
    const end = to < from ? to + count : Math.min(to, largest)
    for (let value = from; value <= end; value += step) {
      this.values.add(value > largest ? value - count : value)
    }
  }
}
