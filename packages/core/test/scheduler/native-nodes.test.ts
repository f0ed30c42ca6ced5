import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0/10 * * * * ?',
  shardingTotalCount: 4,
  ...options,
})

describe('a job without Java instances', () => {
  it('has none of the nodes that Java makes for elections, resharding, misfires and time', async () => {
    const operator = await cluster.client()
    const made = new Set<string>()
    await cluster.until(
      operator.addWatch('/', 'recursive', ({ type, path }) => {
        if (type === 'created') made.add(path)
      }),
    )
    const first = await cluster.join('10.0.1.1')
    const second = await cluster.join('10.0.1.2')
    // Every run meets the next fire time.
    const body = async (): Promise<void> => {
      await new Promise<void>((resolve) => cluster.clock.setTimer(resolve, 15_000))
    }
    await cluster.until(first.jobs.schedule(job(), body))
    await cluster.advance(40_000)
    await cluster.until(second.jobs.schedule(job(), body))
    await cluster.advance(60_000)
    expect(cluster.runs.some(({ source }) => source === 'misfire')).toBe(true)
    expect(new Set(cluster.runs.map(({ ip }) => ip)).size).toBe(2)
    expect([...made]).toContain('/shop/job/leader/election/instance')
    const javas = /\/(latch|necessary|processing|misfire|systemTime)(\/|$)/
    expect([...made].filter((path) => javas.test(path))).toEqual([])
  })

  it('heeds a necessary that somebody makes, and takes it away', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    await cluster.until(jobs.schedule(job(), async () => {}))
    await cluster.advance(5_000)
    const operator = await cluster.client()
    const { necessary } = cluster.pathsOf('job')
    await cluster.until(operator.create(necessary, ''))
    await cluster.advance(5_000)
    expect(await cluster.until(operator.exists(necessary))).toBeUndefined()
  })

  it('runs a late fire with misfire off, too: only a fire that met a run is dropped', async () => {
    const { jobs, machine } = await cluster.join('10.0.1.1')
    await cluster.until(jobs.schedule(job({ misfire: false }), async () => {}))
    await cluster.toPhase(9_000, 10_000)
    const before = cluster.runs.length
    machine.freeze()
    await cluster.advance(2_200)
    machine.wake()
    await cluster.advance(1_000)
    const late = cluster.runs.slice(before)
    expect(late).toHaveLength(4)
    expect(late.every(({ at, fireTime }) => at - fireTime >= 1_200)).toBe(true)
  })
})
