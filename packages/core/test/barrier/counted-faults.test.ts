/** Runs of a job without Java instances in which somebody dies, is late, or is cut off. */
import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { type FleetMember, work } from '../support/fleet.ts'
import {
  shardOf,
  job,
  type Manners,
  minute,
  quick,
  Rounds,
  serverHost,
  tenSeconds,
  unequal,
} from './rounds.ts'

let cluster: SimulatedCluster
let rounds: Rounds

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  rounds = new Rounds(cluster)
})

afterEach(() => cluster.stop())

describe('an instance that dies in the middle of a run', () => {
  it('with failover its shard is run again, counts once, and the end is told when it has ended', async () => {
    await rounds.trio(job({ failover: true }), tenSeconds)
    await rounds.pastFire(5_000)
    const { follower } = rounds
    const shard = shardOf(follower)
    follower.machine.die()
    await cluster.advance(20_000)
    expect(rounds.count('after')).toBe(0)
    await cluster.advance(10_000)
    expect(rounds.order().slice(-2)).toEqual([`end ${shard}`, 'after'])
    expect(rounds.count('begin')).toBe(4)
    expect(rounds.count('before')).toBe(1)
    expect(rounds.count('after')).toBe(1)
  })

  it('without failover the end is never told, and that is said once', async () => {
    await rounds.trio(job(), tenSeconds)
    await rounds.pastFire(5_000)
    const { follower } = rounds
    const shard = shardOf(follower)
    follower.machine.die()
    await cluster.advance(30_000)
    expect(rounds.count('after')).toBe(0)
    expect(cluster.told('barrier:broken')).toMatchObject([
      { phase: 'completed', reason: `shards ${shard} were lost with their instances` },
    ])
    // The next run is another one.
    await rounds.pastFire(15_000)
    expect(rounds.order().at(-1)).toBe('after')
    expect(rounds.count('before')).toBe(2)
    expect(rounds.count('after')).toBe(1)
  })

  it('right after its run has ended: another one tells the end', async () => {
    await rounds.trio(job({ failover: true }))
    const last = rounds.fleet.find((member) => shardOf(member) === 2)
    const recorded = cluster.untilEvent('run:recorded', ({ shardingItem }) => shardingItem === 2)
    await cluster.toPhase(59_000, minute)
    await recorded
    last?.machine.die()
    await cluster.advance(1_000)
    expect(rounds.count('after')).toBe(0)
    await cluster.advance(20_000)
    expect(rounds.order().at(-1)).toBe('after')
    expect(rounds.count('after')).toBe(1)
  })

  it('all of them: what they have left does not count for the next run', async () => {
    await rounds.trio(job(), tenSeconds)
    await rounds.pastFire(5_000)
    for (const { machine } of rounds.fleet) machine.die()
    await cluster.advance(20_000)
    for (const ip of ['10.0.1.4', '10.0.1.5', '10.0.1.6']) await rounds.enlist(ip, job(), unequal)
    rounds.happenings = []
    const { frozen } = await rounds.freezeOne()
    await rounds.pastFire(5_000)
    expect(rounds.order()).toEqual([])
    frozen.machine.wake()
    await cluster.advance(10_000)
    const order = rounds.order()
    expect([order[0], order.at(-1), order.length]).toEqual(['before', 'after', 8])
  })
})

describe('an instance that dies while it calls them', () => {
  let calls: FleetMember[]
  beforeEach(() => {
    calls = []
  })

  /** Takes long enough to be killed, the first time. */
  const slowly: Manners['beforeLastStarted'] = async (context) => {
    const here = rounds.callerOf(context)
    calls.push(here)
    if (calls.length === 1) await work(here, 5_000)
  }

  it('with failover another one calls them', async () => {
    await rounds.trio(job({ failover: true }), quick, { beforeLastStarted: slowly })
    await rounds.pastFire(1_000)
    calls[0]?.machine.die()
    await cluster.advance(25_000)
    expect(calls).toHaveLength(2)
    expect(calls[0]).not.toBe(calls[1])
    expect(rounds.count('end')).toBe(3)
    expect(rounds.count('after')).toBe(1)
    expect(cluster.told('barrier:broken')).toEqual([])
  })

  it('without failover nobody does, the others begin, and it is said once', async () => {
    const manners: Manners = { beforeLastStarted: slowly, startedTimeout: 50_000 }
    await rounds.trio(job(), quick, manners)
    await rounds.pastFire(1_000)
    calls[0]?.machine.die()
    await cluster.advance(25_000)
    expect(calls).toHaveLength(1)
    expect(rounds.count('end')).toBe(2)
    const broken = cluster.told('barrier:broken').filter(({ phase }) => phase === 'started')
    expect(broken).toHaveLength(1)
  })

  it('so with the end of a run', async () => {
    await rounds.trio(job({ failover: true }), unequal, { afterLastCompleted: slowly })
    await rounds.pastFire(5_000)
    calls[0]?.machine.die()
    await cluster.advance(25_000)
    expect(calls).toHaveLength(2)
  })
})

describe('a shard that never comes', () => {
  /** One of three stands still at the time, and the others have waited for it. */
  async function withoutOne(options = job()): Promise<FleetMember> {
    await rounds.trio(options, unequal, { startedTimeout: 5_000 })
    const { frozen } = await rounds.freezeOne()
    await rounds.pastFire(4_900)
    expect(rounds.order()).toEqual([])
    return frozen
  }

  it('is waited for no longer than said: the others begin, and it is told', async () => {
    const frozen = await withoutOne()
    const shard = shardOf(frozen)
    await cluster.advance(1_000)
    expect(rounds.count('begin')).toBe(2)
    expect(rounds.count('before')).toBe(0)
    expect(cluster.told('barrier:timed-out')).toMatchObject([
      { phase: 'started', timeout: 5_000, missing: [shard] },
    ])
    // It comes after all: nobody tells the beginning of what has long begun.
    frozen.machine.wake()
    await cluster.advance(10_000)
    expect(rounds.count('begin')).toBe(3)
    expect(rounds.count('before')).toBe(0)
    expect(rounds.count('after')).toBe(1)
    await rounds.pastFire(10_000)
    expect(rounds.count('before')).toBe(1)
  })

  it('with THROW the others do not begin', async () => {
    const frozen = await withoutOne(job({ jobErrorHandlerType: 'THROW' }))
    const errors: string[] = []
    for (const { jobs } of rounds.fleet) jobs.on('error', ({ message }) => errors.push(message))
    await cluster.advance(1_000)
    frozen.machine.wake()
    await cluster.advance(5_000)
    expect(rounds.count('begin')).toBe(0)
    expect(errors).toHaveLength(3)
    expect(errors[0]).toContain('have not begun together')
    const outcomes = cluster.told('run:recorded').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['failure', 'failure', 'failure'])
  })

  it('is waited for at the end, too, and then it is told and nobody waits', async () => {
    await rounds.trio(job(), unequal, { completedTimeout: 8_000 })
    await rounds.pastFire(100)
    const slow = rounds.fleet.find((member) => shardOf(member) === 2)
    slow?.machine.freeze()
    await cluster.advance(9_000)
    expect(cluster.told('barrier:timed-out')).toMatchObject([
      { phase: 'completed', missing: [2], timeout: 8_000 },
    ])
    expect(rounds.count('after')).toBe(0)
    slow?.machine.wake()
    await cluster.advance(3_000)
    expect(rounds.order().at(-1)).toBe('after')
  })
})

describe('the wait', () => {
  const patient: Manners = { startedTimeout: 50_000 }

  /** As after a cable that was pulled and put back. */
  function reconnect({ ip }: FleetMember): void {
    cluster.network.reset(ip, serverHost)
    cluster.network.release(ip, serverHost)
  }

  it('asks nothing again and again', async () => {
    await rounds.trio(job(), quick, patient)
    const { frozen, others } = await rounds.freezeOne()
    await rounds.pastFire(2_000)
    for (const { wire } of others) wire.reset()
    // Before the leader wonders where the third run is.
    await cluster.advance(2_900)
    for (const { wire } of others) {
      const { ping: _, setData: proofs, ...asked } = wire.counts
      expect(proofs).toBeGreaterThan(0)
      expect(asked).toEqual({})
    }
    frozen.machine.wake()
    // After so long a silence it begins nothing before the registry has heard of it again.
    await cluster.advance(5_000)
    expect(rounds.count('end')).toBe(3)
  })

  it('an end that is missed without a connection is found when it is back', async () => {
    await rounds.trio(job(), quick, patient)
    const { frozen, others } = await rounds.freezeOne()
    const [deaf] = others as [FleetMember]
    await rounds.pastFire(2_000)
    cluster.network.hold(deaf.ip, serverHost)
    frozen.machine.wake()
    await cluster.advance(500)
    expect(rounds.count('before')).toBe(1)
    expect(rounds.count('end')).toBe(2)
    reconnect(deaf)
    await cluster.advance(5_000)
    expect(rounds.count('end')).toBe(3)
    expect(rounds.count('after')).toBe(1)
  })

  it('what came of a call without a connection is told when it is back', async () => {
    const callers: FleetMember[] = []
    const beforeLastStarted: Manners['beforeLastStarted'] = async (context) => {
      const here = rounds.callerOf(context)
      callers.push(here)
      await work(here, 3_000)
    }
    await rounds.trio(job(), quick, { beforeLastStarted, afterLastCompleted: undefined })
    await rounds.pastFire(1_000)
    const [caller] = callers as [FleetMember]
    cluster.network.hold(caller.ip, serverHost)
    await cluster.advance(3_000)
    expect(rounds.count('end')).toBe(1)
    reconnect(caller)
    await cluster.advance(5_000)
    expect(rounds.count('end')).toBe(3)
    expect(callers).toHaveLength(1)
  })

  it('a call is made, and once, although the answer that it is ours to make was lost', async () => {
    await rounds.trio(job(), quick, patient)
    const { frozen } = await rounds.freezeOne()
    const shard = shardOf(frozen)
    await rounds.pastFire(2_000)
    await rounds.disable(shard)
    // Nothing else is written as a transaction while they wait.
    await cluster.until(cluster.faults.loseNextReply({ type: opCode.multi }))
    expect(rounds.count('before')).toBe(0)
    await cluster.advance(5_000)
    expect(rounds.count('before')).toBe(1)
    expect(rounds.count('end')).toBe(2)
    frozen.machine.wake()
    await cluster.advance(1_000)
  })

  it('ends with the runs that wait', async () => {
    await rounds.trio(job(), quick)
    const { frozen, others } = await rounds.freezeOne()
    await rounds.pastFire(2_000)
    await cluster.until((others[0] as FleetMember).jobs.stop())
    // Its shard is due again, elsewhere.
    frozen.machine.wake()
    await cluster.advance(10_000)
    expect(rounds.count('before')).toBe(1)
    expect(rounds.count('end')).toBe(3)
    expect(rounds.count('after')).toBe(1)
  })
})
