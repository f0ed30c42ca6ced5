import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const second = 1000
const minute = 60 * second

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '* * * * * ?',
  shardingTotalCount: 4,
  ...options,
})

const join = (
  ip: string,
  options = job(),
  body: FleetBody = async () => {},
): Promise<FleetMember> => enlist(cluster, ip, options, body)

/** Fire times of the next ten seconds at which a shard did not run, or ran more than once. */
async function wrongRuns(total: number): Promise<string[]> {
  await cluster.toPhase(500)
  const from = cluster.clock.now()
  await cluster.advance(10 * second)
  const runs = runsByShard(cluster.runs.filter(({ fireTime }) => fireTime > from))
  const expected = everyShardOnce(total, second, from, cluster.clock.now())
  return [...expected.keys()].filter((key) => runs.get(key) !== 1)
}

/** Reports of fire times that ran. */
function falseReports(): object[] {
  return cluster
    .told('fire:missed')
    .filter(({ shardingItem, first, fireTime: last }) =>
      cluster.runs.some(
        (run) => run.shardingItem === shardingItem && first <= run.fireTime && run.fireTime <= last,
      ),
    )
}

/** Fire times that a shard ran more than once for. */
function doubleRuns(): string[] {
  return [...runsByShard(cluster.runs)].filter(([, count]) => count > 1).map(([key]) => key)
}

describe('a registry whose data was wiped', () => {
  it('gets the jobs back from the instances, which go on and tell of it', async () => {
    await join('10.0.1.1')
    await join('10.0.1.2')
    await cluster.advance(5 * second)
    await cluster.replaceData()
    await cluster.advance(minute)
    expect(cluster.told('registry:data-lost')).toMatchObject([{ loss: 'wiped' }, { loss: 'wiped' }])
    expect(
      cluster.told('reconcile:repaired').filter(({ jobName }) => jobName === 'job'),
    ).not.toEqual([])
    expect(await wrongRuns(4)).toEqual([])
    expect(doubleRuns()).toEqual([])
  })

  it('gets the configuration back that was in effect, and what an operator had switched off', async () => {
    await join('10.0.1.1')
    await join('10.0.1.2')
    await cluster.configure('job', { shardingTotalCount: 6, description: 'changed' })
    const operator = await cluster.client()
    const paths = cluster.pathsOf('job')
    await cluster.until(operator.set(paths.server('10.0.1.2'), 'DISABLED'))
    await cluster.until(operator.create(`${paths.shard(3)}/disabled`, ''))
    await cluster.advance(5 * second)
    await cluster.replaceData()
    await cluster.advance(minute)
    const text = toText((await cluster.until(operator.get(paths.config))).data)
    expect(text).toContain('shardingTotalCount: 6')
    expect(text).toContain('description: changed')
    const { data } = await cluster.until(operator.get(paths.server('10.0.1.2')))
    expect(toText(data)).toBe('DISABLED')
    const from = cluster.runs.length
    await cluster.advance(10 * second)
    const later = cluster.runs.slice(from)
    expect(new Set(later.map(({ ip }) => ip))).toEqual(new Set(['10.0.1.1']))
    expect(new Set(later.map(({ shardingItem }) => shardingItem))).toEqual(new Set([0, 1, 2, 4, 5]))
  })

  it('is filled again by an instance that was alone and idle', async () => {
    const member = await join('10.0.1.1', job({ cron: '0 0 3 * * ?' }))
    await cluster.replaceData()
    await cluster.advance(minute)
    expect(cluster.told('registry:renewed')).toHaveLength(1)
    expect(cluster.told('job:registered')).toHaveLength(2)
    await cluster.until(member.job.trigger())
    await cluster.advance(second)
    expect(cluster.runs).toHaveLength(4)
  })

  it('does not get a job back that an operator had removed before', async () => {
    await join('10.0.1.1')
    const operator: ZooKeeper = await cluster.client()
    const { root } = cluster.pathsOf('job')
    await cluster.until(operator.deleteRecursive(root))
    await cluster.untilEvent('job:stopped')
    await cluster.replaceData()
    await cluster.advance(minute)
    expect(await cluster.until(operator.exists(root))).toBeUndefined()
  })

  it('lets an instance stop at once while it is empty', async () => {
    const { jobs } = await join('10.0.1.1')
    await cluster.replaceData()
    await cluster.advance(20 * second)
    const from = cluster.clock.now()
    await cluster.until(jobs.stop())
    expect(cluster.clock.now() - from).toBeLessThan(2 * second)
  })
})

describe('a registry that was restored from a backup', () => {
  for (const [kind, ahead] of [
    ['whose zxids went back', 0],
    ['whose ensemble began a new epoch', 1_000_000],
  ] as const) {
    it(`${kind}: every shard runs again at its next fire time, and instances tell of it`, async () => {
      // At the moment of the backup the shards run.
      const body: FleetBody = (_, here) => work(here, 400)
      await join('10.0.1.1', job(), body)
      await join('10.0.1.2', job(), body)
      await cluster.advance(5 * second)
      await cluster.toPhase(200)
      const backup = cluster.backUp()
      await cluster.advance(minute)
      await cluster.toPhase(700)
      await cluster.replaceData(backup, ahead === 0 ? {} : { zxid: backup.zxid + ahead })
      await cluster.advance(minute)
      expect(cluster.told('registry:data-lost')).toMatchObject([
        { loss: 'restored' },
        { loss: 'restored' },
      ])
      expect(await wrongRuns(4)).toEqual([])
      expect(doubleRuns()).toEqual([])
      expect(falseReports()).toEqual([])
    })
  }

  it('keeps fire times that ran since the backup from running again', async () => {
    const options = job({ cron: '0 * * * * ?', misfire: false })
    await join('10.0.1.1', options)
    await cluster.toPhase(30 * second, minute)
    const backup = cluster.backUp()
    await cluster.toPhase(5 * second, minute)
    await cluster.replaceData(backup)
    await cluster.advance(5 * minute)
    expect(doubleRuns()).toEqual([])
    expect(cluster.runs.length).toBeGreaterThanOrEqual(5 * 4)
  })

  it('does not make instances forget fire times since it is back, however often they lose their connection', async () => {
    const { ip } = await join('10.0.1.1', job({ cron: '0 * * * * ?' }))
    await cluster.advance(2 * minute)
    await cluster.toPhase(20 * second, minute)
    const backup = cluster.backUp()
    await cluster.advance(minute)
    await cluster.replaceData(backup)
    cluster.network.hold(ip, '10.0.0.1')
    await cluster.toPhase(2 * second, minute)
    const fireTime = cluster.clock.now() - 2 * second
    // The answer to the first write of its next session is lost, and the connection with it.
    const lost = cluster.faults.loseNextReply({ type: opCode.create2 })
    cluster.network.release(ip, '10.0.0.1')
    await cluster.until(lost)
    await cluster.advance(minute)
    expect(cluster.told('registry:data-lost')).toMatchObject([{ loss: 'restored' }])
    const known = [
      ...cluster.runs.map((run) => [run.shardingItem, run.fireTime, run.fireTime] as const),
      ...cluster
        .told('fire:missed')
        .map((row) => [row.shardingItem, row.first, row.fireTime] as const),
    ].filter(([, first, last]) => first <= fireTime && fireTime <= last)
    expect(new Set(known.map(([shard]) => shard))).toEqual(new Set([0, 1, 2, 3]))
  })

  it('takes an instance back whose nodes are missing although its session lives', async () => {
    await join('10.0.1.1')
    const { ip, job: left } = await join('10.0.1.2')
    await cluster.advance(5 * second)
    const observer = await cluster.client('10.0.9.2')
    const { instances } = cluster.pathsOf('job')
    const { children } = await cluster.until(observer.children(instances))
    const name = children.find((one) => one.startsWith(`${ip}@`)) ?? ''
    // Others may have written so much since the restore that no zxid tells of it.
    cluster.network.reset(ip, '10.0.0.1')
    await cluster.until(observer.delete(`${instances}/${name}`))
    await cluster.until(observer.delete(`/${cluster.namespace}.state/alive/${name}`))
    await cluster.advance(10 * second)
    expect(cluster.told('job:stopped')).toEqual([])
    expect(left.shardingItems).toHaveLength(2)
    expect(await wrongRuns(4)).toEqual([])
    await cluster.until(observer.close())
  })

  it('gets a job back that was made after the backup', async () => {
    const backup = cluster.backUp()
    await join('10.0.1.1')
    await cluster.advance(5 * second)
    await cluster.replaceData(backup)
    await cluster.advance(minute)
    expect(await wrongRuns(4)).toEqual([])
  })

  it('runs jobs with failover, whose marks are from the past, again', async () => {
    const body: FleetBody = (_, here) => work(here, 400)
    await join('10.0.1.1', job({ failover: true }), body)
    await join('10.0.1.2', job({ failover: true }), body)
    await cluster.advance(5 * second)
    await cluster.toPhase(200)
    const backup = cluster.backUp()
    await cluster.advance(minute)
    await cluster.replaceData(backup)
    await cluster.advance(minute)
    expect(await wrongRuns(4)).toEqual([])
  })
})

describe('a registry that refuses connections for longer than a session lasts, and has lost nothing', () => {
  // Every other round the client does not say what it has seen.
  it.each([30, 33, 36, 39])(
    'is not taken for one that has lost data after %i s',
    async (seconds) => {
      const { ip } = await join('10.0.1.1')
      await cluster.advance(10 * second)
      await cluster.toPhase(500)
      const from = cluster.clock.now()
      // As servers do that hold an election: they take a connection, and close it before they answer the handshake.
      cluster.faults.pause()
      while (cluster.clock.now() < from + seconds * second) {
        await cluster.advance(5)
        cluster.network.reset(ip, '10.0.0.1')
      }
      cluster.faults.resume()
      const until = cluster.clock.now()
      await cluster.advance(2 * minute)
      expect(cluster.told('registry:renewed')).toHaveLength(1)
      expect(cluster.told('registry:data-lost')).toEqual([])
      const ran = runsByShard(cluster.runs)
      const isReported = (key: string): boolean => {
        const [shard, time = 0] = key.split('@').map(Number)
        return cluster
          .told('fire:missed')
          .some(
            ({ shardingItem, first, fireTime: last }) =>
              shardingItem === shard && first <= time * second && time * second <= last,
          )
      }
      const fires = [...everyShardOnce(4, second, from, until).keys()]
      expect(fires.filter((key) => !ran.has(key) && !isReported(key))).toEqual([])
      expect(falseReports()).toEqual([])
    },
  )
})

describe('a registry whose state tree was deleted', () => {
  it('reports nothing as missed that ran before', async () => {
    await join('10.0.1.1')
    await join('10.0.1.2')
    await cluster.advance(10 * second)
    await cluster.toPhase(500)
    const operator = await cluster.client()
    await cluster.until(operator.deleteRecursive('/shop.state'))
    // Shards move to an instance that remembers nothing of them.
    await join('10.0.1.3')
    await cluster.advance(minute)
    expect(await wrongRuns(4)).toEqual([])
    expect(doubleRuns()).toEqual([])
    expect(falseReports()).toEqual([])
  })
})
