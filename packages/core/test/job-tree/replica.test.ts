import { part, type ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { afterEach, describe, expect, it } from 'vitest'

import { type JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { ReplicaHub } from '../../src/job-tree/replica-hub.ts'
import type { JobReplica } from '../../src/job-tree/replica.ts'
import { RegistrySession } from '../../src/registry/registry-session.ts'
import { RegistryTime } from '../../src/registry/registry-time.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { joiningTransport } from '../support/joining-transport.ts'
import { registryOn } from '../support/registry-on.ts'
import { RandomTree, type Seen, seenBy } from './random-tree.ts'

let cluster: SimulatedCluster

afterEach(() => cluster.stop())

interface Followed {
  readonly writer: ZooKeeper
  readonly paths: JobPaths
  readonly replica: JobReplica
  readonly session: RegistrySession
  /** What the session goes by. */
  readonly client: ZooKeeper
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
    RegistrySession.open(registryOn(client), state, () => '10.0.1.1@-@1-aaaaaaaa', time),
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
    aliveFailed: (error) => {
      if (session.isReady) throw error
    },
  })
  session.on('session:suspended', () => hub.suspend())
  session.on('session:resumed', () => hub.resume(['job']))
  await cluster.until(hub.start())
  const replica = await cluster.until(hub.follow('job'))
  return { writer, paths: cluster.pathsOf('job'), replica, session, client }
}

describe('a replica', () => {
  it('is not quiet between the events of a transaction and the data that they speak of', async () => {
    const states: string[] = []
    const { writer, paths, replica } = await follow(() => {
      if (!replica.isSynced) return
      states.push(
        `${replica.config?.text} ${replica.servers.get('10.0.1.1')} ${replica.jobState?.value.lastRound}`,
      )
    })
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(registryOn(writer).transact(tree.create()))
    await cluster.until(writer.create(paths.server('10.0.1.1'), '0'))
    await cluster.advance(30)
    states.length = 0
    for (let n = 1; n <= 20; n++) {
      await cluster.until(
        writer.multi([
          part.set(paths.config, String(n)),
          part.set(paths.server('10.0.1.1'), String(n)),
          part.set(paths.jobState, JSON.stringify({ lastRound: n })),
        ]),
      )
      await cluster.advance(30)
    }
    expect(new Set(states)).toEqual(
      new Set(Array.from({ length: 20 }, (_, index) => `${index + 1} ${index + 1} ${index + 1}`)),
    )
  })

  it('takes what it does not know for unknown, never for absent', async () => {
    const { writer, paths, replica, client } = await follow(() => {})
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(registryOn(writer).transact(tree.create()))
    await cluster.until(writer.create(paths.instance('10.0.1.1@-@1-aaaaaaaa')))
    await cluster.advance(30)
    expect(replica.isSynced).toBe(true)
    cluster.faults.dropConnection(client.sessionId)
    await cluster.advance(10)
    expect(replica.isSynced).toBe(false)
    expect(replica.instances.size).toBe(1)
    expect(replica.config?.text).toBe('n: 0')
  })

  it('reads again what happened while the connection was gone', async () => {
    const { writer, paths, replica } = await follow(() => {})
    const tree = new RandomTree(paths, new SeededRandom(1))
    await cluster.until(registryOn(writer).transact(tree.create()))
    await cluster.until(writer.create(paths.shard(0)))
    await cluster.until(writer.create(paths.mark(0, 'running'), 'x'))
    await cluster.advance(30)
    expect(replica.shards.get(0)?.running).toBe(true)
    cluster.network.reset('10.0.1.1', '10.0.0.1')
    const gone = [paths.mark(0, 'running'), paths.shard(0)].map((path) => part.delete(path))
    const come = [part.create(paths.shard(1), ''), part.create(paths.mark(1, 'disabled'), '')]
    await cluster.until(writer.multi([...gone, ...come, part.set(paths.config, 'n: 1')]))
    expect(replica.isSynced).toBe(false)
    await cluster.advance(5_000)
    expect(replica.isSynced).toBe(true)
    expect([...replica.shards.keys()]).toEqual([1])
    expect(replica.shards.get(1)?.disabled).toBe(true)
    expect(replica.config?.text).toBe('n: 1')
  })

  it.each(['sharding/0', 'sharding'])(
    'a shard that is made again without its disabled node, after %s was deleted while the connection was gone, is enabled',
    async (deleted) => {
      const { writer, paths, replica } = await follow(() => {})
      const tree = new RandomTree(paths, new SeededRandom(1))
      await cluster.until(registryOn(writer).transact(tree.create()))
      await cluster.until(writer.create(paths.shard(0)))
      await cluster.until(writer.create(paths.mark(0, 'disabled')))
      await cluster.advance(30)
      expect(replica.disabledPeriods.endOf(0, cluster.clock.now())).toBe(Infinity)
      cluster.network.reset('10.0.1.1', '10.0.0.1')
      await cluster.until(writer.deleteRecursive(`${paths.root}/${deleted}`))
      await cluster.advance(5_000)
      expect(replica.isSynced).toBe(true)
      if (deleted === 'sharding') await cluster.until(writer.create(paths.shards))
      await cluster.until(writer.create(paths.shard(0)))
      await cluster.advance(30)
      expect(replica.shards.get(0)?.disabled).toBe(false)
      expect(replica.disabledPeriods.endOf(0, cluster.clock.now())).toBe(0)
    },
  )

  // Whenever a plan may look, what it sees is what the server had at some moment, and no earlier one
  // than the last time.
  for (const seed of Array.from({ length: 40 }, (_, index) => index + 1)) {
    it(`shows no state that never was, seed ${seed}`, async () => {
      const random = new SeededRandom(seed)
      const history: Seen[] = []
      let last = 0
      let looks = 0
      const never: Seen[] = []
      const { writer, paths, replica, client } = await follow(() => {
        if (!replica.isSynced) return
        looks += 1
        const place = history.indexOf(seenBy(replica), last)
        if (place === -1) never.push(seenBy(replica))
        else last = place
      }, random)
      const tree = new RandomTree(paths, random)
      const sent = registryOn(writer)
      // Before the job exists there is nothing to see.
      await cluster.until(registryOn(writer).transact(tree.create()))
      history.push(tree.seen)
      await cluster.advance(20)
      never.length = 0
      for (let step = 0; step < 150; step++) {
        const parts = tree.change()
        if (parts.length === 0) continue
        // Not awaited: many are under way at a time, and they arrive in this order.
        void sent.transact(parts)
        history.push(tree.seen)
        if (random.happens(0.3)) await cluster.advance(random.below(6))
        if (random.happens(0.2)) await cluster.advance(30)
        if (random.happens(0.01)) cluster.faults.dropConnection(client.sessionId)
      }
      await cluster.advance(20_000)
      expect(never).toEqual([])
      expect(replica.isSynced).toBe(true)
      expect(seenBy(replica)).toBe(tree.seen)
      expect(looks).toBeGreaterThan(10)
    })
  }
})
