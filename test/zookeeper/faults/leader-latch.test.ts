import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { LeaderLatch } from '@elasticjob/zookeeper'
import { expireSession } from '../harness/expire-session.ts'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, type TestClient } from './clients.ts'
import { Gate } from './gate.ts'
import { Log } from './log.ts'

interface Candidate extends TestClient {
  readonly latch: LeaderLatch
  readonly gate: Gate
}

/** Who was told what, of both candidates, in the order in which it was told. */
type Told = readonly [id: string, event: string]

faults('a leader latch', () => {
  let server: ZooKeeperProcess
  let told: Log<Told>
  let first: Candidate
  let second: Candidate
  let path: string
  let tests = 0

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  beforeEach(async () => {
    path = `/election-${++tests}`
    told = new Log()
    first = await candidate('first')
    await first.latch.acquired()
    second = await candidate('second')
  })
  async function candidate(id: string): Promise<Candidate> {
    const gate = new Gate()
    const client = await connectClient({
      servers: server.connectString,
      transport: gate.transport,
      sessionTimeout: id === 'first' ? 3_000 : 12_000,
    })
    const latch = new LeaderLatch(client.zk, path, { id })
    for (const event of ['leadership:gained', 'leadership:lost'] as const) {
      latch.on(event, () => told.add([id, event]))
    }
    client.zk.on('session:suspended', () => told.add([id, 'suspended']))
    await latch.start()
    return { ...client, latch, gate }
  }

  function whenTold(id: string, event: string, after = 0): Promise<Told> {
    return told.until(([who, what]) => who === id && what === event, after)
  }

  async function line(): Promise<string[]> {
    return (await second.latch.participants()).map(({ id }) => id)
  }

  it('gives leadership up when its server is killed, and the same one leads again', async () => {
    const { node } = first.latch
    const before = told.entries.length
    await server.kill()
    await whenTold('first', 'leadership:lost')
    expect(first.latch.hasLeadership).toBe(false)
    await server.start()
    await whenTold('first', 'leadership:gained', before)
    expect(first.latch.node).toBe(node)
    expect(await line()).toEqual(['first', 'second'])
    expect(told.entries.filter(([id]) => id === 'first')).toEqual([
      ['first', 'leadership:gained'],
      ['first', 'suspended'],
      ['first', 'leadership:lost'],
      ['first', 'leadership:gained'],
    ])
    expect(second.latch.hasLeadership).toBe(false)
  })

  it('gives leadership up when its server freezes, before anybody else can have it', async () => {
    first.gate.close()
    await server.pause()
    await whenTold('first', 'leadership:lost')
    expect(first.zk.state).toBe('suspended')
    await first.history.until('session:lost')
    server.resume()
    await whenTold('second', 'leadership:gained')
    first.gate.open()

    await first.history.until('session:renewed')
    await second.latch.stop()
    await whenTold('first', 'leadership:gained', told.entries.length - 1)
    expect(told.entries.map(([id, event]) => `${id} ${event}`)).toEqual([
      'first leadership:gained',
      'first suspended',
      'first leadership:lost',
      'second leadership:gained',
      'second leadership:lost',
      'first leadership:gained',
    ])
  })

  it('stands at the end of the line when its session has expired', async () => {
    const { node } = first.latch
    await expireSession(server.connectString, first.zk.sessionId, first.zk.sessionPassword)
    await whenTold('second', 'leadership:gained')
    await first.history.until('session:renewed')
    await second.latch.stop()
    await whenTold('first', 'leadership:gained', 1)
    expect(first.latch.node).not.toBe(node)
    expect((await first.latch.participants()).map(({ id }) => id)).toEqual(['first'])
    expect((await first.zk.exists(first.latch.node ?? '/'))?.ephemeralOwner).toBe(
      first.zk.sessionId,
    )
  })

  it('leaves one node in line, whatever its session goes through', async () => {
    for (let round = 0; round < 3; round++) {
      const before = [first.history.names.length, second.history.names.length]
      await expireSession(server.connectString, first.zk.sessionId, first.zk.sessionPassword)
      await first.history.until('session:renewed', before[0])
      await server.restart()
      await second.history.until('session:reconnected', before[1])
    }
    await second.latch.stop()
    await first.latch.acquired()
    expect((await first.latch.participants()).map(({ id }) => id)).toEqual(['first'])
  })
})
