import { describe, expect, it } from 'vitest'

import type { RegistryOptions } from '../../src/config/registry-options.ts'
import { resolveRegistry } from '../../src/config/resolve-registry.ts'
import { ConfigurationError, isElasticJobError } from '../../src/errors.ts'
import { connect } from '../../src/registry/connect.ts'

const least = { servers: 'zk:2181', namespace: 'shop' }

describe('resolveRegistry', () => {
  it('fills in what is left out', () => {
    expect(resolveRegistry(least)).toEqual({
      servers: 'zk:2181',
      namespace: 'shop',
      baseSleepTimeMilliseconds: 1000,
      maxSleepTimeMilliseconds: 3000,
      maxRetries: 3,
      sessionTimeoutMilliseconds: 15_000,
      connectionTimeoutMilliseconds: 15_000,
      digest: undefined,
      sasl: undefined,
      tls: undefined,
      serverTickTime: 2000,
      abortTime: 1000,
      localPropertiesPath: undefined,
      localPropertiesOverwrite: false,
    })
  })

  it.each(['me:planted@zk:2181', 'zk:2181,me:pl@nted@zk:2181', 'me:planted/x@zk:2181'])(
    'repeats nothing of credentials in the list %j',
    async (servers) => {
      const attempt = async (): Promise<unknown> =>
        connect(resolveRegistry({ ...least, servers, connectionTimeoutMilliseconds: 100 }), {})
      const error = (await attempt().catch((thrown: unknown) => thrown)) as Error
      expect(error).toBeInstanceOf(Error)
      expect(error.message).toContain('"@"')
      expect(error.message).not.toMatch(/planted|nted|me:/)
    },
  )

  it('takes durations as text', () => {
    const { abortTime, serverTickTime } = resolveRegistry({ ...least, abortTime: '2s' })
    expect({ abortTime, serverTickTime }).toEqual({ abortTime: 2000, serverTickTime: 2000 })
  })

  it("takes a list of servers, and Java's name for them", () => {
    expect(resolveRegistry({ ...least, servers: ['a:1', ' b:2 ', ''] }).servers).toBe('a:1,b:2')
    expect(resolveRegistry({ serverLists: 'a:1,b:2', namespace: 'shop' }).servers).toBe('a:1,b:2')
  })

  it("takes 0 for the default of the timeouts, as Java does, and undefined for any option's", () => {
    const resolved = resolveRegistry({
      ...least,
      sessionTimeoutMilliseconds: 0,
      connectionTimeoutMilliseconds: 0,
      maxRetries: undefined,
      tls: undefined,
    })
    expect(resolved).toEqual(resolveRegistry(least))
  })

  it('takes a user for SASL, and nothing else in its place', () => {
    const sasl = { username: 'bob', password: 'secret' }
    expect(resolveRegistry({ ...least, sasl }).sasl).toEqual(sasl)
    const wrong = [
      'bob:secret',
      { username: 'bob' },
      { username: '', password: 'secret' },
      { username: 'bob', password: 1 },
    ]
    for (const value of wrong) {
      const options = { ...least, sasl: value as unknown as typeof sasl }
      expect(() => resolveRegistry(options)).toThrow('sasl: it must be a username and a password')
    }
    const misspelt = { ...least, sasl: { ...sasl, passwort: 'x' } }
    expect(() => resolveRegistry(misspelt)).toThrow(
      'there is no "passwort" in it (did you mean "password"?)',
    )
  })

  it('takes TLS as a flag or as options', () => {
    const ca = 'certificate'
    expect(resolveRegistry({ ...least, tls: true }).tls).toEqual({})
    expect(resolveRegistry({ ...least, tls: false }).tls).toBeUndefined()
    expect(resolveRegistry({ ...least, tls: { ca } }).tls).toEqual({ ca })
  })

  it.each([{}, { servers: '' }, { servers: ' ' }, { servers: [] }, { serverLists: '' }])(
    'tells whoever has no registry (%j) how to start one',
    (options) => {
      const resolve = (): unknown => resolveRegistry({ namespace: 'shop', ...options })
      expect(resolve).toThrow(/@elasticjob\/zookeeper-server/)
      expect(resolve).toThrow(/const server = await startServer\(\{ port: 2181 \}\)/)
      expect(resolve).toThrow(
        expect.toSatisfy((error) => isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')),
      )
    },
  )

  it.each([
    [{ namespace: '' }, 'namespace: it must be the name of a node'],
    [{ namespace: undefined }, 'namespace: it is missing'],
    [{ namespace: '/shop' }, 'namespace: it begins with "/"'],
    [{ namespace: 'shop/' }, 'namespace: it cannot be the name of a node'],
    [{ namespace: 'a\u0001' }, 'U+0001'],
    [{ namespace: 'shop.state' }, 'namespace: it ends in ".state"'],
    [{ servers: 5 }, 'servers: it must be a text such as "127.0.0.1:2181", or a list'],
    [{ servers: 'a', serverLists: 'b' }, 'serverLists: it is another name for servers'],
    [{ servers: undefined, serverLists: [] }, 'serverLists: it must be a text'],
    [{ maxRetries: -1 }, 'maxRetries: it must be a whole number from 0 on, not -1'],
    [
      { baseSleepTimeMilliseconds: 0 },
      'baseSleepTimeMilliseconds: it must be a whole number from 1',
    ],
    [{ sessionTimeoutMilliseconds: 1.5 }, 'sessionTimeoutMilliseconds: it must be'],
    [{ abortTime: 'soon' }, 'abortTime: it must be a whole number from 1 on, not soon'],
    [{ digest: 'user' }, 'digest: it must be name:password'],
    [{ tls: 'yes' }, 'tls: it must be true, false'],
    [{ localPropertiesPath: '' }, 'localPropertiesPath: it must be the path of a file'],
    [
      { localPropertiesOverwrite: true },
      'localPropertiesOverwrite: it needs localPropertiesPath, which is missing',
    ],
    [
      { localPropertiesOverwrite: 'yes', localPropertiesPath: 'a' },
      'localPropertiesOverwrite: it must be true or false',
    ],
    [{ overwrite: true }, 'overwrite: a job has this option; for a file of properties it is'],
    [{ nameSpace: 'x' }, 'nameSpace: there is no such option (did you mean "namespace"?)'],
  ])('refuses %j', (options, message) => {
    const resolve = (): unknown => resolveRegistry({ ...least, ...options } as RegistryOptions)
    expect(resolve).toThrow(ConfigurationError)
    expect(resolve).toThrow(message)
  })
})
