import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type InstanceStatistics, statisticsByServer } from '../../../src/operations.ts'
import { type Counts, encodeCounts } from '../../../src/legacy/statistics/counts.ts'
import { readStatistics } from '../../../src/legacy/statistics/read-statistics.ts'
import { registryOn } from '../../support/registry-on.ts'

let server: RunningServer
let client: ZooKeeper

beforeEach(async () => {
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
})

afterEach(async () => {
  await client.close()
  await server.stop()
})

const counts = (succeeded: number): Counts => ({
  runs: { succeeded, failed: 1 },
  elements: { succeeded: succeeded * 10, failed: 2 },
})

function read(): Promise<readonly InstanceStatistics[]> {
  return readStatistics((parts) => registryOn(client).read(parts), 'shop', 'job')
}

async function put(instance: string, text: string): Promise<void> {
  await client.create(`/shop.state/statistics/job/${instance}`, text, { parents: true })
}

describe('readStatistics', () => {
  it('is empty where nobody has counted', async () => {
    expect(await read()).toEqual([])
  })

  it('has what instances have written, and not what nobody understands', async () => {
    const stored = {
      interval: { from: 1000, until: 2000, ...counts(1) },
      total: { since: 500, ...counts(7) },
    }
    await put('10.0.0.1@-@1-a', encodeCounts(stored))
    await put('10.0.0.2@-@1-b', 'something else')
    expect(await read()).toEqual([
      {
        instance: '10.0.0.1@-@1-a',
        server: '10.0.0.1',
        interval: { from: new Date(1000), until: new Date(2000), ...counts(1) },
        total: { since: new Date(500), ...counts(7) },
      },
    ])
  })
})

describe('statisticsByServer', () => {
  it('adds up what the instances of a server say', () => {
    const one = (instance: string, from: number, succeeded: number): InstanceStatistics => ({
      instance,
      server: instance.split('@')[0] as string,
      interval: { from: new Date(from), until: new Date(from + 10), ...counts(succeeded) },
      total: { since: new Date(from), ...counts(succeeded) },
    })
    const all = [one('10.0.0.1@-@1', 100, 1), one('10.0.0.2@-@1', 0, 5), one('10.0.0.1@-@2', 50, 2)]
    expect(statisticsByServer(all)).toEqual([
      {
        server: '10.0.0.1',
        instances: ['10.0.0.1@-@1', '10.0.0.1@-@2'],
        interval: {
          from: new Date(50),
          until: new Date(110),
          runs: { succeeded: 3, failed: 2 },
          elements: { succeeded: 30, failed: 4 },
        },
        total: {
          since: new Date(50),
          runs: { succeeded: 3, failed: 2 },
          elements: { succeeded: 30, failed: 4 },
        },
      },
      expect.objectContaining({ server: '10.0.0.2', instances: ['10.0.0.2@-@1'] }),
    ])
    expect(statisticsByServer([])).toEqual([])
  })
})
