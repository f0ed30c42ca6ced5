import { type Acl, openAcl } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { decodeShardState, type ShardState } from '../../src/job-tree/shard-state.ts'
import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { operatorAt } from '../support/operator.ts'
import { readable } from '../support/readable.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000
/** How long it takes at most until a dead process is known to be dead, and somebody has taken over. */
const enough = 25_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 3,
  failover: true,
  ...options,
})

const join = (ip: string, body: FleetBody, options = job()): Promise<FleetMember> =>
  enlist(cluster, ip, options, body)

/** Runs as they began: where, shard, attempt, why. */
const seen = (): string[] =>
  cluster.runs.map(({ ip, shardingItem, attempt, source }) =>
    [ip.split('.').at(-1), shardingItem, attempt, source].join(' '),
  )

const taken = (): string[] => seen().filter((line) => line.endsWith('failover'))

async function stateOf(shard: number): Promise<ShardState> {
  return readable(
    decodeShardState((await text(cluster.pathsOf('job').shardState(shard))) ?? '', 'node'),
  )
}

async function text(path: string): Promise<string | undefined> {
  const observer = await FakeJava.start(cluster, '10.0.9.1')
  const found = await observer.text(path)
  await observer.die()
  return found
}

/** What stands below the shards that is not an owner, and who waits to be taken over. */
async function leftovers(): Promise<string[]> {
  const { shards, failoverShards } = cluster.pathsOf('job')
  const found: string[] = []
  const observer = await cluster.client('10.0.9.2')
  const childrenOf = async (path: string): Promise<string[]> => {
    const { children } = await cluster.until(observer.children(path))
    return [...children].toSorted()
  }
  for (const shard of await childrenOf(shards)) {
    for (const mark of await childrenOf(`${shards}/${shard}`)) {
      if (mark !== 'instance') found.push(`${shard}/${mark}`)
    }
  }
  const waiting = await childrenOf(failoverShards).catch(() => [])
  return [...found, ...waiting.map((shard) => `waiting ${shard}`)]
}

/** Three processes, each on its own host, and each in the middle of its shard. */
async function threeAtWork(body: FleetBody): Promise<[FleetMember, FleetMember, FleetMember]> {
  const members: FleetMember[] = []
  for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) members.push(await join(ip, body))
  await cluster.advance(10_000)
  await cluster.toPhase(5_000, minute)
  expect(cluster.runs).toHaveLength(3)
  return members as [FleetMember, FleetMember, FleetMember]
}

const shardOf = (member: FleetMember): number => member.job.shardingItems[0] as number
const halfAMinute: FleetBody = (_, here) => work(here, 30_000)

describe('a run of a process that has died', () => {
  it('with one instance a host: is run again by somebody else, for the same time', async () => {
    const [, second, third] = await threeAtWork(halfAMinute)
    const victim = second.job.isLeader ? third : second
    const shard = shardOf(victim)
    const [{ fireTime, runId, instance }] = cluster.runs.filter(({ ip }) => ip === victim.ip) as [
      (typeof cluster.runs)[0],
    ]
    victim.machine.die()
    await cluster.advance(enough)
    expect(cluster.told('run:crashed')).toMatchObject([
      { shardingItem: shard, runId, instance, source: 'cron', attempt: 1, fireTime },
    ])
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    const takenOver = { runId, instance }
    expect(again).toMatchObject([{ shardingItem: shard, attempt: 2, fireTime, takenOver }])
    expect(again[0]?.ip).not.toBe(victim.ip)
    expect(again[0]?.runId).not.toBe(runId)
    await cluster.toPhase(58_000, minute)
    expect(await leftovers()).toEqual([])
    expect(await stateOf(shard)).toMatchObject({ state: 'idle', outcome: 'success', fireTime })
  })

  it('runs again before the shards of the dead one are reassigned', async () => {
    const resharded = (): number => cluster.told('sharding:changed').length
    const reshardedBefore: number[] = []
    const [, second, third] = await threeAtWork(async ({ source }, here) => {
      if (source === 'failover') reshardedBefore.push(resharded())
      await work(here, 30_000)
    })
    const victim = second.job.isLeader ? third : second
    const before = resharded()
    victim.machine.die()
    await cluster.advance(enough)
    expect(reshardedBefore).toEqual([before])
    expect(resharded()).toBeGreaterThan(before)
  })

  it('finds where to wait made before anybody died, unless failover is off', async () => {
    await join('10.0.1.1', halfAMinute)
    await cluster.advance(5_000)
    expect(await text(cluster.pathsOf('job').failoverShards)).toBe('')
    await join('10.0.1.1', halfAMinute, job({ jobName: 'off', failover: false }))
    await cluster.advance(5_000)
    expect(await text(cluster.pathsOf('off').failoverShards)).toBeUndefined()
  })

  it('the leader is the one that died', async () => {
    const members = await threeAtWork(halfAMinute)
    const leader = members.find((member) => member.job.isLeader) as FleetMember
    leader.machine.die()
    await cluster.advance(enough)
    expect(taken()).toEqual([expect.stringContaining(` ${shardOf(leader)} 2 failover`)])
  })

  it('the taker dies as well, and so does the next: after three attempts it is given up', async () => {
    const deaths: string[] = []
    const deadly: FleetBody = async ({ shardingItem, fireTime }, here) => {
      if (shardingItem !== 0 || fireTime.getTime() > firstFire) return
      deaths.push(here.ip)
      here.machine.die()
    }
    const options = job({ shardingTotalCount: 1 })
    for (const host of [1, 2, 3, 4, 5]) await join(`10.0.1.${host}`, deadly, options)
    await cluster.toPhase(minute - 1_000, minute)
    const firstFire = cluster.clock.now() + 1_000
    await cluster.advance(minute + 6_000)
    expect(deaths).toHaveLength(3)
    expect(new Set(deaths).size).toBe(3)
    expect(cluster.runs.filter((run) => run.fireTime === firstFire)).toMatchObject([
      { attempt: 1 },
      { attempt: 2 },
      { attempt: 3 },
    ])
    expect(cluster.told('run:abandoned')).toMatchObject([{ shardingItem: 0, attempt: 3 }])
    // Until its next time, at which it begins afresh.
    expect(cluster.runs.at(-1)).toMatchObject({ attempt: 1, source: 'cron' })
    expect(cluster.runs.at(-1)?.fireTime).toBe(firstFire + minute)
    expect(await leftovers()).toEqual([])
  })

  it('the attempts are a setting', async () => {
    const options = job({ shardingTotalCount: 1, props: { 'failover.max.attempts': '1' } })
    for (const ip of ['10.0.1.1', '10.0.1.2']) await join(ip, halfAMinute, options)
    await cluster.advance(10_000)
    await cluster.toPhase(5_000, minute)
    const ip = cluster.runs[0]?.ip
    cluster.instances.find((instance) => instance.ip === ip)?.machine.die()
    await cluster.advance(enough)
    expect(taken()).toEqual([])
    expect(cluster.told('run:abandoned')).toHaveLength(1)
  })

  it('all die and several return', async () => {
    for (const member of await threeAtWork(halfAMinute)) member.machine.die()
    await cluster.advance(enough)
    for (const ip of ['10.0.1.4', '10.0.1.5']) await join(ip, async () => {})
    await cluster.advance(5_000)
    expect(cluster.runs.slice(3).map(({ source, attempt }) => [source, attempt])).toEqual([
      ['failover', 2],
      ['failover', 2],
      ['failover', 2],
    ])
    expect(new Set(cluster.runs.slice(3).map(({ shardingItem }) => shardingItem)).size).toBe(3)
    await cluster.toPhase(5_000, minute)
    expect(cluster.runs.slice(6).map(({ source }) => source)).toEqual(['cron', 'cron', 'cron'])
    expect(await leftovers()).toEqual([])
  })

  it('the same hosts come back, as others: what they left is judged by that', async () => {
    const members = await threeAtWork(halfAMinute)
    for (const member of members) member.machine.die()
    for (const { ip } of members) await join(ip, async () => {})
    await cluster.advance(enough)
    expect(taken()).toHaveLength(3)
    expect(await leftovers()).toEqual([])
  })

  it('that was completed is never run again', async () => {
    const [first] = await threeAtWork(async () => {})
    first.machine.die()
    await cluster.toPhase(55_000, minute)
    expect(cluster.told('run:crashed')).toEqual([])
    expect(cluster.runs).toHaveLength(3)
  })

  it('is not run again with failover off, and the next time is', async () => {
    const options = job({ failover: false })
    const members: FleetMember[] = []
    for (const ip of ['10.0.1.1', '10.0.1.2']) {
      members.push(await join(ip, halfAMinute, options))
    }
    await cluster.advance(10_000)
    await cluster.toPhase(5_000, minute)
    members[0]?.machine.die()
    await cluster.toPhase(5_000, minute)
    expect(taken()).toEqual([])
    expect(shardsIn(cluster.runs.slice(3))).toEqual([0, 1, 2])
  })
})

describe('who takes over', () => {
  it('runs its own shards at their own time, and none of them besides', async () => {
    const options = job({ cron: '0/10 * * * * ?', misfire: false })
    const long: FleetBody = async (_, here) => {
      if (here.ip === '10.0.1.1') await work(here, minute)
    }
    const victim = await join('10.0.1.1', long, options)
    await cluster.advance(1_000)
    await cluster.toPhase(5_000, 10_000)
    const survivor = await join('10.0.1.2', long, options)
    await cluster.advance(1_000)
    await cluster.toPhase(5_000, 10_000)
    const shards = new Set(survivor.job.shardingItems)
    expect(shards.size).toBeGreaterThan(0)
    victim.machine.die()
    const from = cluster.clock.now()
    await cluster.advance(enough)
    expect(taken().length).toBeGreaterThan(0)
    const own = cluster.runs.filter((run) => run.ip === survivor.ip && shards.has(run.shardingItem))
    expect(own.every(({ source }) => source === 'cron')).toBe(true)
    const keys = own.map(({ shardingItem, fireTime }) => `${shardingItem}@${fireTime}`)
    expect(new Set(keys).size).toBe(keys.length)
    // Every time that came is run on time, also the one at which it was busy taking over.
    const times = new Set(own.map(({ fireTime }) => fireTime))
    for (let time = Math.ceil(from / 10_000) * 10_000; time < from + enough; time += 10_000) {
      expect(times).toContain(time)
    }
    expect(own.every(({ at, fireTime }) => at - fireTime < 1_000)).toBe(true)
  })

  it('is decided by rank, not by a race', async () => {
    const options = job({ shardingTotalCount: 8 })
    const victim = await join('10.0.1.1', halfAMinute, options)
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toHaveLength(8)
    for (const ip of ['10.0.1.2', '10.0.1.3']) await join(ip, halfAMinute, options)
    await cluster.advance(2_000)
    victim.machine.die()
    await cluster.advance(enough)
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    const counts = ['10.0.1.2', '10.0.1.3'].map((ip) => again.filter((run) => run.ip === ip).length)
    expect(counts).toEqual([4, 4])
    expect(cluster.told('claim:refused')).toEqual([])
  })

  it('leaves what a frozen one does not take to the others', async () => {
    const options = job({ shardingTotalCount: 4 })
    const victim = await join('10.0.1.1', halfAMinute, options)
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    const second = await join('10.0.1.2', halfAMinute, options)
    const third = await join('10.0.1.3', halfAMinute, options)
    await cluster.advance(2_000)
    victim.machine.die()
    await cluster.untilEvent('run:crashed')
    const frozen = second.job.isLeader ? third : second
    frozen.machine.freeze()
    await cluster.advance(4_000)
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    expect(shardsIn(again)).toEqual([0, 1, 2, 3])
    frozen.machine.wake()
    await cluster.advance(4_000)
    expect(taken()).toHaveLength(4)
  })

  it('runs a shard of a manual run with the parameter of that manual run', async () => {
    const parameters: string[] = []
    const options = job({ cron: undefined, jobParameter: 'usual' })
    const body: FleetBody = async ({ jobParameter, attempt }, here) => {
      parameters.push(`${attempt} ${jobParameter}`)
      if (attempt === 1) await work(here, 30_000)
    }
    const first = await join('10.0.1.1', body, options)
    await join('10.0.1.2', body, options)
    await cluster.advance(10_000)
    await cluster.until(first.job.trigger({ parameter: 'special' }))
    await cluster.advance(1_000)
    first.machine.die()
    await cluster.advance(enough)
    expect(parameters.filter((one) => one.startsWith('2'))).not.toEqual([])
    expect(parameters.every((one) => one.endsWith('special'))).toBe(true)
    await cluster.advance(minute)
    expect(cluster.told('trigger:completed')).toMatchObject([{ manualRun: 1 }])
  })
})

describe('changes in between', () => {
  it('fewer shards: a crashed run of one that is gone is cleared, with an event', async () => {
    for (const member of await threeAtWork(halfAMinute)) member.machine.die()
    await cluster.advance(enough)
    await cluster.configure('job', { shardingTotalCount: 1 })
    await join('10.0.1.4', async () => {})
    await cluster.advance(10_000)
    expect(taken()).toEqual(['4 0 2 failover'])
    expect(
      cluster
        .told('reconcile:repaired')
        .map(({ what }) => what)
        .toSorted(),
    ).toEqual([
      'a crashed run of shard 1, which does not exist any more',
      'a crashed run of shard 2, which does not exist any more',
      'states of shards beyond the shard count: 1, 2',
    ])
    expect(await leftovers()).toEqual([])
  })

  it('more shards: the crashed runs are taken, the new ones begin at their time', async () => {
    for (const member of await threeAtWork(halfAMinute)) member.machine.die()
    await cluster.advance(enough)
    await cluster.configure('job', { shardingTotalCount: 5 })
    await join('10.0.1.4', async () => {})
    await cluster.advance(10_000)
    expect(taken()).toHaveLength(3)
    await cluster.toPhase(5_000, minute)
    expect(shardsIn(cluster.runs.slice(6))).toEqual([0, 1, 2, 3, 4])
  })

  it('switched off, all marks are cleared, and switched on again nothing comes back', async () => {
    const [first, second, third] = await threeAtWork(halfAMinute)
    first.machine.die()
    second.machine.die()
    await cluster.untilEvent('run:started', ({ source }) => source === 'failover')
    third.machine.die()
    await cluster.advance(enough)
    await cluster.configure('job', { failover: false })
    const fourth = await join('10.0.1.4', async () => {}, job({ failover: false }))
    await cluster.advance(5_000)
    const runs = cluster.runs.length
    expect(await leftovers()).toEqual([])
    await cluster.configure('job', { failover: true })
    await cluster.until(fourth.jobs.stop())
    await cluster.toPhase(40_000, minute)
    const before = cluster.runs.length
    await join('10.0.1.5', async () => {})
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(before)
    expect(before - runs).toBeLessThanOrEqual(3)
  })

  it('a disabled server takes nothing over', async () => {
    const [first, second] = await threeAtWork(halfAMinute)
    const operator = await cluster.client()
    await cluster.until(operator.set(cluster.pathsOf('job').server(second.ip), 'DISABLED'))
    await cluster.advance(1_000)
    first.machine.die()
    await cluster.advance(enough)
    expect(taken()).toEqual([expect.stringMatching(/^3 /)])
  })
})

it('is refused without monitorExecution, and read as off where the registry says so', async () => {
  const instance = await cluster.join('10.0.1.1')
  await expect(
    cluster.until(instance.jobs.schedule(job({ monitorExecution: false }), async () => {})),
  ).rejects.toMatchObject({ code: 'JOB_CONFIGURATION_INVALID' })
  await join('10.0.1.2', async () => {})
  await cluster.configure('job', { monitorExecution: false })
  await cluster.advance(1_000)
  expect(cluster.told('config:warning').map(({ message }) => message)).toEqual([
    expect.stringContaining('failover'),
  ])
})

describe('while an ACL keeps instances from the nodes of the others', () => {
  const openFor = (ip: string): Acl[] => [{ permissions: 31, id: { scheme: 'ip', id: ip } }]

  it('the shards of an instance that dies unseen run again', async () => {
    const members = await threeAtWork(async () => {})
    const victim = members.find((member) => !member.job.isLeader) as FleetMember
    const shard = shardOf(victim)
    const { instances } = cluster.pathsOf('job')
    const operator = await cluster.client('10.0.9.3')
    const { children } = await cluster.until(operator.children(instances))
    const node = children.find((name) => name.startsWith(`${victim.ip}@`))
    await cluster.until(operator.setAcl(`${instances}/${node}`, openFor('10.0.9.3')))
    victim.machine.die()
    await cluster.advance(2 * minute)
    const since = cluster.clock.now() - minute
    const again = cluster.runs.filter((run) => run.shardingItem === shard && run.at >= since)
    expect(again.map(({ ip }) => ip)).not.toContain(victim.ip)
    expect(again).not.toHaveLength(0)
    await cluster.until(operator.close())
  })

  it('an instance that stops a job leaves it as soon as it may', async () => {
    const members = await threeAtWork(async () => {})
    const [first] = members
    const { instances } = cluster.pathsOf('job')
    const operator = await cluster.client('10.0.9.3')
    await cluster.until(operator.setAcl(instances, openFor('10.0.9.3')))
    const stopped = first.job.stop()
    await cluster.advance(5_000)
    expect((await cluster.until(operator.children(instances))).children).toHaveLength(3)
    await cluster.until(operator.setAcl(instances, openAcl))
    await cluster.until(stopped)
    expect((await cluster.until(operator.children(instances))).children).toHaveLength(2)
    await cluster.until(operator.close())
  })
})

describe('a crashed run of a paused job', () => {
  it('waits for the resume, and is then taken over for the same fire time', async () => {
    const operations = await operatorAt(cluster)
    const [, second, third] = await threeAtWork(halfAMinute)
    const victim = second.job.isLeader ? third : second
    const shard = shardOf(victim)
    const fireTime = cluster.runs[0]?.fireTime
    await cluster.until(operations.pause({ job: 'job' }))
    victim.machine.die()
    await cluster.advance(2 * minute)
    expect(taken()).toEqual([])
    expect(await leftovers()).toContain(`waiting ${shard}`)
    await cluster.until(operations.resume({ job: 'job' }))
    await cluster.advance(1_000)
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    expect(again).toMatchObject([{ shardingItem: shard, attempt: 2, fireTime }])
    await cluster.until(operations.close())
  })

  it('is taken over by the instances whose servers are not paused', async () => {
    const operations = await operatorAt(cluster)
    const members = await threeAtWork(halfAMinute)
    const victim = members.find(({ job: { isLeader } }) => !isLeader) as FleetMember
    // The one of the first rank is paused.
    const [other, paused] = members.filter((member) => member !== victim) as [
      FleetMember,
      FleetMember,
    ]
    await cluster.until(operations.pause({ job: 'job', server: paused.ip }))
    victim.machine.die()
    await cluster.advance(enough)
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    expect(again).toMatchObject([{ ip: other.ip, shardingItem: shardOf(victim), attempt: 2 }])
    await cluster.until(operations.close())
  })

  it('does not make a paused leader abdicate again and again for an instance whose session lasts', async () => {
    const operations = await operatorAt(cluster)
    const members = await threeAtWork(halfAMinute)
    const victim = members.find(({ job: { isLeader } }) => !isLeader) as FleetMember
    const others = members.filter((member) => member !== victim)
    victim.machine.die()
    for (const { ip } of others) await cluster.until(operations.pause({ job: 'job', server: ip }))
    const before = cluster.told('leader:elected').length
    await cluster.advance(enough)
    expect(cluster.told('leader:elected').length - before).toBeLessThanOrEqual(2)
    expect(others.filter((member) => member.job.isLeader)).toHaveLength(1)
    await cluster.until(operations.close())
  })

  it('waits for the resume when its process has handed it over', async () => {
    const operations = await operatorAt(cluster)
    const attentive: FleetBody = ({ signal }, here) => work(here, 30_000, signal)
    const [, second] = await threeAtWork(attentive)
    const shard = shardOf(second)
    await cluster.until(operations.pause({ job: 'job' }))
    await cluster.until(second.jobs.stop())
    await cluster.advance(minute)
    expect(taken()).toEqual([])
    await cluster.until(operations.resume({ job: 'job' }))
    await cluster.advance(1_000)
    expect(cluster.runs.filter(({ source }) => source === 'failover')).toMatchObject([
      { shardingItem: shard, attempt: 2 },
    ])
    await cluster.until(operations.close())
  })
})

describe('a waiting mark for a shard that runs on a living instance', () => {
  it('does not cost the run its end, and is dismissed after it', async () => {
    const body: FleetBody = (_, here) => work(here, 20_000)
    await join('10.0.1.1', body)
    await join('10.0.1.2', body)
    await cluster.advance(10_000)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toHaveLength(3)
    const operator = await cluster.client()
    const { failover, failoverShards } = cluster.pathsOf('job')
    // As a Java leader leaves it: the folder may not be there yet.
    for (const path of [failover, failoverShards]) {
      await cluster.until(operator.create(path).catch(() => {}))
    }
    for (const shard of [0, 1, 2]) {
      await cluster.until(operator.create(cluster.pathsOf('job').failoverShard(shard)))
    }
    await cluster.toPhase(50_000, minute)
    expect(cluster.told('run:superseded')).toEqual([])
    expect(cluster.told('run:recorded')).toHaveLength(3)
    expect(await leftovers()).toEqual([])
    await cluster.toPhase(5_000, minute)
    expect(cluster.runs).toHaveLength(6)
  })
})
