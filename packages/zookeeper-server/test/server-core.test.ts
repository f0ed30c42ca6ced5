import { JuteReader, readConnectResponse } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'
import { CoreHarness, opCode, operations } from './core-client.ts'

describe('a handshake', () => {
  it('opens a session, which uses a zxid', () => {
    const harness = new CoreHarness()
    const client = harness.client()
    const session = client.connect()
    expect(session).toMatchObject({ timeout: 10_000, readOnly: false })
    expect(session?.password).toHaveLength(16)
    expect(harness.core.state.lastZxid).toBe(1)
    expect(harness.connected().sessionId).not.toBe(session?.sessionId)
  })

  it.each([
    [1, 4_000],
    [-5, 4_000],
    [4_001, 4_001],
    [1_000_000, 40_000],
  ])('asks for a timeout of %d and gets %d', (asked, granted) => {
    expect(new CoreHarness().client().connect({ timeout: asked })?.timeout).toBe(granted)
  })

  it('answers a client before 3.4 in the old format', () => {
    const response = new CoreHarness().client().connect({ readOnly: undefined })
    expect(response?.readOnly).toBeUndefined()
  })

  it('closes the connection of a client that has seen a newer zxid, without an answer', () => {
    const client = new CoreHarness().client()
    expect(client.connect({ lastZxidSeen: 1n })).toBeUndefined()
    expect(client.isClosed).toBe(true)
  })

  it('closes the connection on a malformed handshake', () => {
    const harness = new CoreHarness()
    const client = harness.client()
    expect(client.exchange((writer) => writer.int(0))).toEqual([])
    expect(client.isClosed).toBe(true)
    expect(harness.core.state.lastZxid).toBe(0)
  })
})

describe('a session', () => {
  it('survives its connection', () => {
    const harness = new CoreHarness()
    const first = harness.connected()
    first.create('/e', { flags: 1 })
    first.disconnect()
    const second = harness.client()
    const session = second.connect({ ...first.session, timeout: 6_000 })
    expect(session).toMatchObject({ sessionId: first.sessionId, timeout: 6_000 })
    expect(second.get('/e').body?.stat.ephemeralOwner).toBe(first.sessionId)
    expect(harness.core.state.lastZxid).toBe(2)
  })

  it('has one connection: a second one closes the first', () => {
    const harness = new CoreHarness()
    const first = harness.connected()
    first.get('/', true)
    const second = harness.client()
    second.connect({ ...first.session })
    expect(first.isClosed).toBe(true)
    second.create('/a')
    expect(first.takeEvents()).toEqual([])
    expect(harness.core.watches.size).toBe(0)
  })

  it('is refused for a wrong password, without closing the connection of its owner', () => {
    const harness = new CoreHarness()
    const owner = harness.connected()
    const thief = harness.client()
    const answer = thief.connect({ sessionId: owner.sessionId, password: new Uint8Array(16) })
    expect(answer).toMatchObject({ timeout: 0, sessionId: 0n })
    expect(thief.isClosed).toBe(true)
    expect(owner.isClosed).toBe(false)
    expect(owner.get('/').error).toBe(0)
  })

  it('that is unknown has expired', () => {
    const client = new CoreHarness().client()
    expect(client.connect({ sessionId: 77n })).toMatchObject({ timeout: 0, sessionId: 0n })
    expect(client.isClosed).toBe(true)
  })

  it('ends with its ephemeral nodes when its client closes it', () => {
    const harness = new CoreHarness()
    const client = harness.connected()
    const other = harness.connected()
    client.create('/e', { flags: 1 })
    other.get('/e', true)
    expect(client.closeSession()).toMatchObject({ error: 0, zxid: 4 })
    expect(client.isClosed).toBe(true)
    expect(other.takeEvents()).toEqual(['2 /e'])
    expect(other.get('/e').error).toBe(-101)
    expect(harness.client().connect({ ...client.session })?.sessionId).toBe(0n)
  })

  it('expires after its timeout without input of its client, up to a tick later', () => {
    const harness = new CoreHarness({ tickTime: 1_000 })
    const client = harness.client()
    client.connect({ timeout: 5_500 })
    client.create('/e', { flags: 1 })
    harness.pass(5_500)
    expect(client.isClosed).toBe(false)
    harness.pass(499)
    expect(client.isClosed).toBe(false)
    harness.pass(1)
    expect(client.isClosed).toBe(true)
    expect(harness.core.sessions.size).toBe(0)
    expect(harness.core.state.tree.get('/e')).toBeUndefined()
  })

  it('is renewed by every packet of its client', () => {
    const harness = new CoreHarness({ tickTime: 1_000 })
    const client = harness.client()
    client.connect({ timeout: 4_000 })
    for (let i = 0; i < 10; i++) {
      harness.pass(3_000)
      expect(client.call(operations.ping, undefined)).toMatchObject({ xid: -2, zxid: 1, error: 0 })
    }
    harness.pass(6_000)
    expect(client.isClosed).toBe(true)
  })

  it('gets its full timeout again after a restart of the server', () => {
    const before = new CoreHarness()
    const client = before.connected()
    const after = new CoreHarness()
    for (const transaction of before.log) after.core.state.applyTransaction(transaction)
    after.core.resume()
    after.pass(9_000)
    expect(after.client().connect({ ...client.session })?.sessionId).toBe(client.sessionId)
  })

  it('has a unique id, whatever the clock says', () => {
    const before = new CoreHarness()
    const old = before.connected().sessionId
    const after = new CoreHarness()
    after.wall -= 1_000_000
    for (const transaction of before.log) after.core.state.applyTransaction(transaction)
    after.core.resume()
    expect(after.connected().sessionId).toBeGreaterThan(old)
  })
})

describe('a request', () => {
  it('that is too short for its header closes the connection', () => {
    const client = new CoreHarness().connected()
    expect(client.exchange((writer) => writer.int(1))).toEqual([])
    expect(client.isClosed).toBe(true)
  })

  it.each([99, 10, -1, 0, opCode.createSession])(
    'of type %d is not known, and the last of its connection',
    (type) => {
      const harness = new CoreHarness()
      const client = harness.connected()
      const [frame] = client.exchange((writer) => {
        writer.int(5)
        writer.int(type)
      })
      const reader = new JuteReader(frame ?? Buffer.alloc(0))
      expect([reader.int(), reader.long(), reader.int()]).toEqual([5, -1n, -6])
      expect(client.isClosed).toBe(true)
      expect(harness.core.sessions.size).toBe(1)
    },
  )

  it.each([
    ['create', opCode.create, true],
    ['setData', opCode.setData, true],
    ['multi', opCode.multi, true],
    ['getData', opCode.getData, false],
    ['setWatches2', opCode.setWatches2, false],
    ['sync', opCode.sync, false],
  ])('%s with half a body is a marshalling error', (_name, type, usesZxid) => {
    const harness = new CoreHarness()
    const client = harness.connected()
    const [frame] = client.exchange((writer) => {
      writer.int(5)
      writer.int(type)
      writer.int(3)
    })
    const reader = new JuteReader(frame ?? Buffer.alloc(0))
    expect([reader.int(), reader.long(), reader.int()]).toEqual([5, usesZxid ? 2n : 1n, -5])
    expect(client.isClosed).toBe(false)
    expect(client.get('/').error).toBe(0)
  })

  it.each([
    ['a type that there is not', { ...operations.ping, code: 99 }],
    ['the end of its session', operations.closeSession],
  ])('for %s ends the watches with the connection', (_what, operation) => {
    const harness = new CoreHarness()
    const client = harness.connected()
    client.get('/', true)
    expect(harness.core.watches.size).toBe(1)
    client.call(operation, undefined)
    expect(client.isClosed).toBe(true)
    expect(harness.core.watches.size).toBe(0)
  })

  it('after the close of its connection is not carried out', () => {
    const harness = new CoreHarness()
    const client = harness.connected()
    client.closeSession()
    const frames = client.exchange((writer) => {
      writer.int(9)
      writer.int(opCode.ping)
    })
    expect(frames).toEqual([])
  })
})

describe('authentication', () => {
  it('adds an identity, which is shown without its password', () => {
    const client = new CoreHarness().connected()
    expect(client.authenticate('me:secret')).toMatchObject({ xid: -4, zxid: 0, error: 0 })
    client.authenticate('me:secret')
    expect(client.call(operations.whoAmI, undefined).body).toEqual([
      { scheme: 'ip', user: '127.0.0.1' },
      { scheme: 'digest', user: 'me' },
    ])
  })

  it('by an unknown scheme closes the connection', () => {
    const client = new CoreHarness().connected()
    expect(client.authenticate('me:secret', 'kerberos')).toMatchObject({ error: -115 })
    expect(client.isClosed).toBe(true)
  })

  it('by SASL gets an empty answer', () => {
    const client = new CoreHarness().connected()
    expect(client.call(operations.sasl, Buffer.from('token')).body).toBeNull()
  })

  it('as the super user grants everything', () => {
    const superDigest = 'super:xQJmxLMiHGwaqBvst5y6rkB6HQs='
    const harness = new CoreHarness({ superDigest })
    const owner = harness.connected()
    owner.authenticate('me:secret')
    owner.create('/mine', { acl: [{ permissions: 31, id: { scheme: 'auth', id: '' } }] })
    const client = harness.connected()
    client.authenticate('super:wrong')
    expect(client.get('/mine').error).toBe(-102)
    client.authenticate('super:admin')
    expect(client.get('/mine').error).toBe(0)
    expect(client.call(operations.whoAmI, undefined).body).toContainEqual({
      scheme: 'super',
      user: '',
    })
  })
})

describe('clean-up', () => {
  it('deletes a container that has lost its last child, but not a new one', () => {
    const harness = new CoreHarness({ cleanUpInterval: 1_000 })
    const client = harness.connected()
    client.call(operations.createContainer, containerAt('/used'))
    client.call(operations.createContainer, containerAt('/unused'))
    client.create('/used/child')
    harness.pass(1_000)
    expect(client.get('/used').error).toBe(0)
    client.remove('/used/child')
    client.get('/used', true)
    harness.pass(999)
    expect(client.get('/used').error).toBe(0)
    harness.pass(1)
    expect(client.takeEvents()).toEqual(['2 /used'])
    expect(client.get('/unused').error).toBe(0)
  })

  it('deletes a node past its TTL, unless it has children', () => {
    const harness = new CoreHarness({ cleanUpInterval: 1_000 })
    const client = harness.connected()
    const ttl = (path: string) => ({ ...containerAt(path), flags: 5, ttl: 1_500n })
    client.call(operations.createTtl, ttl('/old'))
    client.call(operations.createTtl, ttl('/renewed'))
    client.call(operations.createTtl, ttl('/parent'))
    client.create('/parent/child')
    harness.pass(1_000)
    client.set('/renewed', 'again')
    harness.pass(1_000)
    expect(client.get('/old').error).toBe(-101)
    expect(client.get('/renewed').error).toBe(0)
    harness.pass(1_000)
    expect(client.get('/renewed').error).toBe(-101)
    expect(client.get('/parent').error).toBe(0)
  })

  const containerAt = (path: string) => ({
    path,
    data: null,
    acl: [{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }],
    flags: 4,
  })
})

describe('the core', () => {
  it('gives the same output for the same input, byte for byte', () => {
    const run = (): Buffer[] => {
      const harness = new CoreHarness()
      const client = harness.client()
      const frames = client.exchange((writer) => {
        writer.int(0)
        writer.long(0n)
        writer.int(10_000)
        writer.long(0n)
        writer.buffer(new Uint8Array(16))
      })
      client.session = readConnectResponse(new JuteReader(frames[0] ?? Buffer.alloc(0)))
      for (let xid = 1; xid < 20; xid++) {
        frames.push(
          ...client.exchange((writer) => {
            writer.int(xid)
            writer.int(opCode.create2)
            const acl = [{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }]
            operations.create.writeRequest(writer, { path: '/s-', data: null, acl, flags: 3 })
          }),
        )
      }
      return frames
    }
    expect(run()).toEqual(run())
  })
})
