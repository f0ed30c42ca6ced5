import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isElasticJobError } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start({ latency: 5 })
})

afterEach(() => cluster.stop())

describe('a process that stops while it joins a job', () => {
  // One exchange with the registry takes ten milliseconds: together these meet each step of joining.
  it.each(Array.from({ length: 16 }, (_, step) => step * 5))(
    'is done with the job, and leaves no instance behind: %i ms after it was scheduled',
    async (delay) => {
      const { jobs } = await cluster.join('10.0.1.1')
      const options = { jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 2 }
      const scheduled = jobs
        .schedule(options, () => {})
        .then(
          () => 'registered',
          (error: unknown) => (isElasticJobError(error, 'JOB_STOPPED') ? 'stopped' : error),
        )
      await cluster.advance(delay)
      await cluster.until(jobs.stop())
      expect(['registered', 'stopped']).toContain(await cluster.until(scheduled))
      const observer = await cluster.client()
      const { instances } = cluster.pathsOf('job')
      const exists = await cluster.until(observer.exists(instances))
      const left =
        exists === undefined ? [] : (await cluster.until(observer.children(instances))).children
      expect(left).toEqual([])
    },
  )
})
