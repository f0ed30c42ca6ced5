import { describe, expect, it } from 'vitest'

import { serverFailure, withoutStacks, ZooKeeperError } from '../src/errors.ts'
import { serverError } from '../src/jute/server-errors.ts'

describe('withoutStacks', () => {
  it('makes an error like any other that does not say where it was made', () => {
    const error = withoutStacks(() => serverFailure(serverError.NO_NODE, 'get', '/a'))
    expect(error).toBeInstanceOf(ZooKeeperError)
    expect(error).toMatchObject({ code: 'ZK_NO_NODE', path: '/a', operation: 'get' })
    expect(error.stack).not.toContain('    at ')
  })

  it('leaves other errors as they are, whatever becomes of it', () => {
    expect(() =>
      withoutStacks(() => {
        throw new RangeError('no')
      }),
    ).toThrow(RangeError)
    expect(new Error('later').stack).toContain('    at ')
  })
})
