import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ElasticJob, type ShardingContext } from '@elasticjob/core'
import { digestId, permission, ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const namespace = 'shop'
const job = { jobName: 'sync', shardingTotalCount: 1 }

/** Runs the job once, and answers what its body was given. */
async function runOnce(jobs: ElasticJob): Promise<ShardingContext> {
  const contexts: ShardingContext[] = []
  const recorded = once(jobs, 'run:recorded')
  const scheduled = await jobs.schedule(job, (context) => void contexts.push(context))
  await scheduled.trigger()
  await recorded
  expect(contexts).toHaveLength(1)
  return contexts[0] as ShardingContext
}

describe('with a digest', () => {
  test('what is created is its user’s alone, and the job runs', async () => {
    await using server = await startServer({ port: 0 })
    await using jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace,
      digest: 'ops:secret',
      logger: false,
    })
    expect((await runOnce(jobs)).shardingItem).toBe(0)

    await using stranger = await ZooKeeper.connect({ servers: server.connectString })
    await expect(stranger.get('/shop/sync/config')).rejects.toThrow('NO_AUTH')
    await expect(stranger.set('/shop/sync/config', 'mine')).rejects.toThrow('NO_AUTH')

    const auth = [{ scheme: 'digest', auth: 'ops:secret' }]
    await using friend = await ZooKeeper.connect({ servers: server.connectString, auth })
    for (const path of ['/shop', '/shop/sync/sharding/0', '/shop.state/jobs/sync']) {
      const { acl } = await friend.getAcl(path)
      const id = { scheme: 'digest', id: digestId('ops', 'secret') }
      expect({ path, acl }).toEqual({ path, acl: [{ permissions: permission.all, id }] })
    }
  })
})

describe('with TLS', () => {
  let folder: string
  let key: string
  let cert: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'elasticjob-tls-'))
    const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'
    const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1,DNS:localhost'
    const files = '-keyout key.pem -out cert.pem'
    const args = `req ${options} ${subject} ${files}`.split(' ')
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
    key = readFileSync(join(folder, 'key.pem'), 'utf8')
    cert = readFileSync(join(folder, 'cert.pem'), 'utf8')
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('the job runs over an encrypted connection', async () => {
    await using server = await startServer({ port: 0, tls: { key, cert } })
    await using jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace,
      tls: { ca: cert },
      logger: false,
    })
    expect((await runOnce(jobs)).jobName).toBe('sync')
  })

  test('a server that nobody vouches for is refused, with the reason', async () => {
    await using server = await startServer({ port: 0, tls: { key, cert } })
    const connecting = ElasticJob.connect({
      servers: server.connectString,
      namespace,
      tls: true,
      connectionTimeoutMilliseconds: 500,
    })
    await expect(connecting).rejects.toThrow(/self-signed certificate/)
  })
})
