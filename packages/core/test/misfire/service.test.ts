import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ElasticJobEvents, JobOptions } from '../../src/index.ts'
import type { Operations } from '../../src/operations.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { operatorAt } from '../support/operator.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000
const day = 24 * 60 * minute

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

const lateFires = (): ElasticJobEvents['fire:late'][0][] => cluster.told('fire:late')

const missed = (): ElasticJobEvents['fire:missed'][0][] => cluster.told('fire:missed')

/** To a moment after the next fire at which it would have been missed. */
async function pastGrace(): Promise<void> {
  await cluster.advance(10_000)
  await cluster.toPhase(7_000, minute)
}

describe('a fire time that passes without a claim', () => {
  it('is late, with the reason, and not missed when it runs after all', async () => {
    const first = await join('10.0.1.1')
    const second = await join('10.0.1.2')
    await pastGrace()
    expect(lateFires()).toEqual([])
    const frozen = first.job.isLeader ? second : first
    const [shardingItem] = frozen.job.shardingItems
    await cluster.toPhase(55_000, minute)
    frozen.machine.freeze()
    await cluster.toPhase(7_000, minute)
    const fireTime = cluster.clock.now() - 7_000
    expect(lateFires()).toMatchObject([{ shardingItem: shardingItem, fireTime }])
    expect(lateFires()[0]?.reason).toContain('has not claimed it')
    await cluster.advance(3_000)
    expect(lateFires()).toHaveLength(1)
    frozen.machine.wake()
    await cluster.advance(minute)
    expect(cluster.runs.filter((run) => run.fireTime === fireTime)).toHaveLength(2)
    expect(missed()).toEqual([])
  })

  it('is closed and reported once nobody can run it any more, and not run after that', async () => {
    const daily = job({ cron: '0 0 0 * * ?' })
    const first = await join('10.0.1.1', daily)
    await cluster.toPhase(day - 20_000, day)
    first.machine.die()
    await cluster.toPhase(minute, day)
    const fireTime = cluster.clock.now() - minute
    await join('10.0.1.2', daily)
    await cluster.advance(10_000)
    expect(missed()).toMatchObject([
      { shardingItem: 0, first: fireTime, fireTime },
      { shardingItem: 1, first: fireTime, fireTime },
    ])
    await cluster.toPhase(minute, day)
    expect(cluster.runs).toHaveLength(2)
    expect(missed()).toHaveLength(2)
  })

  it('is reported while the shard misses one fire time after the other', async () => {
    const member = await join('10.0.1.1', job({ cron: '0/5 * * * * ?', failover: true }))
    await cluster.advance(10_000)
    const operator = await cluster.client()
    const { instance } = cluster.told('job:registered')[0] ?? { instance: '' }
    // Somebody who lives has the shard, as it seems: nobody else claims it.
    const mark = cluster.pathsOf('job').mark(1, 'failover')
    await cluster.until(operator.create(mark, instance))
    const stuck = cluster.clock.now()
    await cluster.advance(minute)
    expect(member.job.isLeader).toBe(true)
    expect(lateFires().length).toBeGreaterThan(5)
    const first = Math.ceil(stuck / 5000) * 5000
    expect(missed()[0]).toMatchObject({ shardingItem: 1, first })
    expect(missed().at(-1)?.fireTime).toBeGreaterThan(first + 5000)
    const times = missed().map((row) => [row.first, row.fireTime])
    expect(times.flat()).toEqual(times.flat().toSorted((a, b) => a - b))
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
    expect(lateFires()).toEqual([])
    frozen.machine.wake()
    await cluster.advance(1_000)
    await cluster.toPhase(25_000, minute)
    expect(lateFires()).toEqual([])
    expect(missed()).toEqual([])
    expect(cluster.runs).toHaveLength(4)
  })
})

describe('is not told', () => {
  it('of a shard that was running then', async () => {
    await join('10.0.1.1', job({ misfire: false }), (_, here) => work(here, 150_000))
    await pastGrace()
    await pastGrace()
    await pastGrace()
    expect(missed()).toEqual([])
    expect(lateFires()).toEqual([])
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
    const { jobState: shardState } = cluster.pathsOf('job')
    const { data } = await cluster.until(operator.get(shardState))
    const paused = { ...(JSON.parse(Buffer.from(data).toString()) as object), paused: true }
    await cluster.until(operator.set(shardState, JSON.stringify(paused)))
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

describe('a fire that runs late', () => {
  /** The owner of shard 1 is not the leader, and stands still over a fire time. */
  async function runLate(meanwhile: () => Promise<unknown>): Promise<void> {
    const options = job({ props: { 'fire.grace.milliseconds': '20000' } })
    const members = [await join('10.0.1.1', options), await join('10.0.1.2', options)]
    await pastGrace()
    await cluster.toPhase(58_000, minute)
    const late = members.find(({ job: { isLeader } }) => !isLeader)
    late?.machine.freeze()
    await cluster.toPhase(3_000, minute)
    await meanwhile()
    await cluster.toPhase(7_000, minute)
    late?.machine.wake()
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(4)
  }

  it('is not reported as missed when the leader looks at the job before the grace ends', async () => {
    const operator = await cluster.client()
    const touchState = async (): Promise<void> => {
      const { jobState: shardState } = cluster.pathsOf('job')
      const { data } = await cluster.until(operator.get(shardState))
      await cluster.until(operator.set(shardState, data))
    }
    await runLate(touchState)
    await cluster.toPhase(30_000, minute)
    expect(missed()).toEqual([])
  })

  it('is not reported as missed by the claim of the next fire time', async () => {
    await runLate(() => Promise.resolve())
    await pastGrace()
    expect(cluster.runs).toHaveLength(6)
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

describe('fire times that pass while a shard runs', () => {
  const long: FleetBody = ({ signal }, here) => work(here, 150_000, signal)

  /** Runs at one fire time, over the next two, until its process is stopped. */
  async function stopped(options: Partial<JobOptions> = {}): Promise<number> {
    const first = await join('10.0.1.1', job({ shardingTotalCount: 1, ...options }), long)
    await cluster.advance(10_000)
    await cluster.toPhase(1_000, minute)
    const fireTime = cluster.clock.now() - 1_000
    expect(cluster.runs).toMatchObject([{ fireTime }])
    await cluster.advance(130_000)
    await cluster.until(first.jobs.stop())
    return fireTime
  }

  it('are told one by one, by the process that runs the shard', async () => {
    const fireTime = await stopped()
    const runId = cluster.runs[0]?.runId
    expect(cluster.told('fire:misfired')).toMatchObject([
      { shardingItem: 0, runId, fireTime: fireTime + minute, willRun: true },
      { shardingItem: 0, runId, fireTime: fireTime + 2 * minute, willRun: true },
    ])
  })

  it('run as one when another process has the shard within the window', async () => {
    const fireTime = await stopped()
    await join('10.0.1.2', job({ shardingTotalCount: 1 }))
    await cluster.advance(5_000)
    expect(cluster.runs.slice(1)).toMatchObject([
      { source: 'misfire', fireTime: fireTime + 2 * minute },
    ])
    await cluster.advance(2 * minute)
    expect(missed()).toEqual([])
  })

  it('are reported when a later fire time is claimed first', async () => {
    const fireTime = await stopped()
    await cluster.toPhase(50_000, minute)
    await join('10.0.1.2', job({ shardingTotalCount: 1 }))
    await cluster.advance(2 * minute)
    expect(missed()).toMatchObject([{ first: fireTime + minute, fireTime: fireTime + 2 * minute }])
  })

  it('are skipped with misfire off', async () => {
    const fireTime = await stopped({ misfire: false })
    await join('10.0.1.2', job({ shardingTotalCount: 1, misfire: false }))
    await cluster.advance(2 * minute)
    expect(cluster.runs.every(({ source }) => source === 'cron')).toBe(true)
    expect(missed()).toEqual([])
    expect(cluster.told('fire:skipped')).toMatchObject([
      { first: fireTime + minute, fireTime: fireTime + 2 * minute },
    ])
  })
})

describe('a fire time that nobody has claimed when the job is changed', () => {
  /** The owner of one of two shards dies just before a fire time; answers the shard and that time. */
  async function unclaimed(
    isMeant = (member: FleetMember): boolean => !member.job.isLeader,
  ): Promise<{ shardingItem: number; fireTime: number }> {
    const members = [await join('10.0.1.1'), await join('10.0.1.2')]
    await pastGrace()
    await cluster.toPhase(59_000, minute)
    const owner = members.find(isMeant)
    const shardingItem = owner?.job.shardingItems[0] ?? NaN
    owner?.machine.die()
    await cluster.toPhase(2_000, minute)
    return { shardingItem, fireTime: cluster.clock.now() - 2_000 }
  }

  const operate = async (act: (operations: Operations) => Promise<unknown>): Promise<void> => {
    const operations = await operatorAt(cluster)
    await cluster.until(act(operations))
    await cluster.until(operations.close())
  }

  it.each<[string, (operations: Operations, shard: number) => Promise<unknown>, string]>([
    ['paused', (operations) => operations.pause({ job: 'job' }), 'paused'],
    [
      'given another cron expression',
      (operations) => operations.updateConfiguration('job', { cron: '0 0 0 1 1 ?' }),
      'schedule was changed',
    ],
    [
      'without the shard, which is disabled',
      (operations, shard) => operations.disableShard('job', shard),
      'disabled',
    ],
  ])('is reported at once for a job that is %s', async (_, act, reason) => {
    const { shardingItem, fireTime } = await unclaimed()
    await operate((operations) => act(operations, shardingItem))
    await cluster.advance(30_000)
    expect(missed()).toMatchObject([{ shardingItem, first: fireTime, fireTime }])
    expect(missed()[0]?.reason).toContain(reason)
  })

  it('is reported for a shard that a lowered shard count takes away', async () => {
    const { fireTime } = await unclaimed((member) => member.job.shardingItems.includes(1))
    await operate((operations) => operations.updateConfiguration('job', { shardingTotalCount: 1 }))
    await cluster.advance(minute)
    const told = missed().filter(({ shardingItem }) => shardingItem === 1)
    expect(told).toMatchObject([{ first: fireTime, fireTime }])
    expect(told[0]?.reason).toContain('shard count was lowered')
  })

  it('is reported when the job is enabled again after a disable', async () => {
    const { shardingItem, fireTime } = await unclaimed()
    await operate((operations) => operations.disable({ job: 'job' }))
    await cluster.advance(2 * minute)
    await operate((operations) => operations.enable({ job: 'job' }))
    await cluster.advance(minute)
    expect(missed()).toMatchObject([{ shardingItem, first: fireTime, fireTime }])
    expect(missed()[0]?.reason).toContain('disabled')
  })

  it('is reported when the shard is disabled and enabled before the leader looks', async () => {
    const { shardingItem, fireTime } = await unclaimed()
    await operate((operations) => operations.disableShard('job', shardingItem))
    await operate((operations) => operations.enableShard('job', shardingItem))
    await cluster.advance(2 * minute)
    expect(missed()).toMatchObject([{ shardingItem, first: fireTime, fireTime }])
  })

  it('leaves nothing of its changes behind in the state of the job', async () => {
    await unclaimed()
    await operate((operations) => operations.pause({ job: 'job' }))
    await operate((operations) => operations.resume({ job: 'job' }))
    await operate((operations) => operations.updateConfiguration('job', { cron: '30 * * * * ?' }))
    await cluster.advance(3 * minute)
    const client = await cluster.client()
    const { data } = await cluster.until(client.get(cluster.pathsOf('job').jobState))
    const { timeline, off } = JSON.parse(Buffer.from(data).toString()) as Record<string, unknown[]>
    expect(timeline).toMatchObject([{ cron: '30 * * * * ?', total: 2 }])
    expect(off).toEqual([])
  })
})

describe('fire times of a job that its only instance has left', () => {
  const hourly = { cron: '0 0 * * * ?' }

  it.each<[string, (operations: Operations) => Promise<unknown>]>([
    ['the schedule changes', (operations) => operations.updateConfiguration('job', hourly)],
    ['the job is paused', (operations) => operations.pause({ job: 'job' })],
    ['the job is disabled', (operations) => operations.disable({ job: 'job' })],
    [
      'the job is paused and resumed',
      async (operations) => {
        await operations.pause({ job: 'job' })
        await operations.resume({ job: 'job' })
      },
    ],
  ])('are reported by the instance that joins after %s', async (_, change) => {
    await join('10.0.1.1')
    await pastGrace()
    expect(cluster.runs).toHaveLength(2)
    const client = await cluster.client()
    const { instance } = cluster.told('job:registered')[0] ?? { instance: '' }
    await cluster.until(client.delete(cluster.pathsOf('job').instance(instance)))
    const fireTime = Math.floor(cluster.clock.now() / minute) * minute
    await cluster.advance(3 * minute)
    expect(cluster.runs).toHaveLength(2)
    const operations = await operatorAt(cluster)
    await cluster.until(change(operations))
    await cluster.advance(2 * minute)
    await join('10.0.1.2', job({ overwrite: false }))
    await cluster.advance(2 * minute)
    await cluster.until(operations.resume({ job: 'job' }))
    await cluster.until(operations.enable({ job: 'job' }))
    await cluster.until(operations.close())
    await cluster.advance(3 * minute)
    for (const shardingItem of [0, 1]) {
      const told = missed().filter((one) => one.shardingItem === shardingItem)
      expect(told[0]).toMatchObject({ first: fireTime + minute })
      expect(told.at(-1)?.fireTime).toBeGreaterThanOrEqual(fireTime + 3 * minute)
    }
  })
})

describe('a clock that is wrong', () => {
  it('because the registry was set ahead is right again after a claim was refused', async () => {
    const options = job({ cron: '0/15 * * * * ?', shardingTotalCount: 1 })
    await join('10.0.1.1', options)
    await cluster.advance(minute)
    const idle = await join('10.0.1.2', options)
    await cluster.advance(minute)
    expect(idle.job.shardingItems).toEqual([])
    cluster.faults.jumpClock(minute)
    await cluster.advance(minute)
    // The leader knows the time by now; the other instance has written nothing since.
    await cluster.configure('job', { shardingTotalCount: 2 })
    await cluster.advance(5 * minute)
    expect(idle.job.shardingItems).toHaveLength(1)
    const last = cluster.runs.findLast(({ ip }) => ip === idle.ip)
    const registryNow = cluster.clock.now() + minute
    expect(registryNow - (last?.fireTime ?? 0)).toBeLessThanOrEqual(15_000)
  })

  it('by more than maxTimeDiffSeconds stops what would run, and says so', async () => {
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
    // It is back before the last fire time is too old, and runs it late; the one before was missed.
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(4)
    expect(missed()).toHaveLength(2)
    await pastGrace()
    expect(cluster.runs).toHaveLength(6)
  })

  it('by more than maxTimeDiffSeconds gives the shards to others until it is right again', async () => {
    const options = job({ maxTimeDiffSeconds: 2 })
    const first = await join('10.0.1.1', options)
    const second = await join('10.0.1.2', options)
    await pastGrace()
    expect(new Set(cluster.runs.map(({ ip }) => ip)).size).toBe(2)
    first.machine.ahead = 10_000
    await pastGrace()
    await pastGrace()
    expect(cluster.told('clock:refused')).toHaveLength(1)
    expect(first.job.shardingItems).toEqual([])
    expect(second.job.shardingItems).toEqual([0, 1])
    expect(cluster.runs.slice(2).map(({ ip }) => ip)).toEqual(
      Array.from({ length: 4 }, () => '10.0.1.2'),
    )
    expect(missed()).toEqual([])
    first.machine.ahead = 0
    await pastGrace()
    expect(first.job.shardingItems).toHaveLength(1)
    await pastGrace()
    expect(cluster.runs.filter(({ ip }) => ip === '10.0.1.1').length).toBeGreaterThan(1)
    expect(missed()).toEqual([])
  })

  it('shows in the job and in its diagnosis until the clock is right, or the instance is gone', async () => {
    const options = job({ maxTimeDiffSeconds: 2 })
    const members = [await join('10.0.1.1', options), await join('10.0.1.2', options)]
    const operations = await operatorAt(cluster)
    const refused = async (): Promise<unknown[]> => {
      const [detail, { findings }] = await cluster.until(
        Promise.all([operations.job('job'), operations.diagnose('job')]),
      )
      const causes = findings.map(({ cause }) => cause).filter((cause) => cause.startsWith('clock'))
      return [
        ...detail.refusedClocks.map(({ server, difference }) => [
          server,
          Math.round(difference / 1000),
        ]),
        ...causes,
      ]
    }
    await pastGrace()
    expect(await refused()).toEqual([])
    for (const { machine } of members) machine.ahead = -10_000
    await pastGrace()
    await cluster.advance(20_000)
    expect(await refused()).toEqual([['10.0.1.1', -10], ['10.0.1.2', -10], 'clock-refused'])
    const [first, second] = members as [FleetMember, FleetMember]
    first.machine.ahead = 0
    await cluster.advance(20_000)
    expect(first.job.shardingItems).toEqual([0, 1])
    expect(await refused()).toEqual([['10.0.1.2', -10], 'clock-refused'])
    second.machine.die()
    await cluster.advance(20_000)
    expect(await refused()).toEqual([])
    await cluster.until(operations.close())
  })

  it('shows no more when the instance has left the job', async () => {
    const options = job({ maxTimeDiffSeconds: 2 })
    const first = await join('10.0.1.1', options)
    await join('10.0.1.2', options)
    await pastGrace()
    first.machine.ahead = 10_000
    await pastGrace()
    await cluster.advance(20_000)
    const operations = await operatorAt(cluster)
    const refused = async (): Promise<number> =>
      (await cluster.until(operations.job('job'))).refusedClocks.length
    expect(await refused()).toBe(1)
    await cluster.until(first.job.stop())
    expect(await refused()).toBe(0)
    await cluster.until(operations.close())
  })

  it('does not matter by default: the time of the registry counts', async () => {
    const member = await join('10.0.1.1')
    await pastGrace()
    member.machine.ahead = 10_000
    await pastGrace()
    expect(cluster.runs).toHaveLength(4)
  })
})
