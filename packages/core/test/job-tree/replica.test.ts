import { openAcl, part, SeededRandom, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, describe, expect, it } from 'vitest'

import type { JobPaths } from '../../src/job-tree/paths.ts'
import { StatePaths } from '../../src/job-tree/paths.ts'
import { ReplicaHub } from '../../src/job-tree/replica-hub.ts'
import type { JobReplica } from '../../src/job-tree/replica.ts'
import { RegistrySession } from '../../src/registry/registry-session.ts'
import { RegistryTime } from '../../src/registry/registry-time.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { joiningTransport } from '../support/joining-transport.ts'
import { RandomTree, type Seen, seenBy } from './random-tree.ts'

let cluster: SimulatedCluster

afterEach(() => cluster.stop())

interface Followed {
  readonly writer: ZooKeeper
  readonly paths: JobPaths
  readonly replica: JobReplica
  readonly session: RegistrySession
}

/** A replica that follows what a writer does; `looked` is called whenever a plan would look. */
async function follow(looked: () => void, random = new SeededRandom(1)): Promise<Followed> {
  cluster = await SimulatedCluster.start({ latency: 1 + random.below(3) })
  const state = new StatePaths(cluster.namespace)
  const writer = await cluster.client()
  const client = await cluster.client(
    '10.0.1.1',
    joiningTransport(cluster.network.transport('10.0.1.1'), cluster.clock, () => random.below(4)),
  )
  const time = new RegistryTime(cluster.clock)
  const session = await cluster.until(
    RegistrySession.open(client, openAcl, state, () => '10.0.1.1@-@1-aaaaaaaa', time),
  )
  await cluster.until(session.ensure(`/${cluster.namespace}`))
  let isPlanned = false
  const changed = (): void => {
    if (isPlanned) return
    isPlanned = true
    cluster.clock.afterPoll(() => {
      isPlanned = false
      looked()
    })
  }
  const hub = new ReplicaHub(session, cluster.namespace, state, {
    changed,
    membersChanged: () => {},
    failed: (_, error) => {
      if (session.isReady) throw error
    },
  })
  session.on('session:suspended', () => hub.suspend())
  session.on('session:resumed', () => hub.resume(['job']))
  await cluster.until(hub.start())
  const replica = await cluster.until(hub.add('job'))
  return { writer, paths: cluster.pathsOf('job'), replica, session }
}

describe('a replica', () => {
  it('is not quiet between the events of a transaction and the data that they speak of', async () => {
    const states: string[] = []
    const { writer, paths, replica } = await follow(() => {
      if (!replica.isQuiet) return
      states.push(
        `${replica.config?.text} ${replica.servers.get('10.0.1.1')} ${replica.word?.value.lastRound}`,
      )
    })
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(writer.multi(tree.create()))
    await cluster.until(writer.create(paths.server('10.0.1.1'), '0'))
    await cluster.advance(30)
    states.length = 0
    for (let n = 1; n <= 20; n++) {
      await cluster.until(
        writer.multi([
          part.set(paths.config, String(n)),
          part.set(paths.server('10.0.1.1'), String(n)),
          part.set(paths.word, JSON.stringify({ lastRound: n })),
        ]),
      )
      await cluster.advance(30)
    }
    expect(new Set(states)).toEqual(
      new Set(Array.from({ length: 20 }, (_, index) => `${index + 1} ${index + 1} ${index + 1}`)),
    )
  })

  it('takes what it does not know for unknown, never for absent', async () => {
    const { writer, paths, replica, session } = await follow(() => {})
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(writer.multi(tree.create()))
    await cluster.until(writer.create(paths.instance('10.0.1.1@-@1-aaaaaaaa')))
    await cluster.advance(30)
    expect(replica.isQuiet).toBe(true)
    cluster.faults.dropConnection(session.client.sessionId)
    await cluster.advance(10)
    expect(replica.isQuiet).toBe(false)
    expect(replica.instances.size).toBe(1)
    expect(replica.config?.text).toBe('n: 0')
  })

  it('reads again what happened while the connection was gone', async () => {
    const { writer, paths, replica } = await follow(() => {})
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(writer.multi(tree.create()))
    await cluster.until(writer.create(paths.item(0)))
    await cluster.until(writer.create(paths.mark(0, 'running'), 'x'))
    await cluster.advance(30)
    expect(replica.items.get(0)?.running).toBe(true)
    cluster.network.reset('10.0.1.1', '10.0.0.1')
    const gone = [paths.mark(0, 'running'), paths.item(0)].map((path) => part.delete(path))
    const come = [part.create(paths.item(1), ''), part.create(paths.mark(1, 'disabled'), '')]
    await cluster.until(writer.multi([...gone, ...come, part.set(paths.config, 'n: 1')]))
    expect(replica.isQuiet).toBe(false)
    await cluster.advance(5_000)
    expect(replica.isQuiet).toBe(true)
    expect([...replica.items.keys()]).toEqual([1])
    expect(replica.items.get(1)?.disabled).toBe(true)
    expect(replica.config?.text).toBe('n: 1')
  })

  // Whenever a plan may look, what it sees is what the server had at some moment, and no earlier one
  // than the last time.
  for (const seed of Array.from({ length: 40 }, (_, index) => index + 1)) {
    it(`shows no state that never was, seed ${seed}`, async () => {
      const random = new SeededRandom(seed)
      const history: Seen[] = []
      let last = 0
      let looks = 0
      const never: Seen[] = []
      const { writer, paths, replica, session } = await follow(() => {
        if (!replica.isQuiet) return
        looks += 1
        const place = history.indexOf(seenBy(replica), last)
        if (place === -1) never.push(seenBy(replica))
        else last = place
      }, random)
      const tree = new RandomTree(paths, random)
      // Before the job exists there is nothing to see.
      await cluster.until(writer.multi(tree.create()))
      history.push(tree.seen)
      await cluster.advance(20)
      never.length = 0
      for (let step = 0; step < 150; step++) {
        const parts = tree.change()
        if (parts.length === 0) continue
        // Not awaited: many are under way at a time, and they arrive in this order.
        void writer.multi(parts)
        history.push(tree.seen)
        if (random.happens(0.3)) await cluster.advance(random.below(6))
        if (random.happens(0.2)) await cluster.advance(30)
        if (random.happens(0.01)) cluster.faults.dropConnection(session.client.sessionId)
      }
      await cluster.advance(20_000)
      expect(never).toEqual([])
      expect(replica.isQuiet).toBe(true)
      expect(seenBy(replica)).toBe(tree.seen)
      expect(looks).toBeGreaterThan(10)
    })
  }
})
