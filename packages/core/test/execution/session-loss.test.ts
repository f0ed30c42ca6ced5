import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { decodeShardState, type ShardState } from '../../src/job-tree/shard-state.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'
import { readable } from '../support/readable.ts'

let cluster: SimulatedCluster
let observer: ZooKeeper

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  observer = await cluster.client()
})

afterEach(() => cluster.stop())

const serverHost = '10.0.0.1'
const minute = 60_000

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 1,
  ...options,
})

const join = (ip: string, body: FleetBody, options = job()): Promise<FleetMember> =>
  enlist(cluster, ip, options, body)

const paths = (): ReturnType<typeof cluster.pathsOf> => cluster.pathsOf('job')

async function shardState(shard = 0): Promise<ShardState> {
  const { data } = await cluster.until(observer.get(paths().shardState(shard)))
  return readable(decodeShardState(toText(data), 'node'))
}

/** The session of the one who joined last. */
function lastSession(): bigint {
  return cluster.faults.sessionIds.at(-1) as bigint
}

function cut({ ip }: FleetMember): void {
  cluster.network.hold(ip, serverHost)
}

function repair({ ip }: FleetMember): void {
  cluster.network.release(ip, serverHost)
}

/** To a moment after the next fire. */
async function pastFire(): Promise<void> {
  await cluster.advance(2_000)
  await cluster.toPhase(1_000, minute)
}

const deaf: FleetBody = (_, here) => work(here, 90_000)
const attentive: FleetBody = ({ signal }, here) => work(here, 30_000, signal)

describe('a session that expires during a run', () => {
  it('everything goes on by itself, as another instance', async () => {
    const member = await join('10.0.1.1', async () => {}, job({ shardingTotalCount: 3 }))
    await pastFire()
    const from = cluster.clock.now()
    const before = cluster.told('job:registered')[0]?.instance
    cluster.faults.expireSession(lastSession())
    await cluster.advance(2 * minute)
    expect(cluster.told('registry:renewed')).toMatchObject([{ former: before }])
    const after = cluster.told('job:registered')[1]?.instance
    expect(after).not.toBe(before)
    expect(member.job.isLeader).toBe(true)
    const runs = cluster.runs.filter(({ fireTime }) => fireTime > from)
    expect(runsByShard(runs)).toEqual(everyShardOnce(3, minute, from, cluster.clock.now()))
    const { children } = await cluster.until(observer.children(paths().instances))
    expect(children).toEqual([after])
  })

  it('code that ignores its abort is orphaned: its shard waits for its end, which is told and not written', async () => {
    await join('10.0.1.1', deaf, job({ misfire: false }))
    await pastFire()
    const runId = cluster.runs[0]?.runId
    cluster.faults.expireSession(lastSession())
    await pastFire()
    expect(cluster.told('run:orphaned')).toMatchObject([{ runId }])
    // A fire has passed: the shard is closed here.
    expect(cluster.runs).toHaveLength(1)
    await cluster.toPhase(40_000, minute)
    expect(cluster.told('run:superseded')).toMatchObject([{ runId, outcome: 'success' }])
    expect(cluster.told('run:recorded')).toEqual([])
    expect(await shardState()).not.toHaveProperty('outcome')
    await cluster.toPhase(5_000, minute)
    expect(cluster.runs).toHaveLength(2)
  })

  it('with failover on somebody else runs it at once, and the orphan changes nothing of that', async () => {
    const options = job({ failover: true })
    const offsets: unknown[] = []
    const body: FleetBody = async ({ attempt, saveOffset }, here) => {
      if (attempt > 1) return work(here, 20_000)
      await work(here, 15_000)
      await saveOffset('orphan').catch((error: unknown) => offsets.push(error))
    }
    await join('10.0.1.1', body, options)
    const owner = lastSession()
    await pastFire()
    await join('10.0.1.2', body, options)
    cluster.faults.expireSession(owner)
    await cluster.advance(5_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: '10.0.1.2', attempt: 2 }])
    await cluster.advance(12_000)
    expect(offsets).toMatchObject([{ code: 'JOB_RUN_SUPERSEDED' }])
    expect(cluster.told('run:superseded')).toMatchObject([{ attempt: 1 }])
    expect(await shardState()).toMatchObject({ state: 'running', attempt: 2 })
    await cluster.advance(12_000)
    expect(await shardState()).toMatchObject({ state: 'idle', attempt: 2, outcome: 'success' })
    expect(cluster.runs).toHaveLength(2)
  })

  it('the process that lost it may take its own run over, when the code has ended', async () => {
    const body: FleetBody = ({ attempt }, here) => work(here, attempt === 1 ? 10_000 : 1_000)
    await join('10.0.1.1', body, job({ failover: true }))
    await pastFire()
    cluster.faults.expireSession(lastSession())
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(1)
    await cluster.advance(10_000)
    expect(cluster.runs.slice(1)).toMatchObject([{ attempt: 2, source: 'failover' }])
    expect(await shardState()).toMatchObject({ state: 'idle', outcome: 'success' })
  })

  it('the old owner returns: nothing that others have run is run again', async () => {
    const options = job({ shardingTotalCount: 4, failover: true, cron: '0/20 * * * * ?' })
    const first = await join('10.0.1.1', attentive, options)
    const second = await join('10.0.1.2', attentive, options)
    await cluster.advance(10_000)
    await cluster.toPhase(1_000, minute)
    cut(first)
    await cluster.advance(40_000)
    repair(first)
    await cluster.advance(2 * minute)
    const keys = cluster.runs.map((run) => [run.shardingItem, run.fireTime, run.attempt].join())
    expect(new Set(keys).size).toBe(keys.length)
    expect(cluster.told('registry:renewed')).toHaveLength(1)
    const owned = [...first.job.shardingItems, ...second.job.shardingItems]
    expect(owned.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect(first.job.shardingItems).toHaveLength(2)
  })

  it('one that was frozen wakes: what it ran is others, and nothing starts on its old lease', async () => {
    const options = job({ failover: true })
    const first = await join('10.0.1.1', attentive, options)
    await pastFire()
    const second = await join('10.0.1.2', attentive, options)
    await cluster.advance(1_000)
    first.machine.freeze()
    await cluster.toPhase(58_000, minute)
    expect(cluster.runs.slice(1)).toMatchObject([{ ip: second.ip, attempt: 2 }])
    await cluster.toPhase(10_000, minute)
    const seen = cluster.runs.length
    first.machine.wake()
    await cluster.advance(1_000)
    expect(cluster.runs).toHaveLength(seen)
    const runId = cluster.runs[0]?.runId
    expect(cluster.told('run:superseded')).toMatchObject([{ runId }])
    expect(cluster.told('run:recorded').map((run) => run.runId)).not.toContain(runId)
    await cluster.advance(2 * minute)
    const keys = cluster.runs.map((run) => [run.fireTime, run.attempt].join())
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('an answer that is lost', () => {
  it('a claim that held is adopted: it runs once, with the token of its claim', async () => {
    await join('10.0.1.1', attentive)
    await cluster.advance(2_000)
    await cluster.toPhase(59_000, minute)
    const lost = cluster.faults.loseNextReply({ sessionId: lastSession(), type: opCode.multi })
    await cluster.toPhase(5_000, minute)
    await lost
    expect(cluster.runs).toHaveLength(1)
    const { stat } = await cluster.until(observer.get(paths().mark(0, 'running')))
    expect(cluster.runs[0]?.fencingToken).toBe(stat.czxid)
    expect(cluster.told('registry:resumed')).toHaveLength(1)
    await cluster.toPhase(50_000, minute)
    expect(cluster.runs).toHaveLength(1)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
  })

  it('a claim that did not arrive is made again', async () => {
    const member = await join('10.0.1.1', async () => {})
    await cluster.advance(2_000)
    await cluster.toPhase(59_999, minute)
    cut(member)
    await cluster.advance(5)
    cluster.network.reset(member.ip, serverHost)
    repair(member)
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(1)
    expect(cluster.told('run:recorded')).toHaveLength(1)
  })

  it('an end that was written is not written twice, and its run is not repeated', async () => {
    const member = await join('10.0.1.1', attentive, job({ failover: true }))
    await pastFire()
    await cluster.toPhase(29_000, minute)
    const lost = cluster.faults.loseNextReply({ sessionId: lastSession(), type: opCode.multi })
    await cluster.toPhase(45_000, minute)
    await lost
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.told('run:superseded')).toEqual([])
    expect(await shardState()).toMatchObject({ state: 'idle', outcome: 'success' })
    expect(cluster.runs).toHaveLength(1)
    expect(member.job.isLeader).toBe(true)
  })

  it('of a crashed run that was taken over: it runs once', async () => {
    const options = job({ failover: true })
    const first = await join('10.0.1.1', attentive, options)
    await pastFire()
    await join('10.0.1.2', attentive, options)
    const taker = lastSession()
    await cluster.advance(1_000)
    first.machine.die()
    await cluster.untilEvent('run:crashed')
    const lost = cluster.faults.loseNextReply({ sessionId: taker, type: opCode.multi })
    await cluster.advance(10_000)
    await lost
    const again = cluster.runs.filter(({ source }) => source === 'failover')
    expect(again).toHaveLength(1)
    const { stat } = await cluster.until(observer.get(paths().mark(0, 'running')))
    expect(again[0]?.fencingToken).toBe(stat.czxid)
  })
})

describe('a connection that is gone for a while', () => {
  it('what ended meanwhile is written when it is back, in the same session', async () => {
    const member = await join('10.0.1.1', (_, here) => work(here, 3_000), job({ failover: true }))
    await pastFire()
    cut(member)
    await cluster.advance(7_000)
    expect(cluster.told('run:completed')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.told('run:recorded')).toEqual([])
    repair(member)
    await cluster.advance(3_000)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.told('registry:renewed')).toEqual([])
    expect(await shardState()).toMatchObject({ state: 'idle', outcome: 'success' })
    expect(cluster.runs).toHaveLength(1)
  })

  it('a run goes on, and neither its mark nor the instance is made anew', async () => {
    const member = await join('10.0.1.1', attentive, job({ failover: true }))
    await pastFire()
    const instance = cluster.told('job:registered')[0]?.instance ?? ''
    const nodes = [paths().mark(0, 'running'), paths().instance(instance)]
    const czxids = (): Promise<bigint[]> =>
      Promise.all(nodes.map(async (node) => (await cluster.until(observer.get(node))).stat.czxid))
    const before = await czxids()
    cluster.network.reset(member.ip, serverHost)
    await cluster.advance(5_000)
    expect(cluster.told('registry:resumed')).toHaveLength(1)
    expect(await czxids()).toEqual(before)
    expect(cluster.told('run:completed')).toEqual([])
    await cluster.toPhase(45_000, minute)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
    expect(cluster.runs).toHaveLength(1)
  })

  it('what is unknown is not absent: nobody stops, nothing is assigned, nothing is claimed', async () => {
    const member = await join('10.0.1.1', async () => {}, job({ shardingTotalCount: 3 }))
    await cluster.advance(2_000)
    await cluster.toPhase(58_000, minute)
    const epoch = cluster.told('sharding:changed').length
    cut(member)
    await cluster.advance(7_000)
    expect(cluster.runs).toEqual([])
    repair(member)
    await cluster.advance(5_000)
    // The fire stays due: it is run once, late.
    expect(runsByShard(cluster.runs).size).toBe(3)
    expect(cluster.runs).toHaveLength(3)
    expect(cluster.told('job:stopped')).toEqual([])
    expect(cluster.told('sharding:changed')).toHaveLength(epoch)
  })

  it('the end of the lease aborts what runs, and it is handed over', async () => {
    const options = job({ failover: true })
    const member = await join('10.0.1.1', attentive, options)
    await pastFire()
    cut(member)
    const ended = await cluster.untilEvent('lease:ended')
    expect(ended.running).toBe(1)
    await cluster.advance(10)
    expect(cluster.told('run:completed')).toMatchObject([{ outcome: 'aborted' }])
    repair(member)
    await cluster.advance(4_000)
    // In the same session: it gives the run back by itself.
    expect(cluster.told('registry:renewed')).toEqual([])
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'aborted' }])
    expect(cluster.runs.slice(1)).toMatchObject([{ attempt: 2, source: 'failover' }])
  })

  it('nothing starts before a write has proven the session again', async () => {
    const member = await join('10.0.1.1', async () => {}, job({ monitorExecution: false }))
    await cluster.advance(2_000)
    await cluster.toPhase(47_000, minute)
    cut(member)
    await cluster.toPhase(1_000, minute)
    expect(cluster.runs).toEqual([])
    member.wire.reset()
    repair(member)
    await cluster.advance(9_000)
    expect(cluster.runs).toHaveLength(1)
    expect(Object.keys(member.wire.counts)).toContain('multi')
  })
})

it('the fencing token grows with every claim of a shard, whoever claims it', async () => {
  const tokens: bigint[] = []
  const body: FleetBody = async ({ fencingToken, attempt }, here) => {
    const { stat } = await observer.get(paths().mark(0, 'running'))
    expect(fencingToken).toBe(stat.czxid)
    tokens.push(fencingToken as bigint)
    if (attempt === 1) await work(here, 20_000)
  }
  const options = job({ failover: true })
  const first = await join('10.0.1.1', body, options)
  await pastFire()
  await pastFire()
  await join('10.0.1.2', body, options)
  first.machine.die()
  await cluster.advance(25_000)
  await pastFire()
  expect(tokens).toHaveLength(4)
  expect(tokens.toSorted((a, b) => Number(a - b))).toEqual(tokens)
  expect(new Set(tokens).size).toBe(4)
})
