import { describe, expect, it } from 'vitest'

import { serverFailure, withoutStack, ZooKeeperError } from '../src/errors.ts'
import { serverError } from '../src/jute/server-errors.ts'

describe('withoutStack', () => {
  it('makes an error like any other that does not say where it was made', () => {
    const error = withoutStack(() => serverFailure(serverError.NO_NODE, 'get', '/a'))
    expect(error).toBeInstanceOf(ZooKeeperError)
    expect(error).toMatchObject({ code: 'ZK_NO_NODE', path: '/a', operation: 'get' })
    expect(error.stack).not.toContain('    at ')
  })

  it('leaves other errors as they are, whatever becomes of it', () => {
    expect(() =>
      withoutStack(() => {
        throw new RangeError('no')
      }),
    ).toThrow(RangeError)
    expect(new Error('later').stack).toContain('    at ')
  })
})
