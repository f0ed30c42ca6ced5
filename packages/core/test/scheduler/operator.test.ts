import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { decodeShardState, type ShardState } from '../../src/job-tree/shard-state.ts'
import { decodeJobState, encodeJobState, type JobState } from '../../src/job-tree/job-state.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { readable } from '../support/readable.ts'

let cluster: SimulatedCluster
let operator: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  operator = await cluster.client()
})

afterEach(() => cluster.stop())

const minute = 60_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const attentive: FleetBody = ({ signal }, here) => work(here, 30_000, signal)
const quick: FleetBody = () => Promise.resolve()

async function jobState(): Promise<JobState> {
  const { data } = await cluster.until(operator.get(cluster.pathsOf('job').jobState))
  return readable(decodeJobState(toText(data), 'node'))
}

async function shardStateOf(shard: number): Promise<ShardState> {
  const { data } = await cluster.until(operator.get(cluster.pathsOf('job').shardState(shard)))
  return readable(decodeShardState(toText(data), 'node'))
}

async function wish(changes: Partial<JobState>): Promise<void> {
  const shardState = encodeJobState({ ...(await jobState()), ...changes })
  await cluster.until(operator.set(cluster.pathsOf('job').jobState, shardState))
}

async function childrenOf(path: string): Promise<readonly string[]> {
  return (await cluster.until(operator.children(path))).children
}

/** Two instances, in the middle of a fire. */
async function atWork(body: FleetBody, options = job()): Promise<[FleetMember, FleetMember]> {
  const first = await enlist(cluster, '10.0.1.1', options, body)
  const second = await enlist(cluster, '10.0.1.2', options, body)
  await cluster.advance(8_000)
  await cluster.toPhase(1_000, minute)
  return [first, second]
}

describe('a run that an operator stops', () => {
  it.each([false, true])('ends, and nobody takes it over (failover %s)', async (failover) => {
    await atWork(attentive, job({ failover }))
    const { run } = await shardStateOf(1)
    await wish({ stops: { 1: run } })
    await cluster.toPhase(20_000, minute)
    expect(cluster.told('run:completed')).toMatchObject([
      { shardingItem: 1, outcome: 'stopped', error: { code: 'JOB_RUN_STOPPED' } },
    ])
    await cluster.toPhase(50_000, minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
    expect(await shardStateOf(1)).toMatchObject({ state: 'idle', outcome: 'stopped' })
    expect(await shardStateOf(0)).toMatchObject({ state: 'idle', outcome: 'success' })
  })

  it('leaves no wish behind, and runs again at its next time', async () => {
    await atWork(attentive)
    await wish({ stops: { 0: (await shardStateOf(0)).run, 1: (await shardStateOf(1)).run } })
    await cluster.toPhase(5_000, minute)
    expect(await jobState()).not.toHaveProperty('stops')
    await cluster.toPhase(1_000, minute)
    expect(shardsIn(cluster.runs.slice(2))).toEqual([0, 1])
  })

  it('is another one than the one that runs by now: that one goes on', async () => {
    await atWork(attentive)
    await wish({ stops: { 1: 'one that is over' } })
    await cluster.toPhase(50_000, minute)
    expect(cluster.told('run:completed')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ])
    expect(await jobState()).not.toHaveProperty('stops')
  })

  it('waits for its turn: it never begins', async () => {
    const options = job({ jobExecutorThreadPoolSizeProviderType: 'SINGLE_THREAD' })
    await enlist(cluster, '10.0.1.1', options, attentive)
    await cluster.advance(2_000)
    await cluster.toPhase(1_000, minute)
    const [begun] = cluster.runs
    const waiting = begun?.shardingItem === 0 ? 1 : 0
    await wish({ stops: { [waiting]: (await shardStateOf(waiting)).run } })
    await cluster.toPhase(55_000, minute)
    expect(cluster.runs).toHaveLength(1)
    expect(await shardStateOf(waiting)).toMatchObject({ state: 'idle', outcome: 'stopped' })
  })

  it('may end well all the same: then it has', async () => {
    const deaf: FleetBody = (_, here) => work(here, 10_000)
    await atWork(deaf)
    await wish({ stops: { 0: (await shardStateOf(0)).run } })
    await cluster.toPhase(30_000, minute)
    expect(await shardStateOf(0)).toMatchObject({ outcome: 'success' })
    expect(await jobState()).not.toHaveProperty('stops')
  })
})

describe('a pause', () => {
  it('is lifted by an operator alone: not by a lost session, nor by who comes', async () => {
    const [first] = await atWork(quick)
    await wish({ paused: true })
    cluster.runs.length = 0
    const [, ...ofInstances] = cluster.faults.sessionIds
    for (const id of ofInstances) cluster.faults.expireSession(id)
    await cluster.untilEvent('job:registered', (_, ip) => ip === first.ip)
    await enlist(cluster, '10.0.1.3', job(), quick)
    await cluster.advance(2 * minute)
    expect(cluster.runs).toEqual([])
    await wish({ paused: false, resumed: cluster.clock.now() })
    await cluster.advance(2 * minute)
    expect(shardsIn(cluster.runs)).toEqual([0, 0, 1, 1])
  })
})

describe('a job that an operator has disabled', () => {
  it('does not run on a server that joins afterwards, and runs there once the job is enabled', async () => {
    await atWork(quick)
    const paths = cluster.pathsOf('job')
    const all = async (setting: string): Promise<void> => {
      for (const ip of await childrenOf(paths.servers)) {
        await cluster.until(operator.set(paths.server(ip), setting))
      }
    }
    await all('DISABLED')
    await wish({ disabled: true, off: [{ why: 'disabled', from: cluster.clock.now() }] })
    const ran = cluster.runs.length
    await enlist(cluster, '10.0.1.3', job(), quick)
    await cluster.advance(3 * minute)
    expect(cluster.runs).toHaveLength(ran)
    await all('ENABLED')
    await cluster.advance(minute)
    expect(cluster.runs.length).toBeGreaterThan(ran)
    expect(await jobState()).not.toHaveProperty('disabled')
  })
})

describe('an instance that an operator shuts down', () => {
  it('lets what it runs end, and leaves the job to the others', async () => {
    const [first, second] = await atWork(async (_, here) => work(here, 10_000))
    const instance = (await childrenOf(cluster.pathsOf('job').instances)).find((one) =>
      one.startsWith(first.ip),
    ) as string
    const ended = cluster.untilEvent('job:stopped', (_, ip) => ip === first.ip)
    await wish({ shutdown: [instance] })
    await ended
    expect(cluster.told('run:completed').map(({ outcome }) => outcome)).toContain('success')
    await cluster.toPhase(1_000, minute)
    expect(second.job.shardingItems).toEqual([0, 1])
    expect(cluster.told('run:crashed')).toEqual([])
  })

  it('is remembered until its server takes part again', async () => {
    const [first] = await atWork(quick)
    const instances = await childrenOf(cluster.pathsOf('job').instances)
    const ended = Promise.all([
      cluster.untilEvent('job:stopped', (_, ip) => ip === '10.0.1.1'),
      cluster.untilEvent('job:stopped', (_, ip) => ip === '10.0.1.2'),
    ])
    await wish({ shutdown: [...instances] })
    await ended
    expect((await jobState()).shutdown).toEqual(instances)
    await cluster.until(first.jobs.schedule(job(), () => {}))
    expect((await jobState()).shutdown).toEqual(
      instances.filter((one) => !one.startsWith('10.0.1.1')),
    )
  })

  it('does not come back under another id when it loses its session first', async () => {
    const [first] = await atWork(quick)
    const instances = await childrenOf(cluster.pathsOf('job').instances)
    first.machine.freeze()
    const ended = cluster.untilEvent('job:stopped', (_, ip) => ip === first.ip)
    await wish({ shutdown: instances.filter((one) => one.startsWith(first.ip)) })
    await cluster.advance(40_000)
    first.machine.wake()
    await ended
    const left = await childrenOf(cluster.pathsOf('job').instances)
    expect(left.filter((one) => one.startsWith(first.ip))).toEqual([])
  })
})

describe('a job that is being removed', () => {
  it('is left by everybody, when what runs has ended', async () => {
    await atWork(async (_, here) => work(here, 10_000))
    const ended = Promise.all([
      cluster.untilEvent('job:stopped', (_, ip) => ip === '10.0.1.1'),
      cluster.untilEvent('job:stopped', (_, ip) => ip === '10.0.1.2'),
    ])
    await wish({ removing: true })
    await ended
    expect(await childrenOf(cluster.pathsOf('job').instances)).toEqual([])
    expect(cluster.told('run:completed')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ])
  })

  it('is joined by nobody', async () => {
    const [first] = await atWork(quick)
    const ended = cluster.untilEvent('job:stopped', (_, ip) => ip === first.ip)
    await wish({ removing: true })
    await ended
    await expect(cluster.until(first.jobs.schedule(job(), () => {}))).rejects.toMatchObject({
      code: 'JOB_REMOVED',
    })
  })

  it('is not made again by who was away meanwhile', async () => {
    const [first] = await atWork(quick)
    first.machine.freeze()
    await wish({ removing: true })
    await cluster.advance(40_000)
    const { root, jobState: shardState, shardStates: states } = cluster.pathsOf('job')
    for (const path of [root, states, shardState]) {
      await cluster.until(operator.deleteRecursive(path))
    }
    const ended = cluster.untilEvent('job:stopped', (_, ip) => ip === first.ip)
    first.machine.wake()
    await ended
    await cluster.advance(minute)
    await expect(cluster.until(operator.get(root))).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    await expect(cluster.until(operator.get(shardState))).rejects.toMatchObject({
      code: 'ZK_NO_NODE',
    })
  })
})

describe('rerunFailed()', () => {
  it('runs those shards alone whose last run failed, as one manual run', async () => {
    let isBroken = true
    const fragile: FleetBody = ({ shardingItem }) =>
      isBroken && shardingItem > 0 ? Promise.reject(new Error('no')) : Promise.resolve()
    const [first] = await atWork(fragile, job({ shardingTotalCount: 4 }))
    isBroken = false
    const from = cluster.runs.length
    const manualRun = await cluster.until(first.job.rerunFailed({ parameter: 'again' }))
    expect(manualRun).toMatchObject({ shards: [1, 2, 3], parameter: 'again' })
    await cluster.advance(2_000)
    expect(shardsIn(cluster.runs.slice(from))).toEqual([1, 2, 3])
    expect(cluster.told('trigger:completed')).not.toEqual([])
    await expect(cluster.until(first.job.rerunFailed())).rejects.toMatchObject({
      code: 'JOB_NOTHING_FAILED',
    })
  })
})
