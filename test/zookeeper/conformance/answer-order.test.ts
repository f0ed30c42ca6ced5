import { HoldingNetwork } from './holding-network.ts'
import { specialXid } from './opcodes.ts'
import { conformance, expect, it } from './support.ts'

conformance('an answer', () => {
  it('is told of in its place among the events', async ({ clients, other }) => {
    await other.create('/a')
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport })
    const order: string[] = []
    await zk.addWatch('/a', 'persistent', () => order.push('event'))
    network.hold()
    await other.set('/a', '1')
    await network.holds(1)
    const reading = zk.get('/a', { onAnswer: () => order.push('answer') })
    const asking = zk.exists('/b', { onAnswer: () => order.push('answer: there is none') })
    await network.holds(3)
    await other.set('/a', '2')
    await network.holds(4)
    network.release()
    await Promise.all([reading.then(() => order.push('promise')), asking])
    expect(order).toEqual(['event', 'answer', 'answer: there is none', 'event', 'promise'])
  })

  it('is told of when it is a refusal, too', async ({ zk }) => {
    let answers = 0
    const reading = zk.get('/absent', { onAnswer: () => answers++ })
    await expect(reading).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(answers).toBe(1)
  })

  it('alone proves how much the client has been told', async ({ proxied, proxy, other }) => {
    await other.create('/a')
    await proxied.sync()
    // Servers since 3.9 send a zxid with a notification; others of the same transaction may follow.
    const far = 2n ** 62n
    proxy.onServerFrame = ({ index, payload }) => {
      const isNotification = index > 0 && payload.readInt32BE(0) === specialXid.notification
      if (isNotification) payload.writeBigInt64BE(far, 4)
      return 'pass'
    }
    const event = new Promise((resolve) => {
      void proxied.get('/a', { watch: resolve })
    })
    await proxied.sync()
    await other.set('/a', 'changed')
    expect(await event).toEqual({ type: 'dataChanged', path: '/a' })
    expect(proxied.lastZxid).toBeLessThan(far)
  })
})
