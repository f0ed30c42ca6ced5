import { describe, expect, test } from 'vitest'

import { errorTextOf } from '../../src/notification/error-text.ts'

describe('errorTextOf', () => {
  test('contains name, message and stack', () => {
    const error = new TypeError('not a function')
    expect(errorTextOf(error)).toEqual({
      name: 'TypeError',
      message: 'not a function',
      stack: error.stack,
    })
  })

  test('contains the stacks of the causes', () => {
    const root = new Error('connection refused')
    const error = new Error('cannot read orders', { cause: root })
    expect(errorTextOf(error).stack).toBe(`${error.stack}\nCaused by: ${root.stack}`)
    expect(errorTextOf(new Error('no', { cause: 'a word' })).stack).toMatch(/\nCaused by: a word$/)
  })

  test('ends for circular causes', () => {
    const error = new Error('chicken')
    error.cause = new Error('egg', { cause: error })
    expect(errorTextOf(error).stack.match(/Caused by: /g)).toHaveLength(5)
  })

  test('contains the errors of an AggregateError', () => {
    const error = new AggregateError([new RangeError('one'), 'two'], 'all failed')
    expect(errorTextOf(error).stack).toMatch(/\n {2}- RangeError: one\n {2}- two$/)
  })

  test('limits the length', () => {
    const { message, stack } = errorTextOf(new Error('x'.repeat(1_000_000)))
    expect(message.length).toBeLessThan(2_000)
    expect(stack.length).toBeLessThan(10_000)
  })
})

test.for([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [{ code: 5 }, '{ code: 5 }'],
  [Object.create(null), '[Object: null prototype] {}'],
] as const)('anything may be thrown: %s', ([thrown, message]) => {
  expect(errorTextOf(thrown)).toMatchObject({ message, stack: message })
})

test('errorTextOf masks credentials in messages and causes', () => {
  const cause = new Error('login postgresql://me:planted@db/x failed')
  const text = errorTextOf(new Error('no mysql://me:planted@db/x', { cause }))
  expect(JSON.stringify(text)).not.toContain('planted')
  expect(text.message).toBe('no mysql://******@db/x')
})
