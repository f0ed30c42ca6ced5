import { part, zooKeeperDefaults } from '@elasticjob/zookeeper'
import { next, recordEvents } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const { maxRequestBytes } = zooKeeperDefaults

/** What a set takes in a request besides path and data: header, two lengths, version. */
const setOverhead = 8 + 4 + 4 + 4

conformance('a large request', () => {
  it('is taken up to the very limit of the server', async ({ zk, root }) => {
    await zk.create('/a')
    const fitting = maxRequestBytes - setOverhead - Buffer.byteLength(`${root}/a`)
    const bytes = new Uint8Array(fitting).map((_, index) => index % 251)
    expect((await zk.set('/a', bytes)).dataLength).toBe(fitting)
    expect(Buffer.compare((await zk.get('/a')).data, bytes)).toBe(0)
  })

  it('beyond the limit is refused here, and costs nobody the connection', async ({ zk, root }) => {
    await zk.create('/a')
    const events = recordEvents(zk)
    const tooMuch = maxRequestBytes - setOverhead - Buffer.byteLength(`${root}/a`) + 1
    const before = zk.get('/a')
    const large = zk.set('/a', new Uint8Array(tooMuch))
    const after = zk.get('/a')
    await expect(large).rejects.toMatchObject({ code: 'ZK_REQUEST_TOO_LARGE' })
    await Promise.all([before, after])
    expect(events.seen).toEqual([])
  })

  it('is refused as a whole when it is a transaction', async ({ zk }) => {
    const parts = Array.from({ length: 3 }, (_, index) =>
      part.create(`/n${index}`, new Uint8Array(400_000)),
    )
    await expect(zk.multi(parts)).rejects.toMatchObject({ code: 'ZK_REQUEST_TOO_LARGE' })
    expect((await zk.children('/')).children).toEqual([])
  })

  it('does not mind others around it', async ({ zk }) => {
    const sizes = [1, 300_000, 0, 1_000_000, 2]
    await Promise.all(sizes.map((size, i) => zk.create(`/n${i}`, new Uint8Array(size))))
    const contents = await Promise.all(sizes.map((_, i) => zk.get(`/n${i}`)))
    expect(contents.map(({ data }) => data.length)).toEqual(sizes)
  })
})

conformance('a large reply', () => {
  it('is taken beyond the size that a request may have', async ({ zk }) => {
    const name = (index: number): string => `${'n'.repeat(400)}${index}`
    for (let batch = 0; batch < 3; batch++) {
      const indexes = Array.from({ length: 1_000 }, (_, index) => batch * 1_000 + index)
      await zk.multi(indexes.map((index) => part.create(`/${name(index)}`)))
    }
    const { children } = await zk.children('/')
    expect(children.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(maxRequestBytes)
    expect(new Set(children).size).toBe(3_000)
  })

  it('beyond the limit of the client costs the connection, with the reason', async ({
    clients,
  }) => {
    const zk = await clients.connect({ maxFrameBytes: 10_000 })
    await zk.create('/a', new Uint8Array(20_000))
    const suspensions: string[] = []
    zk.on('session:suspended', ({ reason }) => suspensions.push(reason.code))
    const reconnected = next(zk, 'session:reconnected')
    // A read that was cut off is sent again as a rule; this one would cost the next connection, too.
    const read = zk.get('/a')
    const behind = zk.exists('/a')
    await expect(read).rejects.toMatchObject({ code: 'ZK_FRAME_TOO_LARGE', path: '/a' })
    await reconnected
    await expect(behind).resolves.toMatchObject({ dataLength: 20_000 })
    expect(suspensions).toEqual(['ZK_FRAME_TOO_LARGE'])
  })
})
