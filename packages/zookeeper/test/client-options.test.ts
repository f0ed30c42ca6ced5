import { describe, expect, it } from 'vitest'

import { resolveOptions } from '../src/client-options.ts'

describe('resolveOptions', () => {
  it('fills in the defaults', () => {
    const { session, chroot } = resolveOptions({
      servers: 'a/app',
      sessionTimeout: undefined as never,
    })
    expect(session.sessionTimeout).toBe(15_000)
    expect(session.ephemeralBytesLimit).toBe(512 * 1024)
    expect(session.leaseRequired).toBe(false)
    expect(chroot).toBe('/app')
  })

  it.each([
    [{ sessionTimeout: 0 }, 'sessionTimeout must be a positive number, not 0'],
    [{ requestTimeout: -1 }, 'requestTimeout must be a positive number, not -1'],
    [{ maxOutstanding: NaN }, 'maxOutstanding must be a positive number, not NaN'],
    [{ sessionTimeout: 2 ** 31 }, 'sessionTimeout must be at most 2147483647 ms'],
    [{ reconnect: { maxDelay: 0 } }, 'reconnect.maxDelay must be a positive number'],
    [{ lease: { abortTime: 0 } }, 'lease.abortTime must be a positive number'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveOptions({ servers: 'a', ...options })).toThrow(message)
  })

  it('raises a session timeout that is too short for the requested lease, and keeps the requested value', () => {
    const { session } = resolveOptions({ servers: 'a', sessionTimeout: 4000, lease: {} })
    expect(session).toMatchObject({ sessionTimeout: 6013, raisedFrom: 4000 })
  })

  it('does not raise a short timeout when no lease is requested', () => {
    expect(resolveOptions({ servers: 'a', sessionTimeout: 1000 }).session.sessionTimeout).toBe(1000)
  })
})
