import { afterEach, beforeEach, expect, it } from 'vitest'

import type { ShardingContext } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { hostile } from '../support/hostile.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

it.each(Object.entries(hostile))(
  'a run that throws %s fails, and the next one follows',
  async (_, make) => {
    const logged: string[] = []
    const note = (text: string): void => void logged.push(text)
    const logger = { debug: note, info: note, warn: note, error: note }
    const { jobs } = await cluster.join('10.0.1.1', {
      logger,
      interceptors: [(_runs, next) => next()],
    })
    const body = ({ attempt }: ShardingContext): Promise<void> => {
      // eslint-disable-next-line typescript/prefer-promise-reject-errors
      return attempt === 1 ? Promise.reject(make()) : Promise.resolve()
    }
    const options = { jobName: 'job', cron: '0/10 * * * * ?', shardingTotalCount: 1 }
    const onError = (): never => {
      throw make()
    }
    const props = { 'retry.times': '1', 'retry.backoff.milliseconds': '10' }
    await cluster.until(jobs.schedule({ ...options, props, onError }, body))
    await cluster.toPhase(5_000, 10_000)
    await cluster.advance(20_000)
    expect(cluster.told('run:recorded')).toMatchObject([
      { outcome: 'failure' },
      { outcome: 'failure' },
    ])
    expect(logged.filter((text) => text.includes('shard 0 failed:'))).toHaveLength(2)
    cluster.events.splice(0)
  },
)
