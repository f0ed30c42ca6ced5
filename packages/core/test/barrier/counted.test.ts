import { toText } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { type FleetBody, work } from '../support/fleet.ts'
import {
  shardOf,
  job,
  type Manners,
  minute,
  quick,
  Rounds,
  serverHost,
  tenSeconds,
} from './rounds.ts'

let cluster: SimulatedCluster
let rounds: Rounds

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  rounds = new Rounds(cluster)
})

afterEach(() => cluster.stop())

/** One whole run of three shards, each of which takes its own time; who begins first is chance. */
const whole = ['before', ['begin 0', 'begin 1', 'begin 2'], 'end 0', 'end 1', 'end 2', 'after']

function roundOf([before = '', ...order]: readonly string[]): (string | string[])[] {
  return [before, order.slice(0, 3).toSorted(), ...order.slice(3)]
}

describe('the listeners of a run', () => {
  it('are told once, before the first shard of all begins and after the last of all has ended', async () => {
    await rounds.trio()
    await rounds.pastFire(10_000)
    expect(roundOf(rounds.order())).toEqual(whole)
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })

  it('keep all shards waiting until they are done', async () => {
    const beforeLastStarted: Manners['beforeLastStarted'] = async (context) => {
      await work(rounds.callerOf(context), 5_000)
      rounds.add('before', context.fireTime)
    }
    await rounds.trio(job(), quick, { beforeLastStarted })
    await rounds.pastFire(4_900)
    expect(rounds.order()).toEqual([])
    await cluster.advance(1_000)
    expect(rounds.order()[0]).toBe('before')
    expect(rounds.order()).toHaveLength(8)
  })

  it('are told of quick runs, one after the other, each for itself', async () => {
    // The last shard is slower than the schedule.
    const body: FleetBody = ({ shardingItem }, here) => work(here, shardingItem === 2 ? 7_000 : 10)
    await rounds.trio(job({ cron: '0/5 * * * * ?' }), body)
    const from = cluster.clock.now()
    await cluster.advance(60_000)
    const until = cluster.clock.now() - 20_000
    const times = rounds.happenings
      .map(({ fireTime }) => fireTime)
      .filter((time) => time > from && time < until)
    expect(new Set(times).size).toBeGreaterThan(3)
    for (const fireTime of new Set(times)) {
      const order = rounds.order(fireTime)
      expect([order[0], order.at(-1)]).toEqual(['before', 'after'])
      expect(new Set(order).size).toBe(order.length)
    }
    expect(cluster.told('barrier:broken')).toEqual([])
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })

  it('are told of a trigger as of a scheduled time', async () => {
    await rounds.trio()
    const { asked } = await cluster.until(rounds.follower.job.trigger())
    await cluster.advance(10_000)
    expect(roundOf(rounds.order(asked))).toEqual(whole)
  })

  it('are told of a trigger of some shards when these have begun and ended', async () => {
    await rounds.trio()
    await cluster.until(rounds.follower.job.trigger({ shards: [0, 2] }))
    await cluster.advance(10_000)
    const order = rounds.order()
    expect([order[0], order.at(-1)]).toEqual(['before', 'after'])
    expect(order.slice(1, -1).toSorted()).toEqual(['begin 0', 'begin 2', 'end 0', 'end 2'])
  })

  it('who only want to know the end keep nobody from beginning', async () => {
    await rounds.trio(job(), quick, { beforeLastStarted: undefined })
    const { frozen } = await rounds.freezeOne()
    await rounds.pastFire(5_000)
    expect(rounds.count('end')).toBe(2)
    expect(rounds.count('after')).toBe(0)
    frozen.machine.wake()
    await cluster.advance(5_000)
    expect(rounds.order().at(-1)).toBe('after')
    expect(rounds.count('after')).toBe(1)
  })

  it('are called by an instance that is stopped before it goes', async () => {
    const afterLastCompleted: Manners['afterLastCompleted'] = async (context) => {
      await work(rounds.callerOf(context), 3_000)
      rounds.add('after', context.fireTime)
    }
    const only = await rounds.enlist('10.0.1.1', job(), tenSeconds, { afterLastCompleted })
    await cluster.advance(2_000)
    await rounds.pastFire(1_000)
    await cluster.until(only.jobs.stop())
    expect(rounds.order().at(-1)).toBe('after')
    expect(rounds.count('after')).toBe(1)
  })
})

describe('who is waited for', () => {
  it('not a shard that is disabled', async () => {
    await rounds.trio()
    await rounds.disable(1)
    await rounds.pastFire(10_000)
    const order = rounds.order()
    expect([order[0], order.at(-1)]).toEqual(['before', 'after'])
    expect(order.slice(1, -1).toSorted()).toEqual(['begin 0', 'begin 2', 'end 0', 'end 2'])
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })

  it('not one that is disabled while the others wait for it', async () => {
    await rounds.trio()
    const { frozen } = await rounds.freezeOne()
    const shard = shardOf(frozen)
    await rounds.pastFire(3_000)
    expect(rounds.order()).toEqual([])
    await rounds.disable(shard)
    await cluster.advance(2_000)
    expect(rounds.order()[0]).toBe('before')
    expect(rounds.count('begin')).toBe(2)
    frozen.machine.wake()
    await cluster.advance(5_000)
    expect(rounds.order().at(-1)).toBe('after')
    expect(rounds.count('before')).toBe(1)
  })

  it('not one that runs over the time and drops it', async () => {
    await cluster.toPhase(0, minute)
    const slow = cluster.clock.now() + minute
    const body: FleetBody = ({ shardingItem, fireTime }, here) =>
      work(here, shardingItem === 1 && fireTime.getTime() === slow ? 70_000 : 100)
    await rounds.trio(job({ misfire: false }), body)
    await rounds.pastFire(10_000)
    await rounds.pastFire(5_000)
    const order = rounds.order(slow + minute)
    expect([order[0], order.at(-1)]).toEqual(['before', 'after'])
    expect(order).toHaveLength(6)
  })

  it('a trigger and a scheduled time do not wait for each other', async () => {
    await rounds.trio(job(), quick)
    const [first, second] = rounds.fleet
    // One hears of the trigger a moment later: it has begun the scheduled time by then.
    await cluster.toPhase(59_995, minute)
    cluster.network.hold(second?.ip ?? '', serverHost)
    await cluster.advance(1)
    void first?.job.trigger()
    await cluster.advance(20)
    cluster.network.release(second?.ip ?? '', serverHost)
    await cluster.advance(10_000)
    expect(rounds.count('before')).toBe(2)
    expect(rounds.count('after')).toBe(2)
    expect(rounds.count('end')).toBe(6)
    expect(cluster.told('barrier:timed-out')).toEqual([])
  })
})

describe('a listener that fails', () => {
  const failing: Manners = {
    beforeLastStarted: () => Promise.reject(new Error('no room')),
    afterLastCompleted: () => Promise.reject(new Error('too late')),
  }

  it('goes to the error handler, and the shards run', async () => {
    await rounds.trio(job(), quick, failing)
    await rounds.pastFire(10_000)
    expect(rounds.count('end')).toBe(3)
  })

  it('with THROW none of the shards runs, wherever it is', async () => {
    await rounds.trio(job({ jobErrorHandlerType: 'THROW' }), quick, failing)
    const errors: string[] = []
    for (const { jobs } of rounds.fleet) jobs.on('error', ({ message }) => errors.push(message))
    await rounds.pastFire(10_000)
    expect(rounds.count('begin')).toBe(0)
    expect(errors.filter((message) => message.includes('no room'))).toHaveLength(3)
    expect(errors.filter((message) => message.includes('too late'))).toHaveLength(1)
  })
})

describe('a job without such listeners', () => {
  it('pays nothing', async () => {
    const others: Manners = {
      beforeLastStarted: undefined,
      afterLastCompleted: undefined,
      beforeJobExecuted: () => {},
    }
    const only = await rounds.enlist('10.0.1.1', job(), quick, others)
    await cluster.advance(2_000)
    await cluster.toPhase(59_900, minute)
    only.wire.reset()
    await cluster.advance(1_000)
    expect(rounds.count('end')).toBe(3)
    expect(only.wire.counts).toEqual({ multi: 2 })
    const client = await cluster.client('10.0.9.3')
    const { data } = await cluster.until(client.get(cluster.pathsOf('job').shardStates))
    expect(toText(data)).toBe('')
  })
})
