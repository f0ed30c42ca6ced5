import { describe, expect, it } from 'vitest'

import { type DumpOptions, dumpDefaults, resolveDump } from '../../src/config/dump-options.ts'
import { ConfigurationError } from '../../src/errors.ts'

describe('resolveDump', () => {
  it('opens nothing, and that on the loopback, unless it is told to', () => {
    expect(resolveDump({})).toEqual(dumpDefaults)
    expect(resolveDump({ port: 0 })).toEqual({ ...dumpDefaults, port: 0 })
  })

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('%s needs no token', (host) => {
    expect(resolveDump({ port: 9888, host }).host).toBe(host)
  })

  it.each(['0.0.0.0', '::', '10.0.0.1', 'worker-1'])('%s needs a token', (host) => {
    expect(() => resolveDump({ host })).toThrow(`token: it is missing: "${host}" can be reached`)
    expect(resolveDump({ host, token: 'at-least-eight' }).host).toBe(host)
  })

  it.each([
    [{ port: -1 }, 'port: it must be a whole number from 0 to 65535, not -1'],
    [{ port: 65_536 }, 'port: it must be'],
    [{ port: '9888' }, 'port: it must be'],
    [{ host: '' }, 'host: it must be an address'],
    [{ token: 'short' }, 'token: it must have from 8 to 256 characters'],
    [{ token: 'white space' }, 'token: it must have'],
    [{ prot: 1 }, 'prot: there is no such option (did you mean "port"?)'],
  ])('refuses %j', (options, message) => {
    const resolve = (): unknown => resolveDump(options as DumpOptions)
    expect(resolve).toThrow(ConfigurationError)
    expect(resolve).toThrow(message)
  })
})
