import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isElasticJobError } from '../src/errors.ts'
import { errorFromData, errorToData } from '../src/job-types/worker/error-data.ts'
import { isRegistryError } from '../src/registry/registry-error.ts'
import { detailsOf, messageOf, stackOf, summaryOf } from '../src/thrown.ts'
import { hostile } from './support/hostile.ts'

/** Makers, for the generator itself looks into what it generates. */
const anything = fc.oneof(
  fc.constantFrom(...Object.values(hostile)),
  fc.anything({ withNullPrototype: true, withBigInt: true }).map((value) => () => value),
)
const anyError = fc
  .record({ message: anything, name: anything, stack: anything, code: anything, cause: anything })
  .map((makers) => () => {
    const made = Object.entries(makers).map(([key, make]) => [key, make()] as const)
    return Object.assign(new Error('replaced'), Object.fromEntries(made))
  })

describe.each(Object.entries(hostile))('%s', (_, make) => {
  it.each([messageOf, summaryOf, stackOf])('has a text: %o', (show) => {
    expect(show(make())).toBeTypeOf('string')
  })

  it('is told apart from the errors of the packages', () => {
    expect([isElasticJobError(make()), isRegistryError(make())]).toEqual([false, false])
  })

  it('can be sent to another thread', () => {
    const data = structuredClone(errorToData(make()))
    expect(errorFromData(data)).toBeInstanceOf(Error)
  })
})

it('messageOf, summaryOf and stackOf give a text for whatever is thrown', () => {
  fc.assert(
    fc.property(fc.oneof(anything, anyError), (make) => {
      const thrown = make()
      for (const show of [messageOf, summaryOf, stackOf]) expect(show(thrown)).toBeTypeOf('string')
      const { name, message } = detailsOf(thrown)
      expect([typeof name, typeof message]).toEqual(['string', 'string'])
      structuredClone(errorToData(thrown))
    }),
  )
})

it('an error keeps its name, message, stack and code', () => {
  const error = Object.assign(new TypeError('wrong'), { code: 'E_WRONG' })
  expect(messageOf(error)).toBe('wrong')
  expect(summaryOf(error)).toBe('TypeError: wrong')
  expect(stackOf(error)).toBe(error.stack)
  expect(detailsOf(error)).toMatchObject({ isError: true, code: 'E_WRONG' })
})

it('an error without a message is told by its code or its name', () => {
  expect(messageOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe(
    'ECONNREFUSED',
  )
  expect(messageOf(new RangeError())).toBe('RangeError')
})

it('what is no error is told by its text', () => {
  expect([messageOf('gone'), messageOf(7), messageOf(undefined)]).toEqual([
    'gone',
    '7',
    'undefined',
  ])
  expect(messageOf(Object.assign(Object.create(null), { a: 1 }))).toContain('a: 1')
})
