import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ElasticJobEvents, JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const join = (
  ip: string,
  options = job(),
  body: FleetBody = async () => {},
): Promise<FleetMember> => enlist(cluster, ip, options, body)

const missed = (): ElasticJobEvents['fire:missed'][0][] => cluster.told('fire:missed')

/** To a moment after the next fire at which it would have been missed. */
async function pastGrace(): Promise<void> {
  await cluster.advance(10_000)
  await cluster.toPhase(7_000, minute)
}

describe('a time that passes without a claim', () => {
  it('is told with its reason, once', async () => {
    const first = await join('10.0.1.1')
    const second = await join('10.0.1.2')
    await pastGrace()
    expect(missed()).toEqual([])
    const frozen = first.job.isLeader ? second : first
    const [item] = frozen.job.shardingItems
    await cluster.toPhase(55_000, minute)
    frozen.machine.freeze()
    await cluster.toPhase(7_000, minute)
    const fireTime = cluster.clock.now() - 7_000
    expect(missed()).toMatchObject([{ shardingItem: item, fireTime }])
    expect(missed()[0]?.reason).toContain('has not claimed it')
    await cluster.advance(3_000)
    expect(missed()).toHaveLength(1)
    frozen.machine.wake()
    await cluster.advance(1_000)
  })

  it('the grace is a setting', async () => {
    const options = job({ props: { 'fire.grace.milliseconds': '20000' } })
    const first = await join('10.0.1.1', options)
    const second = await join('10.0.1.2', options)
    await pastGrace()
    await cluster.toPhase(55_000, minute)
    const frozen = first.job.isLeader ? second : first
    frozen.machine.freeze()
    await cluster.toPhase(8_000, minute)
    expect(missed()).toEqual([])
    frozen.machine.wake()
    await cluster.advance(1_000)
    expect(missed()).toEqual([])
    await cluster.toPhase(25_000, minute)
    // It was late, and has run.
    expect(missed()).toEqual([])
    expect(cluster.runs).toHaveLength(4)
  })
})

describe('is not told', () => {
  it('of an item that was running then', async () => {
    await join('10.0.1.1', job({ misfire: false }), (_, here) => work(here, 150_000))
    await pastGrace()
    await pastGrace()
    await pastGrace()
    expect(missed()).toEqual([])
  })

  it('of one that is disabled', async () => {
    await join('10.0.1.1')
    await cluster.advance(5_000)
    const operator = await cluster.client()
    await cluster.until(operator.create(cluster.pathsOf('job').mark(1, 'disabled'), ''))
    await pastGrace()
    expect(cluster.runs.map(({ shardingItem }) => shardingItem)).toEqual([0])
    expect(missed()).toEqual([])
  })

  it('of a job whose servers are all disabled: nobody leads it', async () => {
    await join('10.0.1.1')
    await pastGrace()
    const operator = await cluster.client()
    await cluster.until(operator.set(cluster.pathsOf('job').server('10.0.1.1'), 'DISABLED'))
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    expect(missed()).toEqual([])
  })

  it('of a job that is paused', async () => {
    await join('10.0.1.1')
    await pastGrace()
    const operator = await cluster.client()
    const { word } = cluster.pathsOf('job')
    const { data } = await cluster.until(operator.get(word))
    const paused = { ...(JSON.parse(Buffer.from(data).toString()) as object), paused: true }
    await cluster.until(operator.set(word, JSON.stringify(paused)))
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    expect(missed()).toEqual([])
  })

  it('with monitorExecution off, where nobody can know', async () => {
    await join('10.0.1.1', job({ monitorExecution: false }))
    await pastGrace()
    await pastGrace()
    expect(cluster.runs).toHaveLength(4)
    expect(missed()).toEqual([])
  })

  it('of what passed before the leader was there, or before the schedule was changed', async () => {
    await join('10.0.1.1', job({ cron: '0 0 0 1 1 ?' }))
    await cluster.advance(10_000)
    await cluster.toPhase(30_000, minute)
    await cluster.configure('job', { cron: '0 * * * * ?' })
    await cluster.advance(20_000)
    expect(missed()).toEqual([])
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    expect(missed()).toEqual([])
  })
})

describe('times that are gone with a later one', () => {
  it('are told by whoever claims it, though nobody led the job when they passed', async () => {
    const first = await join('10.0.1.1')
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    const gone = cluster.clock.now() - 7_000 + minute
    first.machine.die()
    await cluster.advance(3 * minute)
    await join('10.0.1.2')
    // The latest is run at once; those before it are too old for that, and not forgotten.
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(4)
    const told = { first: gone, fireTime: gone + minute }
    expect(missed()).toMatchObject([
      { shardingItem: 0, ...told },
      { shardingItem: 1, ...told },
    ])
    expect(missed()[0]?.reason).toContain('before a later time was due')
  })

  it('and so is a run that crashed and that nobody takes over', async () => {
    const first = await join('10.0.1.1', job(), (_, here) => work(here, 150_000))
    await pastGrace()
    const fireTime = cluster.clock.now() - 7_000
    first.machine.die()
    await cluster.advance(minute)
    await join('10.0.1.2')
    await cluster.toPhase(1_000, minute)
    const abandoned = cluster.told('run:abandoned')
    expect(abandoned).toMatchObject([
      { shardingItem: 0, fireTime },
      { shardingItem: 1, fireTime },
    ])
  })
})

describe('a clock that is wrong', () => {
  it('I-38: by more than maxTimeDiffSeconds stops what would run, and says so', async () => {
    const member = await join('10.0.1.1', job({ maxTimeDiffSeconds: 2 }))
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    member.machine.ahead = 10_000
    await pastGrace()
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    const refused = cluster.told('clock:refused')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ limit: 2 })
    expect(Math.round((refused[0]?.difference ?? 0) / 1000)).toBe(10)
    member.machine.ahead = 0
    await pastGrace()
    expect(cluster.runs).toHaveLength(4)
  })

  it('does not matter by default: the time of the registry counts', async () => {
    const member = await join('10.0.1.1')
    await pastGrace()
    member.machine.ahead = 10_000
    await pastGrace()
    expect(cluster.runs).toHaveLength(4)
  })
})
