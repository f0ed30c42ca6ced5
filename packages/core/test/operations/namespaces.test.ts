import { creatorAcl, ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { Operations } from '../../src/operations.ts'

let server: RunningServer
let theirs: ZooKeeper
let operations: Operations

beforeEach(async () => {
  server = await startServer({ port: 0 })
  const servers = server.connectString
  theirs = await ZooKeeper.connect({
    servers,
    auth: [{ scheme: 'digest', auth: 'them:secret' }],
  })
  operations = await Operations.connect({ servers, namespace: 'nothing' })
})

afterEach(async () => {
  await operations.close()
  await theirs.close()
  await server.stop()
})

const config = 'jobName: job\nshardingTotalCount: 1\n'
const hidden = { acl: creatorAcl, parents: true }

it('those that hold jobs are named, those that hold something else are not', async () => {
  await theirs.create('/shop/job/config', config, { parents: true })
  await theirs.create('/shop.state/jobs/job', '', { parents: true })
  await theirs.create('/kafka/brokers/ids', '', { parents: true })
  expect(await operations.namespaces()).toEqual({ withJobs: ['shop'], unreadable: [] })
})

it('one that belongs to somebody else is unknown, and the others are told', async () => {
  await theirs.create('/shop/job/config', config, { parents: true })
  await theirs.create('/secret/job/config', config, hidden)
  await theirs.create('/secret.state/jobs', '', hidden)
  await theirs.create('/half/job', '', { parents: true })
  await theirs.create('/half/job/config', config, { acl: creatorAcl })
  expect(await operations.namespaces()).toEqual({
    withJobs: ['shop'],
    unreadable: ['half', 'secret'],
  })
  const [diagnosis] = await operations.diagnoseAll()
  expect(diagnosis?.findings).toMatchObject([
    { cause: 'namespace-unknown', remedy: expect.stringContaining('into half, secret') as string },
  ])
})

it('all are unknown if not even their names may be read', async () => {
  await theirs.create('/shop/job/config', config, { parents: true })
  await theirs.setAcl('/', creatorAcl)
  expect(await operations.namespaces()).toEqual({ withJobs: [], unreadable: ['/'] })
})
