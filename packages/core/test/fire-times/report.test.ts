import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ElasticJobEvents } from '../../src/index.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'
import { enlist, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000
const seconds = 1000

/** The process dies after the transaction with its report was committed, and before it has reported anything. */
function dieAtReport({ jobs, machine }: SimulatedInstance): void {
  const emit = jobs.emit.bind(jobs)
  jobs.emit = (name, ...payload) => {
    if (name === 'fire:missed') machine.die()
    return machine.isDead ? false : emit(name, ...payload)
  }
}

const missed = (): ElasticJobEvents['fire:missed'][0][] => cluster.told('fire:missed')

const join = (ip: string, failover: boolean, cron = '0/5 * * * * ?'): Promise<FleetMember> =>
  enlist(cluster, ip, { jobName: 'job', cron, shardingTotalCount: 1, failover }, (_, here) =>
    work(here, seconds),
  )

/** The owner stands still over two fire times, and wakes after the second; answers the first of them. */
async function standStill({ machine }: FleetMember): Promise<number> {
  await cluster.toPhase(3 * seconds, minute)
  machine.freeze()
  await cluster.advance(8 * seconds)
  machine.wake()
  return cluster.clock.now() - 6 * seconds
}

describe('fire times whose reporter dies between its transaction and its report', () => {
  it.each([false, true])(
    'are reported by the leader when a claim was to report them (failover %s)',
    async (failover) => {
      const members = [await join('10.0.1.1', failover), await join('10.0.1.2', failover)]
      await cluster.advance(minute)
      const owner = members.find(({ job }) => job.shardingItems.length > 0) as FleetMember
      dieAtReport(owner)
      const fireTime = await standStill(owner)
      expect(owner.machine.isDead).toBe(false)
      await cluster.advance(5 * seconds)
      expect(owner.machine.isDead).toBe(true)
      expect(missed()).toEqual([])
      await cluster.advance(minute)
      expect(missed()[0]).toMatchObject({ shardingItem: 0, first: fireTime, fireTime })
    },
  )

  it('are reported by the process that starts next when no other is there', async () => {
    const owner = await join('10.0.1.1', false)
    await cluster.advance(minute)
    dieAtReport(owner)
    const fireTime = await standStill(owner)
    await cluster.advance(5 * seconds)
    expect(owner.machine.isDead).toBe(true)
    await join('10.0.1.2', false)
    await cluster.advance(minute)
    expect(missed()[0]).toMatchObject({ shardingItem: 0, first: fireTime, fireTime })
  })

  it('are reported by the next leader when the leader was to report them, however many die', async () => {
    const first = await join('10.0.1.1', false)
    await cluster.advance(minute)
    await cluster.toPhase(3 * seconds, minute)
    const fireTime = cluster.clock.now() + 2 * seconds
    first.machine.die()
    await cluster.advance(2 * minute)
    for (const ip of ['10.0.1.2', '10.0.1.3']) {
      const leader = await join(ip, false)
      dieAtReport(leader)
      await cluster.advance(minute)
      expect(leader.machine.isDead).toBe(true)
    }
    expect(missed()).toEqual([])
    await join('10.0.1.4', false)
    await cluster.advance(minute)
    expect(missed()[0]).toMatchObject({ shardingItem: 0, first: fireTime })
  })
})

describe('fire times whose reporter loses its connection before the answer to its transaction', () => {
  const hour = 60 * minute
  const hourly = '0 0 * * * ?'

  /** A leader has closed a fire time, and does not know it; answers the fire time. */
  async function unansweredClose(): Promise<number> {
    const first = await join('10.0.1.1', false, hourly)
    await cluster.toPhase(hour - 20 * seconds, hour)
    first.machine.die()
    await cluster.toPhase(minute, hour)
    const fireTime = cluster.clock.now() - minute
    const { ip, wire } = await join('10.0.1.2', false, hourly)
    await cluster.advance(4 * seconds)
    wire.reset()
    while (wire.counts['multi'] === undefined) await cluster.advance(1)
    cluster.network.holdWay('10.0.0.1', ip)
    await cluster.advance(5)
    cluster.network.reset(ip, '10.0.0.1')
    cluster.network.releaseWay('10.0.0.1', ip)
    await cluster.advance(seconds)
    return fireTime
  }

  it('are reported when it is connected again', async () => {
    const fireTime = await unansweredClose()
    await cluster.advance(2 * minute)
    expect(cluster.told('registry:suspended')).toHaveLength(1)
    expect(missed()).toMatchObject([{ shardingItem: 0, first: fireTime, fireTime }])
  })
})
