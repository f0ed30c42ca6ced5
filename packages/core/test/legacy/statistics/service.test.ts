import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../../src/index.ts'
import type { InstanceStatistics } from '../../../src/operations.ts'
import { readStatistics } from '../../../src/legacy/statistics/read-statistics.ts'
import { SimulatedCluster, type SimulatedInstance } from '../../simulated-cluster.ts'
import { registryOn } from '../../support/registry-on.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const counting = { 'process.count.interval.seconds': 60 }

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0/10 * * * * ?',
  shardingTotalCount: 2,
  jobErrorHandlerType: 'IGNORE',
  props: counting,
  ...options,
})

async function statistics(jobName = 'job'): Promise<readonly InstanceStatistics[]> {
  const client = await cluster.client()
  return cluster.until(
    readStatistics((parts) => registryOn(client).read(parts), cluster.namespace, jobName),
  )
}

/** What an instance sends beside its pings. */
function sent({ wire }: SimulatedInstance): Readonly<Record<string, number>> {
  const { ping: _, ...others } = wire.counts
  return others
}

const body = async ({ shardingItem }: { shardingItem: number }): Promise<void> => {
  if (shardingItem === 1) throw new Error('on purpose')
}

describe('what an instance counts', () => {
  it('is in the registry after an interval, by instance and server, and goes on', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(jobs.schedule(job(), body))
    await cluster.advance(121_000)
    const [first, ...others] = await statistics()
    expect(others).toEqual([])
    expect(first?.server).toBe('10.0.1.1')
    const { interval, total } = first as InstanceStatistics
    expect(interval.runs).toEqual({ succeeded: 6, failed: 6 })
    expect(Number(interval.until) - Number(interval.from)).toBe(60_000)
    expect(total.runs.succeeded).toBeGreaterThanOrEqual(6)
    await cluster.advance(60_000)
    const [next] = await statistics()
    expect(next?.interval.from).toEqual(interval.until)
    expect(next?.interval.runs).toEqual({ succeeded: 6, failed: 6 })
    expect(next?.total.runs.succeeded).toBe(total.runs.succeeded + 6)
  })

  it('has the elements of dataflows', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(
      jobs.schedule(job({ shardingTotalCount: 1 }), {
        fetchData: async () => [1, 2, 3],
        processData: async () => 2,
      }),
    )
    await cluster.advance(121_000)
    const [{ interval }] = (await statistics()) as [InstanceStatistics]
    expect(interval.elements).toEqual({ succeeded: 12, failed: 6 })
  })

  it('costs nothing for a job that does nothing, and one transaction for all that do', async () => {
    const instance = await cluster.join('10.0.1.1')
    const idle = { cron: '0 0 0 1 1 ? 2099', shardingTotalCount: 1 }
    for (let i = 0; i < 5; i++) {
      const options = { ...idle, jobName: `busy-${i}` }
      await cluster.until(instance.jobs.schedule(job(options), async () => {}))
    }
    await cluster.until(instance.jobs.schedule(job({ ...idle, jobName: 'idle' }), async () => {}))
    const runAll = async (): Promise<void> => {
      const client = await cluster.client()
      for (let i = 0; i < 5; i++) {
        const { triggers } = cluster.pathsOf(`busy-${i}`)
        const id = cluster.told('job:registered')[0]?.instance ?? ''
        await cluster.until(client.create(`${triggers}/${id}`, '', { parents: true }))
      }
      await cluster.advance(5000)
    }
    await runAll()
    await cluster.advance(60_000)
    expect(await statistics('idle')).toEqual([])
    expect(await statistics('busy-4')).toHaveLength(1)
    await runAll()
    instance.wire.reset()
    await cluster.advance(60_000)
    expect(sent(instance)).toEqual({ multi: 1 })
    instance.wire.reset()
    await cluster.advance(120_000)
    expect(sent(instance)).toEqual({})
  })

  it('goes with the instance: when it stops, when the job stops there, when it dies', async () => {
    const [stops, leaves, dies] = [
      await cluster.join('10.0.1.1'),
      await cluster.join('10.0.1.2'),
      await cluster.join('10.0.1.3'),
    ] as const
    const options = job({ shardingTotalCount: 3 })
    await cluster.until(stops.jobs.schedule(options, async () => {}))
    const left = await cluster.until(leaves.jobs.schedule(options, async () => {}))
    await cluster.until(dies.jobs.schedule(options, async () => {}))
    await cluster.advance(120_000)
    expect((await statistics()).map(({ server }) => server)).toEqual([
      '10.0.1.1',
      '10.0.1.2',
      '10.0.1.3',
    ])
    await cluster.until(stops.jobs.stop())
    await cluster.until(left.stop())
    await cluster.advance(1000)
    expect((await statistics()).map(({ server }) => server)).toEqual(['10.0.1.3'])
    dies.machine.die()
    await cluster.advance(60_000)
    expect(await statistics()).toEqual([])
  })

  it('is written under the new id after a lost session, with all that was counted', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(jobs.schedule(job(), async () => {}))
    await cluster.advance(121_000)
    const [before] = (await statistics()) as [InstanceStatistics]
    for (const id of cluster.faults.sessionIds) cluster.faults.expireSession(id)
    await cluster.advance(121_000)
    const [after, ...others] = (await statistics()) as [InstanceStatistics]
    expect(others).toEqual([])
    expect(after.instance).not.toBe(before.instance)
    expect(after.total.since).toEqual(before.total.since)
    expect(after.total.runs.succeeded).toBeGreaterThan(before.total.runs.succeeded)
  })
  it('is not lost with an answer that is, and comes back if somebody removes it', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = job({ cron: undefined, shardingTotalCount: 1 })
    const scheduled = await cluster.until(jobs.schedule(options, async () => {}))
    await cluster.until(scheduled.trigger())
    await cluster.advance(5000)
    const lost = cluster.faults.loseNextReply({ type: opCode.multi })
    await cluster.until(lost)
    await cluster.advance(60_000)
    await cluster.until(scheduled.trigger())
    await cluster.advance(61_000)
    const [{ total }] = (await statistics()) as [InstanceStatistics]
    expect(total.runs).toEqual({ succeeded: 2, failed: 0 })

    const client = await cluster.client()
    await cluster.until(client.deleteRecursive(`/${cluster.namespace}.state/statistics`))
    await cluster.until(scheduled.trigger())
    await cluster.advance(61_000)
    const [again] = (await statistics()) as [InstanceStatistics]
    expect(again.total.runs).toEqual({ succeeded: 3, failed: 0 })
  })
})
