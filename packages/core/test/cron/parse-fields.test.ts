import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { CronError } from '../../src/cron/cron-error.ts'
import { parseFields } from '../../src/cron/parse-fields.ts'

/** Whatever else is thrown goes through. */
function refusalOf(expression: string): CronError | undefined {
  try {
    parseFields(expression)
  } catch (error) {
    if (error instanceof CronError) return error
    throw error
  }
  return undefined
}

function errorOf(expression: string): CronError {
  const error = refusalOf(expression)
  if (error === undefined) throw new Error(`${expression} was taken`)
  return error
}

describe('a wrong expression', () => {
  it('names the field, the character and what would be right', () => {
    const error = errorOf('0 0 25 * * ?')
    expect(error.message).toBe(
      'cron "0 0 25 * * ?": hour (field 3) has 25 at character 5; hours are 0 to 23',
    )
    expect(error).toMatchObject({
      name: 'CronError',
      code: 'JOB_CRON_INVALID',
      expression: '0 0 25 * * ?',
      field: 'hour',
      position: 5,
    })
  })

  it.each([
    ['', 'there are 0 fields; it takes second, minute, hour,'],
    ['*/5 * * * *', 'there are 5 fields; it takes second, minute,'],
    ['*/5 * * * *', '; seconds come first here'],
    ['60 * * * * ?', 'second (field 1) has 60 at character 1; seconds are 0 to 59'],
    ['5,60 * * * * ?', 'second (field 1) has 60 at character 3'],
    ['5-60 * * * * ?', 'second (field 1) has 60 at character 3'],
    ['0   0   0 32 * ?', 'day-of-month (field 4) has 32 at character 11; days are 1 to 31'],
    ['0 0 0 0W * ?', 'day-of-month (field 4) has 0 at character 7'],
    ['0 0 0 ? FOO *', '"FOO" at character 9; months are 1 to 12 or JAN to DEC'],
    [
      '0 0 0 ? JAN-X *',
      'month (field 5) has "X" after "-" at character 13; after a name it is a name',
    ],
    ['0 0 0 ? * 8', 'has 8 at character 11; days of the week are 1 to 7 or SUN to SAT'],
    ['0 0 0 ? * 6#9', 'has "9" after "#" at character 13; it takes 1 to 5'],
    ['0 0 0 ? * 6#1,2#2', 'has a second "#" at character 16; there can be one'],
    ['0 0 0 1,L * ?', 'has "L" in a list at character 9; "L" stands alone'],
    ['0 0 0 L-31 * ?', 'has L-31 at character 9; it can be L-30 at most'],
    ['0 0 0 L- * ?', 'lacks a number at character 9; one must follow "L-"'],
    ['0 5L * * * ?', 'minute (field 2) has "L" at character 4; only day-of-week takes it'],
    ['0 0/61 * * * ?', 'minute (field 2) has a step of 61 at character 5; it can be 59 at most'],
    ['0 5/ * * * ?', 'minute (field 2) lacks a number at character 5; one must follow "/"'],
    ['*/a * * * * ?', 'has "A" after "/" at character 3; it takes a number'],
    ['5/2x * * * * ?', 'has "X" after a step at character 4; nothing may follow'],
    ['( * * * * ?', 'second (field 1) has "(" at character 1; seconds are 0 to 59'],
    ['0 ? * * * ?', 'minute (field 2) has "?" at character 3; only day-of-month and day-of-week'],
    ['0 0 0 ?ab * 2', 'has "AB" after "?" at character 8; nothing may follow'],
    [', * * * * ?', 'second (field 1) has no value at character 1; every value is "*"'],
    ['0 0 L * * ?', 'hour (field 3) has no value at character 5'],
    ['0 0 0 * * *', 'are both given at characters 7 and 11; one of them must be "?"'],
    ['0 0 0 ? * ?', 'are both "?" at characters 7 and 11; one of them must say on which days'],
    ['0 0 0 * * ? 2030-2027', 'year (field 7) goes from 2030 to 2027 at character 13'],
    ['99999999999 * * * * ?', 'second (field 1) has a number at character 1; it is too large'],
  ])('%j: %s', (expression, reason) => {
    const error = errorOf(expression)
    expect(error.message).toContain(reason)
    expect(error.reason.text).toContain(reason)
    expect(error.messageParts).toMatchObject({ text: error.message, code: 'cron-invalid' })
  })

  it('is not repeated at any length', () => {
    expect(errorOf('9'.repeat(100_000)).message.length).toBeLessThan(500)
  })
})

describe('any text', () => {
  const letter = fc.constantFrom(...'0123456789*?,-/LW#+ \t\nMONJAFRI'.split(''))
  const nearly = fc
    .array(
      fc.oneof(
        fc.constantFrom('*', '?', '0', 'L', '1-5', 'MON', '0/5'),
        fc.string({ unit: letter }),
      ),
      {
        minLength: 5,
        maxLength: 8,
      },
    )
    .map((fields) => fields.join(' '))

  it.each([
    ['at all', fc.string({ unit: 'binary' })],
    ['of the letters of an expression', fc.string({ unit: letter, maxLength: 40 })],
    ['that is nearly an expression', nearly],
  ])('%s is understood, or refused with a place within it', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        // The number of fields is wrong nowhere; what is wrong with a field is wrong somewhere.
        const { field, position = field === undefined ? 1 : 0 } = refusalOf(text) ?? {}
        expect(position).toBeGreaterThan(0)
        expect(position).toBeLessThanOrEqual(text.toUpperCase().length + 1)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what Quartz takes', () => {
  it('ends a line with its fields', () => {
    expect(parseFields('0 0 12 * * ?\n').hours.values()).toEqual([12])
  })

  it('may be written in small letters', () => {
    expect(parseFields('0 0 0 ? jan mon').months.values()).toEqual([1])
  })

  it('goes over the end to the beginning', () => {
    expect(parseFields('50-10/7 0 22-2 ? NOV-FEB *').seconds.values()).toEqual([4, 50, 57])
    expect(parseFields('0 0 22-2 ? NOV-FEB *').hours.values()).toEqual([0, 1, 2, 22, 23])
    expect(parseFields('0 0 22-2 ? NOV-FEB *').months.values()).toEqual([1, 2, 11, 12])
  })
})
