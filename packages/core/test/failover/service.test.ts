import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { decodeItemWord, type ItemWord } from '../../src/job-tree/item-word.ts'
import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { itemsIn } from '../support/counting.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

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

/** Runs as they began: where, item, attempt, why. */
const seen = (): string[] =>
  cluster.runs.map(({ ip, shardingItem, attempt, source }) =>
    [ip.split('.').at(-1), shardingItem, attempt, source].join(' '),
  )

const taken = (): string[] => seen().filter((line) => line.endsWith('failover'))

async function wordOf(item: number): Promise<ItemWord> {
  return decodeItemWord((await text(cluster.pathsOf('job').itemWord(item))) ?? '')
}

async function text(path: string): Promise<string | undefined> {
  const observer = await FakeJava.start(cluster, '10.0.9.1')
  const found = await observer.text(path)
  await observer.die()
  return found
}

/** What stands below the items that is not an owner, and who waits to be taken over. */
async function leftovers(): Promise<string[]> {
  const { items, failoverItems } = cluster.pathsOf('job')
  const found: string[] = []
  const observer = await cluster.client('10.0.9.2')
  const childrenOf = async (path: string): Promise<string[]> => {
    const { children } = await cluster.until(observer.children(path))
    return [...children].toSorted()
  }
  for (const item of await childrenOf(items)) {
    for (const mark of await childrenOf(`${items}/${item}`)) {
      if (mark !== 'instance') found.push(`${item}/${mark}`)
    }
  }
  const waiting = await childrenOf(failoverItems).catch(() => [])
  return [...found, ...waiting.map((item) => `waiting ${item}`)]
}

/** Three processes, each on its own host, and each in the middle of its item. */
async function threeAtWork(body: FleetBody): Promise<[FleetMember, FleetMember, FleetMember]> {
  const members: FleetMember[] = []
  for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) members.push(await join(ip, body))
  await cluster.advance(10_000)
  await cluster.toPhase(5_000, minute)
  expect(cluster.runs).toHaveLength(3)
  return members as [FleetMember, FleetMember, FleetMember]
}

const itemOf = (member: FleetMember): number => member.job.shardingItems[0] as number
const halfAMinute: FleetBody = (_, here) => work(here, 30_000)

describe('a run of a process that has died', () => {
  it('with one instance a host: is run again by somebody else, for the same time', async () => {
    const [, second, third] = await threeAtWork(halfAMinute)
    const victim = second.job.isLeader ? third : second
    const item = itemOf(victim)
    const [{ fireTime, runId, instance }] = cluster.runs.filter(({ ip }) => ip === victim.ip) as [
      (typeof cluster.runs)[0],
    ]
    victim.machine.die()
    await cluster.advance(enough)
    expect(cluster.told('run:crashed')).toMatchObject([
      { shardingItem: item, runId, instance, source: 'cron', attempt: 1, fireTime },
    ])
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    const takenOver = { runId, instance }
    expect(again).toMatchObject([{ shardingItem: item, attempt: 2, fireTime, takenOver }])
    expect(again[0]?.ip).not.toBe(victim.ip)
    expect(again[0]?.runId).not.toBe(runId)
    await cluster.toPhase(58_000, minute)
    expect(await leftovers()).toEqual([])
    expect(await wordOf(item)).toMatchObject({ state: 'idle', outcome: 'success', fireTime })
  })

  it('runs again before the items of the dead one are dealt out anew', async () => {
    const dealtOut = (): number => cluster.told('sharding:changed').length
    const dealtOutBefore: number[] = []
    const [, second, third] = await threeAtWork(async ({ source }, here) => {
      if (source === 'failover') dealtOutBefore.push(dealtOut())
      await work(here, 30_000)
    })
    const victim = second.job.isLeader ? third : second
    const before = dealtOut()
    victim.machine.die()
    await cluster.advance(enough)
    expect(dealtOutBefore).toEqual([before])
    expect(dealtOut()).toBeGreaterThan(before)
  })

  it('finds where to wait made before anybody died, unless failover is off', async () => {
    await join('10.0.1.1', halfAMinute)
    await cluster.advance(5_000)
    expect(await text(cluster.pathsOf('job').failoverItems)).toBe('')
    await join('10.0.1.1', halfAMinute, job({ jobName: 'off', failover: false }))
    await cluster.advance(5_000)
    expect(await text(cluster.pathsOf('off').failoverItems)).toBeUndefined()
  })

  it('the leader is the one that died', async () => {
    const members = await threeAtWork(halfAMinute)
    const leader = members.find((member) => member.job.isLeader) as FleetMember
    leader.machine.die()
    await cluster.advance(enough)
    expect(taken()).toEqual([expect.stringContaining(` ${itemOf(leader)} 2 failover`)])
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

  it('I-13: all die and several return', async () => {
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
    expect(itemsIn(cluster.runs.slice(3))).toEqual([0, 1, 2])
  })
})

describe('who takes over', () => {
  it('I-24, I-25: runs its own items at their own time, and none of them besides', async () => {
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
    const items = new Set(survivor.job.shardingItems)
    expect(items.size).toBeGreaterThan(0)
    victim.machine.die()
    const from = cluster.clock.now()
    await cluster.advance(enough)
    expect(taken().length).toBeGreaterThan(0)
    const own = cluster.runs.filter((run) => run.ip === survivor.ip && items.has(run.shardingItem))
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
    expect(itemsIn(again)).toEqual([0, 1, 2, 3])
    frozen.machine.wake()
    await cluster.advance(4_000)
    expect(taken()).toHaveLength(4)
  })

  it('runs an item of a round with the parameter of that round', async () => {
    const parameters: string[] = []
    const options = job({ cron: undefined, jobParameter: 'usual' })
    const body: FleetBody = async ({ jobParameter, attempt }, here) => {
      parameters.push(`${attempt} ${jobParameter}`)
      if (attempt === 1) await work(here, 30_000)
    }
    const first = await join('10.0.1.1', body, options)
    await join('10.0.1.2', body, options)
    await cluster.advance(10_000)
    await cluster.until(first.job.execute({ parameter: 'special' }))
    await cluster.advance(1_000)
    first.machine.die()
    await cluster.advance(enough)
    expect(parameters.filter((one) => one.startsWith('2'))).not.toEqual([])
    expect(parameters.every((one) => one.endsWith('special'))).toBe(true)
    await cluster.advance(minute)
    expect(cluster.told('round:completed')).toMatchObject([{ round: 1 }])
  })
})

describe('changes in between', () => {
  it('fewer items: a crashed run of one that is gone is cleared, with an event', async () => {
    for (const member of await threeAtWork(halfAMinute)) member.machine.die()
    await cluster.advance(enough)
    await cluster.configure('job', { shardingTotalCount: 1 })
    await join('10.0.1.4', async () => {})
    await cluster.advance(10_000)
    expect(taken()).toEqual(['4 0 2 failover'])
    expect(
      cluster
        .told('repair:made')
        .map(({ what }) => what)
        .toSorted(),
    ).toEqual([
      'a crashed run of item 1, which does not exist any more',
      'a crashed run of item 2, which does not exist any more',
    ])
    expect(await leftovers()).toEqual([])
  })

  it('more items: the crashed runs are taken, the new ones begin at their time', async () => {
    for (const member of await threeAtWork(halfAMinute)) member.machine.die()
    await cluster.advance(enough)
    await cluster.configure('job', { shardingTotalCount: 5 })
    await join('10.0.1.4', async () => {})
    await cluster.advance(10_000)
    expect(taken()).toHaveLength(3)
    await cluster.toPhase(5_000, minute)
    expect(itemsIn(cluster.runs.slice(6))).toEqual([0, 1, 2, 3, 4])
  })

  it('I-26: switched off, all marks are cleared, and switched on again nothing comes back', async () => {
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

it('I-29: is refused without monitorExecution, and read as off where the registry says so', async () => {
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
