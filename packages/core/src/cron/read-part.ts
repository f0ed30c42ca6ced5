import { message } from '../message.ts'
import { type CronFieldName, quoted } from './cron-error.ts'
import { all, type FieldContent, none } from './field-content.ts'
import { type FieldPart, isDigit } from './field-part.ts'
import { type FieldSpec, fieldSpecs, rangeOf } from './field-specs.ts'

/**
 * Reads the text between two commas into the content of the field. It accepts everything that Quartz accepts, which is
 * more than Quartz documents: Quartz stops reading once it has understood the beginning, so `5-8-` means `5-8`, and
 * `JANUARY` means `JAN`.
 */
export function readPart(part: FieldPart, content: FieldContent): void {
  const first = part.at(0)
  if (first === '?') readNone(part, content)
  else if (first === '*' || first === '/') readAll(part, content)
  else if (/^L(?:W|-\d*W?)?$/.test(part.text)) readLast(part, content)
  else if (first >= 'A' && first <= 'Z') readName(part, content)
  else if (isDigit(first)) readNumber(part, content)
  else throw part.error(0, message('cron-value', { value: quoted(first) }), rangeOf(part.spec))
}

/** Reads `?`. Quartz ignores one more character after it and refuses two. */
function readNone(part: FieldPart, content: FieldContent): void {
  if (part.text.length > 2) {
    throw part.error(
      1,
      message('cron-after-none', { text: quoted(part.text.slice(1)) }),
      message('cron-nothing-follows'),
    )
  }
  if (!part.spec.isDay) {
    throw part.error(0, message('cron-none'), message('cron-none-days-only'))
  }
  content.isNone = true
}

/** Reads `*`, `*` with a step, or a step alone, which means the same. */
function readAll(part: FieldPart, content: FieldContent): void {
  const slash = part.at(0) === '*' ? 1 : 0
  if (part.at(slash) !== '/') return addSpan(part, content, all, undefined, 1)
  const step = part.integerFrom(slash + 1)
  if (step === undefined) {
    const rest = part.text.slice(slash + 1)
    if (rest === '') throw part.lacksNumber(slash + 1, '"/"')
    throw part.error(
      slash + 1,
      message('cron-after-slash', { text: quoted(rest) }),
      message('cron-number-expected'),
    )
  }
  checkStep(part, step, slash + 1)
  addSpan(part, content, all, undefined, step)
}

/** Reads `L`, `LW`, `L-3` and `L-3W`. In fields other than the day fields, Quartz ignores them. */
function readLast(part: FieldPart, content: FieldContent): void {
  const { text, spec } = part
  if (spec.name === 'day-of-week') content.add(7)
  if (spec.name !== 'day-of-month') return
  if (text === 'L-') throw part.lacksNumber(2, '"L-"')
  const offset = Number(/\d+/.exec(text)?.[0] ?? 0)
  if (offset > 30)
    throw part.error(2, message('cron-last-offset', { offset }), message('cron-largest-offset'))
  content.lastDayOffset = offset
  content.isNearestWeekday = text.endsWith('W')
}

/** Reads a month or a weekday by name: `JAN`, `MON-FRI`, `FRIL`, `FRI#2`. */
function readName(part: FieldPart, content: FieldContent): void {
  const value = nameAt(part, 0)
  const mark = part.at(3)
  if (mark === '-') return addSpan(part, content, value, nameAt(part, 4), 1)
  if (part.spec.name === 'day-of-week') {
    if (mark === '#') content.nth = nthAt(part, 4)
    if (mark === 'L') content.isLastWeekday = true
  }
  content.add(value)
}

function nameAt(part: FieldPart, index: number): number {
  const name = part.text.slice(index, index + 3)
  const found = part.spec.names.indexOf(name)
  if (found !== -1) return part.spec.smallest + found
  if (index > 0)
    throw part.error(
      index,
      message('cron-after-dash', { text: quoted(name) }),
      message('cron-name-expected'),
    )
  throw part.error(index, message('cron-value', { value: quoted(part.text) }), rangeOf(part.spec))
}

/** Reads a number with its suffix: `5`, `5-8`, `5-8/2`, `5/2`, `5W`, `5L`, `5#2`. */
function readNumber(part: FieldPart, content: FieldContent): void {
  const { value, end } = part.numberAt(0, message('cron-here'))
  switch (part.at(end)) {
    case 'L':
      checkTakes(part, end, 'day-of-week')
      checkValue(part, value, 0)
      content.isLastWeekday = true
      return content.add(value)
    case 'W':
      checkTakes(part, end, 'day-of-month')
      checkValue(part, value, 0)
      content.isNearestWeekday = true
      return content.add(value)
    case '#':
      checkTakes(part, end, 'day-of-week')
      content.nth = nthAt(part, end + 1)
      return content.add(value)
    case '-':
      return readRange(part, content, value, end + 1)
    case '/':
      return readStep(part, content, value, end + 1)
    default:
      return addSpan(part, content, value, undefined, 0)
  }
}

function readRange(part: FieldPart, content: FieldContent, from: number, index: number): void {
  const { value: to, end } = part.numberAt(index, '"-"')
  const step = part.at(end) === '/' ? part.numberAt(end + 1, '"/"').value : 1
  if (from !== all && part.spec.name !== 'year' && to > part.spec.largest) {
    throw part.error(index, message('cron-value', { value: to }), rangeOf(part.spec))
  }
  addSpan(part, content, from, to, step)
}

function readStep(part: FieldPart, content: FieldContent, from: number, index: number): void {
  const { value: step, end } = part.numberAt(index, '"/"')
  // Quartz refuses text after a step of one digit, and ignores it after a step of two.
  if (end === index + 1 && end < part.text.length) {
    throw part.error(
      end,
      message('cron-after-step', { text: quoted(part.at(end)) }),
      message('cron-nothing-follows'),
    )
  }
  checkStep(part, step, index)
  addSpan(part, content, from, undefined, step)
}

/** Adds every `step`th value, up to the largest value if no end is given; a step of 0 adds one value. */
function addSpan(
  part: FieldPart,
  content: FieldContent,
  from: number,
  to: number | undefined,
  step: number,
): void {
  const { name, smallest, largest, isDay } = part.spec
  const isAll = from === all
  if (!isAll && !(isDay && from === none)) checkValue(part, from, 0)
  if (!isAll && step === 0) return content.add(from)
  const [start, end] = [isAll ? smallest : from, to ?? largest]
  if (name === 'year' && end < start) {
    throw part.error(
      0,
      message('cron-range-reversed', { start, end }),
      message('cron-years-reversed'),
    )
  }
  content.addSpan(start, end, Math.max(step, 1))
}

function checkTakes(part: FieldPart, index: number, field: CronFieldName): void {
  if (part.spec.name === field) return
  const { label } = fieldSpecs.find(({ name }) => name === field) as FieldSpec
  throw part.error(
    index,
    message('cron-value', { value: quoted(part.at(index)) }),
    message('cron-only-field', { label }),
  )
}

/** Checks the range of a value. Quartz accepts any number as a year. */
function checkValue(part: FieldPart, value: number, index: number): void {
  const { name, smallest, largest } = part.spec
  if (name === 'year' || (value >= smallest && value <= largest)) return
  throw part.error(index, message('cron-value', { value }), rangeOf(part.spec))
}

function checkStep(part: FieldPart, step: number, index: number): void {
  const { largestStep } = part.spec
  if (step <= largestStep) return
  throw part.error(
    index,
    message('cron-step', { step }),
    message('cron-largest-step', { most: largestStep }),
  )
}

function nthAt(part: FieldPart, index: number): number {
  const nth = part.integerFrom(index)
  if (nth !== undefined && nth >= 1 && nth <= 5) return nth
  throw part.error(
    index,
    message('cron-after-hash', { text: quoted(part.text.slice(index)) }),
    message('cron-nth-range'),
  )
}
