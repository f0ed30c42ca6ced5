import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { StatePaths } from '../../src/job-tree/paths.ts'
import { ReplicaHub } from '../../src/job-tree/replica-hub.ts'
import type { WatchEvent } from '../../src/registry/registry-client.ts'
import type { RegistrySession } from '../../src/registry/registry-session.ts'
import type { ReadResult } from '../../src/registry/transaction.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { x, y, z } from '../tree.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const noOp = async (): Promise<void> => {}

describe('watches', () => {
  it('are one for each job while there are few, and one for all when there are many', async () => {
    const { jobs, wire } = await cluster.join('10.0.1.1')
    const schedule = (from: number, to: number): Promise<unknown> =>
      cluster.until(
        Promise.all(
          Array.from({ length: to - from }, (_, index) =>
            jobs.schedule(
              { jobName: `job-${from + index}`, cron: '0/30 * * * * ?', shardingTotalCount: 1 },
              noOp,
            ),
          ),
        ),
      )
    wire.reset()
    await schedule(0, 500)
    expect(wire.counts['addWatch']).toBe(500)
    expect(wire.counts['removeWatches']).toBeUndefined()
    wire.reset()
    await schedule(500, 700)
    expect(wire.counts['addWatch']).toBe(1)
    expect(wire.counts['removeWatches']).toBe(500)
    wire.reset()
    await schedule(700, 750)
    expect(wire.counts['addWatch']).toBeUndefined()
    await cluster.toPhase(20_000, 30_000)
    await cluster.advance(20_000)
    const ran = new Set(cluster.runs.map(({ jobName }) => jobName))
    expect(ran.size).toBe(750)
    // One event for each change, not one for each watch that covers it.
    wire.reset()
    await cluster.advance(30_000)
    expect(wire.events).toBe(750 * 2)
  })

  it('a job that stops leaves the others watched', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = { cron: '* * * * * ?', shardingTotalCount: 1 }
    const first = await cluster.until(jobs.schedule({ ...options, jobName: 'first' }, noOp))
    const second = await cluster.until(jobs.schedule({ ...options, jobName: 'second' }, noOp))
    await cluster.advance(5_000)
    await cluster.until(first.stop())
    await cluster.configure('second', { jobParameter: 'new' })
    await cluster.advance(100)
    expect(second.configuration.jobParameter).toBe('new')
  })
})

describe('the living instances', () => {
  const state = new StatePaths('ns')

  /** A hub whose session answers by hand: first the answer arrives, then it is delivered. */
  interface HandSession {
    readonly hub: ReplicaHub
    readonly reads: { arrive(): void; deliver(...children: readonly string[]): Promise<void> }[]
    readonly event: (type: WatchEvent['type'], instance: string) => void
    /** How often the hub has told that members have changed. */
    readonly told: () => number
  }

  function handSession(): HandSession {
    const reads: HandSession['reads'] = []
    let listen: (event: WatchEvent) => void = () => {}
    const session = {
      now: () => 0,
      read: (_: unknown, onAnswer: () => void) =>
        new Promise<readonly ReadResult[]>((resolve) => {
          reads.push({
            arrive: onAnswer,
            deliver: async (...children) => {
              resolve([{ children }])
              await Promise.resolve()
              await Promise.resolve()
            },
          })
        }),
      client: {
        watch: (path: string, _: string, listener: (event: WatchEvent) => void) => {
          if (path === state.alive) listen = listener
          return Promise.resolve({ remove: () => Promise.resolve() })
        },
      },
    }
    let told = 0
    const listener = {
      changed: () => {},
      membersChanged: () => void told++,
      failed: () => {},
      aliveFailed: () => {},
    }
    const hub = new ReplicaHub(session as unknown as RegistrySession, 'ns', state, listener)
    const event = (type: WatchEvent['type'], instance: string): void =>
      listen({ type, path: state.aliveNode(instance) })
    return { hub, reads, event, told: () => told }
  }

  async function started(): Promise<HandSession> {
    const hand = handSession()
    void hand.hub.start()
    await new Promise(setImmediate)
    return hand
  }

  it('are read again when one dies between the answer and its delivery', async () => {
    const { hub, reads, event } = await started()
    reads[0]?.arrive()
    event('deleted', y)
    await reads[0]?.deliver(x, y)
    expect(hub.knowsAlive).toBe(false)
    expect(hub.alive).not.toContain(y)
    reads[1]?.arrive()
    await reads[1]?.deliver(x)
    expect(hub.knowsAlive).toBe(true)
    expect([...hub.alive]).toEqual([x])
  })

  it('are read again when one joins between the answer and its delivery', async () => {
    const { hub, reads, event } = await started()
    reads[0]?.arrive()
    event('created', y)
    await reads[0]?.deliver(x)
    expect(hub.knowsAlive).toBe(false)
    reads[1]?.arrive()
    await reads[1]?.deliver(x, y)
    expect([...hub.alive]).toEqual([x, y])
  })

  it('tell of a death, and not of a birth', async () => {
    const { reads, event, told } = await started()
    reads[0]?.arrive()
    await reads[0]?.deliver(x, y)
    const before = told()
    event('created', z)
    expect(told()).toBe(before)
    event('deleted', y)
    expect(told()).toBe(before + 1)
  })

  it('are unknown from a lost connection until they are read again', async () => {
    const { hub, reads } = await started()
    reads[0]?.arrive()
    await reads[0]?.deliver(x)
    expect(hub.knowsAlive).toBe(true)
    hub.suspend()
    expect(hub.knowsAlive).toBe(false)
    hub.resume([])
    expect(hub.knowsAlive).toBe(false)
    reads[1]?.arrive()
    await reads[1]?.deliver(x)
    expect(hub.knowsAlive).toBe(true)
  })

  it('are known from one read when a death was told before its answer', async () => {
    const { hub, reads, event } = await started()
    event('deleted', y)
    reads[0]?.arrive()
    await reads[0]?.deliver(x)
    expect(hub.knowsAlive).toBe(true)
    expect([...hub.alive]).toEqual([x])
    expect(reads).toHaveLength(1)
  })
})

describe('many instances that join one job within seconds', () => {
  it('are assigned their shards in a few reshardings, and read little of each other', async () => {
    const count = 200
    for (let index = 0; index < count; index++) {
      await cluster.join(`10.1.${index >> 8}.${index & 255}`)
    }
    for (const { wire } of cluster.instances) wire.reset()
    const options = { jobName: 'job', cron: '0 0 * * * ?', shardingTotalCount: count }
    const joining = cluster.instances.map(async ({ jobs }, index) => {
      await new Promise<void>((resolve) => {
        cluster.clock.setTimer(resolve, index * 20)
      })
      return jobs.schedule(options, noOp)
    })
    const all = await cluster.until(Promise.all(joining))
    await cluster.advance(10_000)
    expect(all.map(({ shardingItems }) => shardingItems.length)).toEqual(
      Array.from({ length: count }, () => 1),
    )
    expect(cluster.told('sharding:changed').length).toBeLessThanOrEqual(3)
    for (const { wire } of cluster.instances) {
      const { multiRead = 0, multi = 0, getData = 0 } = wire.counts
      // One look at the server of each that comes later, and a handful of reads and writes for oneself.
      expect(multiRead + multi + getData).toBeLessThanOrEqual(count + 20)
      expect(multi).toBeLessThanOrEqual(10)
      // Of each that comes its server and itself; of each shard the node and its owner.
      expect(wire.events).toBeLessThanOrEqual(4 * count + 20)
    }
  }, 60_000)
})
