import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
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
  failover: true,
  ...options,
})

/** Ends with an error as soon as it is asked to. */
const attentive: FleetBody = ({ signal, attempt }, here) =>
  attempt === 1 ? work(here, 45_000, signal) : Promise.resolve()
/** Ends as it should, a while after it was asked to. */
const tidy: FleetBody = async ({ signal }, here) => {
  await work(here, 45_000, signal).catch(() => work(here, 5_000))
}
const deaf: FleetBody = (_, here) => work(here, 50_000)

/** The first is in the middle of everything, the second waits. */
async function atWork(body: FleetBody, options = job()): Promise<[FleetMember, FleetMember]> {
  const first = await enlist(cluster, '10.0.1.1', options, body)
  await cluster.advance(1_000)
  await cluster.toPhase(1_000, minute)
  expect(cluster.runs).toHaveLength(options.shardingTotalCount ?? 0)
  const second = await enlist(cluster, '10.0.1.2', options, body)
  await cluster.advance(8_000)
  return [first, second]
}

async function childrenOf(path: string): Promise<readonly string[]> {
  const observer = await cluster.client('10.0.9.3')
  return (await cluster.until(observer.children(path))).children
}

describe('a job that is stopped while it comes back from a lost session', () => {
  // Around the moment at which its registration under the new id is sent and not yet answered.
  it.for([0, 2, 4, 5, 6, 7, 8, 10])('%i ms later leaves no instance behind', async (delay) => {
    const { job: scheduled } = await enlist(cluster, '10.0.1.1', job(), () => Promise.resolve())
    await cluster.advance(2_000)
    const renewed = cluster.untilEvent('registry:renewed')
    cluster.faults.expireSession(cluster.faults.sessionIds.at(-1) as bigint)
    await renewed
    await cluster.advance(delay)
    await cluster.until(scheduled.stop())
    await cluster.advance(5_000)
    expect(await childrenOf(cluster.pathsOf('job').instances)).toEqual([])
  })
})

describe('stop()', () => {
  it('hands aborted runs over at once, with failover on', async () => {
    const [first, second] = await atWork(attentive)
    const from = cluster.clock.now()
    await cluster.until(first.jobs.stop())
    await cluster.advance(100)
    expect(cluster.told('run:completed').slice(0, 2)).toMatchObject([
      { outcome: 'aborted' },
      { outcome: 'aborted' },
    ])
    const again = cluster.runs.slice(2)
    expect(shardsIn(again)).toEqual([0, 1])
    expect(again).toMatchObject([
      { ip: second.ip, attempt: 2, source: 'failover' },
      { ip: second.ip, attempt: 2, source: 'failover' },
    ])
    // Long before a session could have ended.
    expect(again.every(({ at }) => at - from < 1_000)).toBe(true)
    expect(cluster.told('run:crashed')).toEqual([])
  })

  it('leaves them at that with failover off', async () => {
    const [first] = await atWork(attentive, job({ failover: false }))
    await cluster.until(first.jobs.stop())
    await cluster.advance(20_000)
    expect(cluster.told('run:recorded')).toMatchObject([
      { outcome: 'aborted' },
      { outcome: 'aborted' },
    ])
    expect(cluster.runs).toHaveLength(2)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toHaveLength(4)
  })

  it('what runs is its own until it ends, and nobody takes it for crashed', async () => {
    const [first] = await atWork(tidy)
    const stopped = first.jobs.stop()
    await cluster.advance(3_000)
    expect(await childrenOf(cluster.pathsOf('job').instances)).toHaveLength(1)
    expect(await childrenOf(`/${cluster.namespace}.state/alive`)).toHaveLength(2)
    expect(cluster.runs).toHaveLength(2)
    await cluster.until(stopped)
    expect(cluster.told('run:recorded')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ])
    await cluster.advance(10_000)
    expect(cluster.runs).toHaveLength(2)
    expect(await childrenOf(`/${cluster.namespace}.state/alive`)).toHaveLength(1)
  })

  it('what is idle there moves at once, and misses nothing', async () => {
    const options = job({ shardingTotalCount: 4, cron: '0/10 * * * * ?', misfire: false })
    const body: FleetBody = async ({ shardingItem }, here) => {
      if (shardingItem === 0) await work(here, 25_000)
    }
    const first = await enlist(cluster, '10.0.1.1', options, body)
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, 10_000)
    const second = await enlist(cluster, '10.0.1.2', options, body)
    await cluster.advance(500)
    await cluster.toPhase(9_800, 10_000)
    const stopped = first.jobs.stop()
    await cluster.toPhase(1_000, 10_000)
    const last = Math.floor(cluster.clock.now() / 10_000) * 10_000
    const runs = cluster.runs.filter(({ fireTime }) => fireTime === last)
    expect(shardsIn(runs)).toEqual([1, 2, 3])
    expect(runs.every(({ ip }) => ip === second.ip)).toBe(true)
    await cluster.until(stopped)
  })

  it('code that does not end within the limit keeps its marks, and goes by failover', async () => {
    const options = job({ shardingTotalCount: 1 })
    const first = await cluster.join('10.0.1.1', { stopLimit: 4_000 })
    const code = (): Promise<void> => work(first, 50_000)
    await cluster.until(first.jobs.schedule(options, code))
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    await enlist(cluster, '10.0.1.2', options, async () => {})
    const stopped = first.jobs.stop()
    await cluster.advance(3_500)
    expect(await childrenOf(cluster.pathsOf('job').shard(0))).toContain('running')
    expect(cluster.runs).toHaveLength(1)
    await cluster.until(stopped)
    await cluster.advance(1_000)
    expect(cluster.told('run:crashed')).toMatchObject([{ attempt: 1 }])
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 2 }])
  })

  it('what waits for a place here is not said to have run, and runs elsewhere', async () => {
    const options = job({ shardingTotalCount: 3, jobExecutorThreadPoolSizeProviderType: '1' })
    const first = await enlist(cluster, '10.0.1.1', options, tidy)
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toHaveLength(1)
    await enlist(cluster, '10.0.1.2', options, () => Promise.resolve())
    await cluster.advance(3_000)
    await cluster.until(first.jobs.stop())
    await cluster.advance(3_000)
    const completed = cluster.told('run:completed').filter(({ outcome }) => outcome === 'success')
    expect(new Set(completed.map(({ shardingItem }) => shardingItem))).toEqual(new Set([0, 1, 2]))
    expect(shardsIn(cluster.runs)).toEqual([0, 1, 2])
    expect(cluster.runs.slice(1).every(({ ip }) => ip === '10.0.1.2')).toBe(true)
  })

  it('is the same for all who ask', async () => {
    const [first] = await atWork(attentive)
    expect(first.jobs.stop()).toBe(first.jobs.stop())
    await cluster.until(first.jobs.stop())
  })

  it('gives the lead to somebody else before anything else', async () => {
    const [first, second] = await atWork(tidy)
    expect(first.job.isLeader).toBe(true)
    const stopped = first.jobs.stop()
    await cluster.advance(500)
    expect(second.job.isLeader).toBe(true)
    await cluster.until(stopped)
  })

  it('works without a connection', async () => {
    const [first] = await atWork(attentive)
    cluster.network.hold(first.ip, '10.0.0.1')
    await cluster.until(first.jobs.stop())
    cluster.network.release(first.ip, '10.0.0.1')
    await cluster.advance(25_000)
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    expect(shardsIn(again)).toEqual([0, 1])
  })
})

it('stop({ drain: false }) waits for nothing: what runs is left to others', async () => {
  const [first] = await atWork(async (context, here) => {
    if (context.attempt === 1) await deaf(context, here)
  })
  const from = cluster.clock.now()
  await cluster.until(first.jobs.stop({ drain: false }))
  expect(cluster.clock.now() - from).toBeLessThan(1_000)
  await cluster.advance(2_000)
  expect(cluster.runs.slice(2)).toMatchObject([{ attempt: 2 }, { attempt: 2 }])
})

describe('code that outlasts the limit of a job that is stopped in a process that goes on', () => {
  const options = job({ shardingTotalCount: 1 })
  const slow: FleetBody = (_, here) => work(here, 20_000)

  /** A job that stops here, another one that does not, and the code of the first goes on. */
  async function overstaying(body: FleetBody): Promise<FleetMember> {
    const member = await enlist(cluster, '10.0.1.1', options, body, { stopLimit: 4_000 })
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toHaveLength(1)
    await enlist(cluster, '10.0.1.2', options, async () => {})
    await cluster.until(member.job.stop())
    return member
  }

  async function expectNextOn(ip: string): Promise<void> {
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs.at(-1)).toMatchObject({ ip, source: 'cron', attempt: 1 })
    expect(await childrenOf(cluster.pathsOf('job').shard(0))).not.toContain('running')
  }

  it('keeps its mark until it has ended, and then its end is written', async () => {
    await overstaying(slow)
    expect(await childrenOf(cluster.pathsOf('job').shard(0))).toContain('running')
    expect(cluster.told('run:recorded')).toEqual([])
    await cluster.advance(20_000)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.told('run:crashed')).toEqual([])
    await expectNextOn('10.0.1.2')
  })

  it('also when it had been taken over from somebody else', async () => {
    const leaving = await enlist(cluster, '10.0.1.3', options, attentive)
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, minute)
    const member = await enlist(cluster, '10.0.1.1', options, slow, { stopLimit: 4_000 })
    await cluster.until(leaving.jobs.stop())
    await cluster.advance(1_000)
    expect(cluster.runs.at(-1)).toMatchObject({ ip: member.ip, source: 'failover' })
    await enlist(cluster, '10.0.1.2', options, async () => {})
    await cluster.until(member.job.stop())
    await cluster.advance(20_000)
    expect(cluster.told('run:recorded').at(-1)).toMatchObject({ outcome: 'success', attempt: 2 })
    await expectNextOn('10.0.1.2')
  })

  it('also when there is no connection at that moment', async () => {
    const { ip } = await overstaying(slow)
    await cluster.advance(13_000)
    cluster.network.hold(ip, '10.0.0.1')
    await cluster.advance(3_000)
    expect(cluster.told('run:recorded')).toEqual([])
    cluster.network.reset(ip, '10.0.0.1')
    cluster.network.release(ip, '10.0.0.1')
    await cluster.advance(5_000)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
    await expectNextOn('10.0.1.2')
  })

  it('also when the session ends before it: others take it over then', async () => {
    await overstaying(slow)
    cluster.faults.expireSession(cluster.faults.sessionIds[0] as bigint)
    await cluster.advance(20_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 2 }])
    expect(cluster.told('run:superseded')).toHaveLength(1)
    await expectNextOn('10.0.1.2')
  })

  it('only then the job can be scheduled there again', async () => {
    const { jobs } = await overstaying(slow)
    await expect(cluster.until(jobs.schedule(options, async () => {}))).rejects.toMatchObject({
      code: 'JOB_ALREADY_SCHEDULED',
      message: 'job job is stopping in this process: its code still runs; wait for it to end',
    })
    await cluster.advance(20_000)
    await cluster.until(jobs.schedule(options, async () => {}))
    expect(jobs.jobNames).toEqual(['job'])
  })

  it('a process that stops does not wait for it again', async () => {
    const { jobs } = await overstaying(slow)
    const from = cluster.clock.now()
    await cluster.until(jobs.stop())
    expect(cluster.clock.now() - from).toBeLessThan(1_000)
    await cluster.advance(1_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 2 }])
  })
})

it('an operator who deletes the node of an instance makes it drain', async () => {
  const [first] = await atWork(tidy)
  const operator = await cluster.client()
  const { instance } = cluster.runs[0] as { instance: string }
  await cluster.until(operator.delete(cluster.pathsOf('job').instance(instance)))
  await cluster.untilEvent('job:stopped')
  expect(cluster.told('run:recorded')).toMatchObject([
    { outcome: 'success' },
    { outcome: 'success' },
  ])
  expect(cluster.told('run:crashed')).toEqual([])
  expect(cluster.runs).toHaveLength(2)
  expect(first.jobs.jobNames).toEqual([])
})

it('an instance that cannot find out why its node is gone waits for the answer, and does nothing else', async () => {
  const first = await enlist(cluster, '10.0.1.1', job(), () => Promise.resolve())
  await cluster.advance(1_000)
  await cluster.toPhase(1_000, minute)
  const operator = await cluster.client()
  const paths = cluster.pathsOf('job')
  const [id] = await childrenOf(paths.instances)
  const asked = cluster.until(operator.delete(paths.instance(id as string)))
  await cluster.advance(3)
  cluster.network.hold(first.ip, '10.0.0.1')
  await asked
  // At this time the leader would look whether everything has run.
  await cluster.toPhase(8_000, minute)
  cluster.network.release(first.ip, '10.0.0.1')
  await cluster.advance(minute)
  expect(cluster.told('job:stopped')).toHaveLength(1)
})
