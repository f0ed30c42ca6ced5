import type { FieldSpec } from './field-specs.ts'
import { SmallSet } from './small-set.ts'
import type { YearSpan } from './year-set.ts'

/**
 * The numbers that Quartz uses for `*` and `?` among the values of a field. They share the range of the values, so `99`
 * in an expression means `*` in Quartz, and `98` in a day field means `?`.
 */
export const all = 99
export const none = 98

/** The combined parts of one field. */
export class FieldContent {
  readonly spec: FieldSpec
  readonly values: SmallSet = new SmallSet()
  readonly years: YearSpan[] = []
  /** Whether the field contains a `?`, which overrides everything else. */
  isNone = false
  /** `L` in the day of month: the number of days before the last. */
  lastDayOffset: number | undefined
  /** Whether the field contains a `W`. */
  isNearestWeekday = false
  /** Whether the field contains an `L` after a weekday. */
  isLastWeekday = false
  /** The number after a `#`. */
  nth: number | undefined

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  /** Whether the field has no value: an empty part, as in `,`, or an `L` that has no meaning in this field. */
  get isEmpty(): boolean {
    return (
      this.values.isEmpty &&
      this.years.length === 0 &&
      this.lastDayOffset === undefined &&
      !this.isNone
    )
  }

  /** Adds a value without a range check: Quartz does not check the value before a `#`. */
  add(value: number): void {
    if (this.spec.isDay && value === none) this.isNone = true
    else if (this.spec.name === 'year') this.years.push({ from: value, to: value, step: 1 })
    // Weekdays that do not exist are all equivalent, so the value can be clamped.
    else this.values.add(Math.min(value, SmallSet.largest))
  }

  /** Adds every `step`th value. A range whose end is before its start wraps around. */
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
