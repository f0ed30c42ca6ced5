import { part, toText } from '@elasticjob/zookeeper'
import { loseNextReply } from '../harness/lose-reply.ts'
import { opcode, requestOf } from './opcodes.ts'
import { cutOff, letBack } from './outage.ts'
import { next } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('a write that was on its way when the connection was lost', () => {
  it('is told as of unknown outcome, though it was carried out', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const lost = loseNextReply(proxy, opcode.setData)
    const written = zk.set('/a', 'new')
    await lost
    await expect(written).rejects.toMatchObject({
      code: 'ZK_CONNECTION_LOSS',
      operation: 'set',
      path: '/a',
      outcomeUnknown: true,
    })
    expect(await zk.exists('/a')).toMatchObject({ version: 1 })
  })

  it('is told as of unknown outcome, though it never arrived', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    proxy.onClientFrame = (frame) => (requestOf(frame) === opcode.setData ? 'drop' : 'pass')
    await expect(zk.set('/a', 'new')).rejects.toMatchObject({ outcomeUnknown: true })
    expect(await zk.exists('/a')).toMatchObject({ version: 0 })
  })

  it('is never repeated', async ({ proxied: zk, proxy }) => {
    const lost = loseNextReply(proxy, opcode.create2)
    const created = zk.create('/n-', '', { sequential: true })
    await lost
    await expect(created).rejects.toMatchObject({ outcomeUnknown: true })
    expect((await zk.children('/')).children).toHaveLength(1)
  })

  it('may be a transaction', async ({ proxied: zk, proxy }) => {
    const lost = loseNextReply(proxy, opcode.multi)
    const written = zk.multi([part.create('/a'), part.create('/b')])
    await lost
    await expect(written).rejects.toMatchObject({
      code: 'ZK_CONNECTION_LOSS',
      operation: 'multi',
      outcomeUnknown: true,
    })
    expect((await zk.children('/')).children).toHaveLength(2)
  })
})

conformance('a read that was on its way when the connection was lost', () => {
  it('is sent again and answered', async ({ proxied: zk, proxy }) => {
    await zk.create('/a', 'data')
    const lost = loseNextReply(proxy, opcode.getData)
    const read = zk.get('/a')
    await lost
    expect(toText((await read).data)).toBe('data')
  })

  it('is sent again in its order', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const lost = loseNextReply(proxy, opcode.exists)
    const reads = Array.from({ length: 10 }, () => zk.exists('/a'))
    const suspended = next(zk, 'session:suspended')
    await lost
    await suspended
    const later = zk.set('/a', 'new')
    for (const stat of await Promise.all(reads)) expect(stat?.version).toBe(0)
    expect((await later).version).toBe(1)
  })

  it('fails if it was not to wait', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const lost = loseNextReply(proxy, opcode.getData)
    const read = zk.get('/a', { whileDisconnected: 'fail' })
    await lost
    await expect(read).rejects.toMatchObject({
      code: 'ZK_CONNECTION_LOSS',
      outcomeUnknown: false,
    })
  })

  it('sets its watch once', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    let events = 0
    const lost = loseNextReply(proxy, opcode.getData)
    const read = zk.get('/a', { watch: () => events++ })
    await lost
    await read
    expect(zk.watchCount).toBe(1)
    await zk.set('/a', 'once')
    await zk.set('/a', 'twice')
    expect(events).toBe(1)
  })
})

conformance('a request made without a connection', () => {
  it('waits for one', async ({ proxied: zk, proxy }) => {
    await cutOff(zk, proxy)
    const created = zk.create('/a')
    expect(zk.outstanding).toBe(1)
    await letBack(zk, proxy)
    expect((await created).path).toBe('/a')
    expect(zk.outstanding).toBe(0)
  })

  it('waits in the order of the calls', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    await cutOff(zk, proxy)
    const writes = Array.from({ length: 10 }, (_, index) => zk.set('/a', `${index}`))
    const read = zk.get('/a')
    await letBack(zk, proxy)
    const versions = (await Promise.all(writes)).map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, index) => index + 1))
    expect(toText((await read).data)).toBe('9')
  })

  it('fails at once if the client was told so', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, whileDisconnected: 'fail' })
    await cutOff(zk, proxy)
    await expect(zk.create('/a')).rejects.toMatchObject({
      code: 'ZK_NOT_CONNECTED',
      path: '/a',
      outcomeUnknown: false,
    })
    await letBack(zk, proxy)
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('fails at once if it was told so itself', async ({ proxied: zk, proxy }) => {
    await cutOff(zk, proxy)
    await expect(zk.exists('/', { whileDisconnected: 'fail' })).rejects.toMatchObject({
      code: 'ZK_NOT_CONNECTED',
    })
  })

  it('waits if it was told so itself', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, whileDisconnected: 'fail' })
    await cutOff(zk, proxy)
    const read = zk.exists('/', { whileDisconnected: 'wait' })
    await letBack(zk, proxy)
    expect(await read).toBeDefined()
  })

  it('is carried out once, however often the connection comes and goes', async ({
    proxied: zk,
    proxy,
  }) => {
    await cutOff(zk, proxy)
    const created = zk.create('/n-', '', { sequential: true })
    // The first two connections are lost during the handshake.
    let lost = 0
    proxy.onServerFrame = ({ index }) => (index === 0 && lost++ < 2 ? 'drop' : 'pass')
    await letBack(zk, proxy)
    expect((await created).path).toBe('/n-0000000000')
    expect(lost).toBeGreaterThan(2)
    expect((await zk.children('/')).children).toHaveLength(1)
  })
})
