import { describe, expect, it } from 'vitest'

import { serverFailure, withoutStacks, ZooKeeperError } from '../src/errors.ts'
import { serverError } from '../src/jute/server-errors.ts'

describe('withoutStacks', () => {
  it('creates an error without a stack trace', () => {
    const error = withoutStacks(() => serverFailure(serverError.NO_NODE, 'get', '/a'))
    expect(error).toBeInstanceOf(ZooKeeperError)
    expect(error).toMatchObject({ code: 'ZK_NO_NODE', path: '/a', operation: 'get' })
    expect(error.stack).not.toContain('    at ')
  })

  it('keeps stack traces of other errors, even if the callback throws', () => {
    expect(() =>
      withoutStacks(() => {
        throw new RangeError('no')
      }),
    ).toThrow(RangeError)
    expect(new Error('later').stack).toContain('    at ')
  })
})
