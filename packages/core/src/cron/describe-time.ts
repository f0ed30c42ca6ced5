import type { CronFields } from './parse-fields.ts'
import type { SmallSet } from './small-set.ts'
import { listed, ordinal, type Shape, shapeOf, twoDigits } from './words.ts'

/** Up to this number, clock times are listed one by one. */
const mostClockTimes = 6

/** The time of the day as text, and whether it names single times. Single times need their days named. */
export interface TimeText {
  readonly text: string
  readonly isClockTime: boolean
}

export function describeTime({ seconds, minutes, hours }: CronFields): TimeText {
  const second = shapeOf(seconds, 0, 59)
  const minute = shapeOf(minutes, 0, 59)
  const hour = shapeOf(hours, 0, 23)
  if (second.kind === 'one' && minute.kind === 'one') {
    const words = describeHours(hour, minute.value, second.value)
    if (words !== undefined) return words
  }
  const clockTimes = clockTimesOf(seconds, minutes, hours, hour)
  if (clockTimes !== undefined) return { text: `at ${listed(clockTimes)}`, isClockTime: true }
  const withinHour = describeWithinHour(second, minute, hour)
  if (withinHour !== undefined) return { text: withinHour, isClockTime: false }
  const inner = describeMinutes(second, minute)
  return { text: `${inner}${duringHours(hour, inner)}`, isClockTime: false }
}

/** One time in each of the hours. */
function describeHours(hour: Shape, minute: number, second: number): TimeText | undefined {
  const clock = (value: number): string => clockTime(value, minute, second)
  switch (hour.kind) {
    case 'every': {
      if (minute === 0 && second === 0) return { text: 'every hour', isClockTime: false }
      const seconds = second === 0 ? '' : ` and second ${second}`
      return { text: `at minute ${minute}${seconds} of every hour`, isClockTime: false }
    }
    case 'range':
      return {
        text: `every hour from ${clock(hour.from)} to ${clock(hour.to)}`,
        isClockTime: false,
      }
    case 'steps': {
      const every = `every ${hour.step} hours`
      if (hour.isEven && hour.from === 0 && minute === 0 && second === 0) {
        return { text: every, isClockTime: false }
      }
      const end = hour.isEven ? '' : ` to ${clock(hour.to)}`
      return { text: `${every} from ${clock(hour.from)}${end}`, isClockTime: false }
    }
    case 'one':
      return { text: `at ${clock(hour.value)}`, isClockTime: true }
    case 'list':
      return { text: `at ${listed(hour.values.map(clock))}`, isClockTime: true }
  }
}

/** All times of a day, if they are few and do not form a range, which reads better as a range. */
function clockTimesOf(
  seconds: SmallSet,
  minutes: SmallSet,
  hours: SmallSet,
  hour: Shape,
): string[] | undefined {
  if (hour.kind === 'every') return undefined
  const all = [seconds.values(), minutes.values(), hours.values()] as const
  const [allSeconds, allMinutes, allHours] = all
  if (all.reduce((product, { length }) => product * length, 1) > mostClockTimes) return undefined
  return allHours.flatMap((h) =>
    allMinutes.flatMap((m) => allSeconds.map((s) => clockTime(h, m, s))),
  )
}

function clockTime(hour: number, minute: number, second: number): string {
  return [hour, minute, second].map(twoDigits).join(':')
}

/** A part of one hour: `every second from 12:00:00 to 12:00:59`. */
function describeWithinHour(second: Shape, minute: Shape, hour: Shape): string | undefined {
  if (hour.kind !== 'one' || (minute.kind !== 'one' && minute.kind !== 'range')) return undefined
  const [from, to] = minute.kind === 'one' ? [minute.value, minute.value] : [minute.from, minute.to]
  const isOnTheMinute = second.kind === 'one' && second.value === 0
  const isRegular = second.kind === 'every' || (second.kind === 'steps' && second.isEven)
  if (from > to || !(isOnTheMinute || isRegular)) return undefined
  const every = isOnTheMinute ? 'every minute' : each('second', second)
  const lastSecond = isOnTheMinute ? 0 : 59
  return `${every} from ${clockTime(hour.value, from, 0)} to ${clockTime(hour.value, to, lastSecond)}`
}

/** The times within each of the hours. */
function describeMinutes(second: Shape, minute: Shape): string {
  if (second.kind === 'one') {
    if (minute.kind === 'every') {
      return second.value === 0 ? 'every minute' : `at second ${second.value} of every minute`
    }
    const seconds = second.value === 0 ? '' : `, at second ${second.value}`
    return `${each('minute', minute)}${seconds}`
  }
  const seconds = each('second', second)
  if (minute.kind === 'every') {
    const isPart = seconds.startsWith('at ') || seconds.includes(' from ')
    return isPart ? `${seconds} of every minute` : seconds
  }
  if (minute.kind === 'steps' && minute.isEven && minute.from === 0) {
    return `${seconds} during every ${ordinal(minute.step)} minute`
  }
  return `${seconds} during ${valuesOf('minute', minute)}`
}

/** `every 10 minutes`, `every minute from 10 to 20`, `at minutes 5 and 7`. */
function each(unit: string, shape: Shape): string {
  switch (shape.kind) {
    case 'every':
      return `every ${unit}`
    case 'range':
      return `every ${unit} from ${shape.from} to ${shape.to}`
    case 'steps': {
      const every = `every ${shape.step} ${unit}s`
      if (!shape.isEven) return `${every} from ${unit} ${shape.from} to ${shape.to}`
      return shape.from === 0 ? every : `${every} from ${unit} ${shape.from}`
    }
    case 'one':
    case 'list':
      return `at ${valuesOf(unit, shape)}`
  }
}

/** `minute 5`, `minutes 5 to 7`, `minutes 0, 20 and 40`. */
function valuesOf(unit: string, shape: Exclude<Shape, { kind: 'every' }>): string {
  switch (shape.kind) {
    case 'one':
      return `${unit} ${shape.value}`
    case 'range':
      return `${unit}s ${shape.from} to ${shape.to}`
    case 'steps':
      return `${unit}s ${listed(stepsOf(shape))}`
    case 'list':
      return `${unit}s ${listed(shape.values)}`
  }
}

function stepsOf({ from, to, step }: { from: number; to: number; step: number }): number[] {
  return Array.from(
    { length: Math.floor((to - from) / step) + 1 },
    (_, index) => from + index * step,
  )
}

/** The hours; "of every hour" is omitted where the text is clear without it. */
function duringHours(hour: Shape, inner: string): string {
  switch (hour.kind) {
    case 'every':
      return /^at minute| from minute |^every minute from | during /.test(inner)
        ? ' of every hour'
        : ''
    case 'one':
      return ` ${span(hour.value, hour.value)}`
    case 'range':
      return ` ${span(hour.from, hour.to)}`
    case 'steps':
      return hour.isEven && hour.from === 0
        ? ` in every ${ordinal(hour.step)} hour`
        : ` in the hours ${listed(stepsOf(hour))}`
    case 'list':
      return hour.values.length > 3
        ? ` in the hours ${listed(hour.values)}`
        : ` ${listed(hour.values.map((value) => span(value, value)))}`
  }
}

function span(from: number, to: number): string {
  return `from ${twoDigits(from)}:00 to ${twoDigits(to)}:59`
}
