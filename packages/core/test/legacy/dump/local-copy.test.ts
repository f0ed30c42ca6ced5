import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { dumpComparedJob } from '../../../src/legacy/dump/dump-job.ts'
import { differencesOf } from '../../../src/legacy/dump/local-copy.ts'
import { readTree, type TreeNode } from '../../../src/legacy/dump/read-tree.ts'
import type { JobView } from '../../../src/job-tree/job-view.ts'
import { StatePaths } from '../../../src/job-tree/paths.ts'
import { ReplicaHub } from '../../../src/job-tree/replica-hub.ts'
import type { JobReplica } from '../../../src/job-tree/replica.ts'
import type { RegistrySession } from '../../../src/registry/registry-session.ts'
import { SimulatedCluster } from '../../simulated-cluster.ts'
import { FakeJava } from '../../support/fake-java.ts'
import { registryOn } from '../../support/registry-on.ts'

let cluster: SimulatedCluster
let copy: JobReplica
let nodes: TreeNode[]

/** A copy of the job that takes part in nothing. */
async function copied(): Promise<JobReplica> {
  const client = registryOn(await cluster.client('10.0.8.8'))
  const session = {
    client,
    now: () => cluster.clock.now(),
    read: (parts, onAnswer) => client.read(parts, onAnswer === undefined ? {} : { onAnswer }),
  } as Pick<RegistrySession, 'client' | 'now' | 'read'> as RegistrySession
  const nothing = (): void => {}
  const listener = {
    changed: nothing,
    membersChanged: nothing,
    failed: nothing,
    aliveFailed: nothing,
  }
  const hub = new ReplicaHub(
    session,
    cluster.namespace,
    new StatePaths(cluster.namespace),
    listener,
  )
  return cluster.until(hub.follow('job'))
}

/** The copy as it would be had it gone wrong. */
function goneWrong(wrong: Partial<JobView>): JobReplica {
  return new Proxy(copy, {
    get: (target, name): unknown =>
      name in wrong ? wrong[name as keyof JobView] : Reflect.get(target, name, target),
  })
}

const withServer = (ip: string, text: string): Pick<JobView, 'servers'> => ({
  servers: new Map([...copy.servers, [ip, text]]),
})

async function read(): Promise<TreeNode[]> {
  const client = await cluster.client()
  const trees = [copy.paths.root, copy.paths.jobState].map((root) =>
    readTree((parts) => registryOn(client).read(parts), root),
  )
  return (await cluster.until(Promise.all(trees))).flat()
}

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  const { jobs } = await cluster.join('10.0.1.1')
  const options = { jobName: 'job', cron: '0 0 0 1 1 ? 2099', shardingTotalCount: 3 }
  await cluster.until(jobs.schedule({ ...options, failover: true }, async () => {}))
  await cluster.advance(5000)
})

afterEach(() => cluster.stop())

describe('differencesOf', () => {
  it('are none between a copy and what it was made from, with Java about and without', async () => {
    copy = await copied()
    await cluster.advance(1000)
    expect(differencesOf(await read(), copy, copy.paths)).toEqual(new Map())

    const java = await FakeJava.start(cluster)
    await java.register()
    await java.raise()
    const { client, paths } = java
    for (const [path, text] of [
      [paths.mark(1, 'misfire'), ''],
      [paths.mark(2, 'disabled'), ''],
      [paths.mark(1, 'failovering'), java.instance],
      [paths.trigger(java.instance), ''],
      [paths.failoverShard(2), ''],
      [paths.offset(0), 'somewhere'],
    ] as const) {
      await cluster.until(client.create(path, text, { parents: true }))
    }
    await cluster.advance(1000)
    expect(copy.isSynced).toBe(true)
    expect(differencesOf(await read(), copy, copy.paths)).toEqual(new Map())
  })

  it('are nodes that the copy does not know, or knows otherwise, and those that are gone', async () => {
    copy = await copied()
    await cluster.advance(1000)
    nodes = await read()
    const { paths } = copy
    const server = paths.server('10.0.1.1')
    const wrong = goneWrong({
      ...withServer('10.0.1.1', 'DISABLED'),
      instances: new Set(),
      unproven: new Set(),
      failoverShards: new Set([...copy.failoverShards, 7]),
      jobState: { value: { lastRound: 5 }, version: 0 },
    })
    const instance = nodes.find(({ path }) => path.startsWith(`${paths.instances}/`))?.path ?? ''
    expect(differencesOf(nodes, wrong, paths)).toEqual(
      new Map([
        [server, { path: server, text: 'DISABLED' }],
        [instance, { path: '', text: '' }],
        [paths.jobState, { path: paths.jobState, text: '{"lastRound":5}' }],
        [paths.failoverShard(7), { path: paths.failoverShard(7), text: '' }],
      ]),
    )
  })
})

describe('dumpComparedJob', () => {
  it('shows what differs when it is read twice, and not what has changed in between', async () => {
    copy = await copied()
    await cluster.advance(1000)
    const client = await cluster.client()
    const wrong = goneWrong(withServer('10.9.9.9', 'ENABLED'))
    let changed = false
    const dump = await cluster.until(
      dumpComparedJob(async (parts) => {
        const results = await registryOn(client).read(parts)
        if (!changed && parts.some(({ path }) => path === copy.paths.shard(0))) {
          changed = true
          // The copy hears of it before this reading is over, which has passed the place.
          await client.create(copy.paths.mark(0, 'disabled'), '')
        }
        return results
      }, wrong),
    )
    expect(changed).toBe(true)
    expect(copy.shards.get(0)?.disabled).toBe(true)
    const different = dump.split('\n').filter((line) => line.split(' | ').length === 4)
    expect(different).toEqual([
      expect.stringMatching(/^ \| {2}\| \/job\/servers\/ip\d \| ENABLED$/),
    ])
    expect(dump).toContain('/job/sharding/0/disabled | \n')
  })

  it('compares nothing while the copy is being read', async () => {
    copy = await copied()
    await cluster.advance(1000)
    const wrong = goneWrong(withServer('10.9.9.9', 'ENABLED'))
    copy.suspend()
    const client = await cluster.client()
    const dump = await cluster.until(
      dumpComparedJob((parts) => registryOn(client).read(parts), wrong),
    )
    expect(dump.split('\n').filter((line) => line.split(' | ').length === 4)).toEqual([])
  })
})
