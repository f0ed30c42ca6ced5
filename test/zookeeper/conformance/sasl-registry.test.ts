import { once } from 'node:events'

import { ElasticJob } from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'
import { openAcl, permission, ZooKeeper } from '@elasticjob/zookeeper'

import { bob, startSaslTarget } from './sasl-target.ts'
import { expect, itOn, specialServerConformance } from './support.ts'

const bobId = { scheme: 'sasl', id: 'bob' }

const it = itOn(startSaslTarget)

/** Runs a job once in a namespace that is bob's: nobody else could make it. */
async function runOnce(options: {
  readonly servers: string
  readonly namespace: string
  readonly digest?: string
}): Promise<void> {
  await using client = await ZooKeeper.connect({ servers: options.servers, sasl: bob })
  const acl = [{ permissions: permission.all, id: bobId }]
  for (const name of [options.namespace, `${options.namespace}.state`]) {
    await client.create(`/${name}`, '', { acl })
  }
  await using jobs = await ElasticJob.connect({ ...options, sasl: bob, logger: false })
  const recorded = once(jobs, 'run:recorded')
  const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1 }, () => {})
  await job.trigger()
  await recorded
}

specialServerConformance('a registry with SASL', () => {
  it('runs jobs for a user that is proven by SASL, and leaves their nodes open', async ({
    target,
  }) => {
    const registry = { servers: target.connectString, namespace: 'open' }
    await runOnce(registry)
    await using client = await ZooKeeper.connect({ servers: registry.servers, sasl: bob })
    for (const path of ['/open/sync/config', '/open.state/jobs/sync']) {
      expect((await client.getAcl(path)).acl).toEqual(openAcl)
    }
    await using stranger = await Operations.connect(registry)
    await expect(stranger.jobs()).rejects.toMatchObject({ code: 'REGISTRY_NO_AUTH' })
    await using operations = await Operations.connect({ ...registry, sasl: bob })
    expect(await operations.jobs()).toMatchObject([{ jobName: 'sync' }])
  })

  it('closes the nodes with a digest beside it', async ({ target }) => {
    const servers = target.connectString
    await runOnce({ servers, namespace: 'closed', digest: 'ops:secret' })
    await using client = await ZooKeeper.connect({ servers, sasl: bob })
    const { acl } = await client.getAcl('/closed/sync/config')
    expect(acl.map(({ id }) => id.scheme).toSorted()).toEqual(['digest', 'sasl'])
  })

  it('refuses a wrong password, and says what was wrong', async ({ target }) => {
    const connecting = ElasticJob.connect({
      servers: target.connectString,
      namespace: 'refused',
      sasl: { ...bob, password: 'wrong' },
      logger: false,
    })
    await expect(connecting).rejects.toMatchObject({
      code: 'JOB_REGISTRY_REFUSED',
      message: expect.stringContaining('SASL') as string,
    })
  })
})
