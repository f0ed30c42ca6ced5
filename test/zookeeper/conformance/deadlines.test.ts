import { cutOff, letBack } from './outage.ts'
import { conformance, expect, it } from './support.ts'

conformance('a deadline', () => {
  it('ends the wait for a connection, and the request is never sent', async ({
    proxied: zk,
    proxy,
  }) => {
    await cutOff(zk, proxy)
    await expect(zk.create('/a', '', { timeout: 20 })).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
      operation: 'create',
      path: '/a',
      outcomeUnknown: false,
    })
    expect(zk.outstanding).toBe(0)
    await letBack(zk, proxy)
    await zk.catchUp()
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('ends the wait for an answer, which then may come or not', async ({ proxied: zk, proxy }) => {
    proxy.blackHole('to-client')
    await expect(zk.create('/a', '', { timeout: 20 })).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
      outcomeUnknown: true,
    })
    proxy.pass()
    expect(await zk.exists('/a')).toBeDefined()
  })

  it('of a read leaves no doubt', async ({ proxied: zk, proxy }) => {
    proxy.blackHole('to-client')
    await expect(zk.get('/', { timeout: 20 })).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
      outcomeUnknown: false,
    })
  })

  it('is the one of the client if the request has none', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, requestTimeout: 200 })
    proxy.blackHole('to-client')
    await expect(zk.exists('/')).rejects.toMatchObject({ code: 'ZK_DEADLINE_EXCEEDED' })
  })

  it('of one request does not end the others', async ({ proxied: zk, proxy }) => {
    proxy.blackHole('to-client')
    const long = zk.exists('/')
    await expect(zk.exists('/', { timeout: 20 })).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
    })
    proxy.pass()
    expect(await long).toBeDefined()
  })

  it('leaves the answers behind it in order', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    proxy.blackHole('to-client')
    const late = zk.set('/a', 'one', { timeout: 20 })
    const kept = zk.set('/a', 'two')
    await expect(late).rejects.toMatchObject({ code: 'ZK_DEADLINE_EXCEEDED' })
    proxy.pass()
    expect((await kept).version).toBe(2)
  })

  it('holds for an identity that cannot be proven', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, requestTimeout: 200 })
    await cutOff(zk, proxy)
    await expect(zk.addAuth('digest', 'a:b')).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
    })
  })
})

conformance('an abort', () => {
  it('before the call sends nothing', async ({ zk }) => {
    const reason = new Error('never mind')
    const created = zk.create('/a', '', { signal: AbortSignal.abort(reason) })
    await expect(created).rejects.toBe(reason)
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('ends the wait for a connection, and the request is never sent', async ({
    proxied: zk,
    proxy,
  }) => {
    await cutOff(zk, proxy)
    const controller = new AbortController()
    const created = zk.create('/a', '', { signal: controller.signal })
    controller.abort()
    await expect(created).rejects.toMatchObject({ name: 'AbortError' })
    expect(zk.outstanding).toBe(0)
    await letBack(zk, proxy)
    await zk.catchUp()
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('ends the wait for an answer, and what follows goes on', async ({ proxied: zk, proxy }) => {
    proxy.blackHole('to-client')
    const controller = new AbortController()
    const created = zk.create('/a', '', { signal: controller.signal })
    const found = zk.exists('/a')
    controller.abort()
    await expect(created).rejects.toMatchObject({ name: 'AbortError' })
    proxy.pass()
    expect(await found).toBeDefined()
  })

  it('of a read sets no watch', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    proxy.blackHole('to-client')
    const controller = new AbortController()
    let events = 0
    const read = zk.get('/a', { signal: controller.signal, watch: () => events++ })
    controller.abort()
    await expect(read).rejects.toMatchObject({ name: 'AbortError' })
    proxy.pass()
    await zk.set('/a', 'new')
    expect([events, zk.watchCount]).toEqual([0, 0])
  })

  it('after the answer changes nothing', async ({ zk }) => {
    const controller = new AbortController()
    const created = await zk.create('/a', '', { signal: controller.signal })
    controller.abort()
    expect(created.path).toBe('/a')
    expect(await zk.exists('/a')).toBeDefined()
  })

  it('reaches every step of a call that takes several', async ({ proxied: zk, proxy }) => {
    await zk.create('/p/a/b', '', { parents: true })
    proxy.blackHole('to-client')
    const controller = new AbortController()
    const { signal } = controller
    const calls = [
      zk.deleteRecursive('/p', { signal }),
      zk.create('/x/y', '', { parents: true, signal }),
      zk.create('/z', '', { protect: true, signal }),
      zk.check('/p', { signal }),
    ]
    controller.abort()
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    proxy.pass()
    await zk.catchUp()
    expect(await zk.exists('/p/a/b')).toBeDefined()
    expect(await zk.exists('/x')).toBeUndefined()
  })
})

conformance('the queue', () => {
  it('refuses a request too many, and takes the next when there is room', async ({
    clients,
    proxy,
  }) => {
    const zk = await clients.connect({ via: proxy, maxOutstanding: 3 })
    await cutOff(zk, proxy)
    const waiting = Array.from({ length: 3 }, () => zk.exists('/'))
    await expect(zk.exists('/')).rejects.toMatchObject({ code: 'ZK_QUEUE_FULL' })
    await letBack(zk, proxy)
    await Promise.all(waiting)
    expect(await zk.exists('/')).toBeDefined()
  })

  it('is limited with a connection, too', async ({ clients }) => {
    const zk = await clients.connect({ maxOutstanding: 10 })
    const requests = await Promise.allSettled(Array.from({ length: 25 }, () => zk.exists('/')))
    expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(zk.outstanding).toBe(0)
  })

  it('has room again for a request that was given up', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, maxOutstanding: 1 })
    await cutOff(zk, proxy)
    const controller = new AbortController()
    const given = zk.exists('/', { signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    const waiting = zk.exists('/')
    await letBack(zk, proxy)
    expect(await waiting).toBeDefined()
  })
})
