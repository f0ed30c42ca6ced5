import { ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { describe, expect, it } from 'vitest'

import { ElasticJob } from '../../../src/index.ts'
import { Operations } from '../../../src/operations.ts'
import { findingOfAbsence, findingOfConnection } from '../../../src/operations/diagnosis/absence.ts'

describe('findingOfConnection', () => {
  it('names a registry that cannot be reached', async () => {
    const error: unknown = await Operations.connect({
      servers: '127.0.0.1:1',
      namespace: 'shop',
      connectionTimeoutMilliseconds: 200,
    }).catch((failure: unknown) => failure)
    expect(findingOfConnection(error)).toMatchObject({
      cause: 'registry-unreachable',
      what: expect.stringContaining('127.0.0.1:1') as string,
    })
  })

  it('names a registry that does not let us read', async () => {
    await using server = await startServer({ port: 0 })
    const options = { servers: server.connectString, namespace: 'shop', logger: false } as const
    await using jobs = await ElasticJob.connect({
      ...options,
      digest: 'shop:secret',
      ip: '10.0.0.1',
    })
    await jobs.schedule({ jobName: 'job', shardingTotalCount: 1 }, () => {})
    await using operations = await Operations.connect({ ...options, digest: 'other:secret' })
    const error: unknown = await operations.diagnose('job').catch((failure: unknown) => failure)
    expect(findingOfConnection(error)).toMatchObject({ cause: 'registry-refuses' })
  })

  it('leaves to others what is something else', async () => {
    expect(findingOfConnection(undefined)).toBeUndefined()
    expect(findingOfConnection(null)).toBeUndefined()
    expect(findingOfConnection(new Error('no'))).toBeUndefined()
    const error: unknown = await ZooKeeper.connect({ servers: '' }).catch(
      (failure: unknown) => failure,
    )
    expect(findingOfConnection(error)).toBeUndefined()
  })
})

describe('findingOfAbsence', () => {
  it('knows a registry with nothing in it', () => {
    const around = { namespace: 'shop', jobNames: undefined, others: new Map(), unreadable: [] }
    expect(findingOfAbsence('job', around)).toMatchObject({
      cause: 'namespace-unknown',
      remedy: 'start a process that schedules a job: it makes the namespace',
    })
  })

  it('knows a namespace with no job in it', () => {
    const around = { namespace: 'shop', jobNames: [], others: new Map(), unreadable: [] }
    expect(findingOfAbsence('job', around)).toMatchObject({
      cause: 'job-unknown',
      what: 'namespace "shop" has no job "job"',
    })
  })

  it('knows that no name was asked for', () => {
    const around = { namespace: 'shop', jobNames: [], others: new Map(), unreadable: [] }
    expect(findingOfAbsence(undefined, around).what).toBe('namespace "shop" has no job')
  })

  it.each([undefined, ['other']])('names what it could not read, with jobs %j', (jobNames) => {
    const around = { namespace: 'shop', jobNames, others: new Map(), unreadable: ['theirs'] }
    expect(findingOfAbsence('job', around).remedy).toMatch(
      /; or look with its digest into theirs, where we may not read$/,
    )
  })
})
