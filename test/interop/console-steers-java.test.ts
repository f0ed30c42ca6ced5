/** What is done in the console reaches instances of Java as it reaches ours. */
import { type RunningConsole, startConsole } from '@elasticjob/console'
import type { JobOptions } from '@elasticjob/core'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { namespace } from './crew.ts'
import { shardsOf, type Kind, repeatedIn, type Run } from './run.ts'
import { besideJava, expect, it as besideIt } from './support.ts'

/** It does not come in the time of a test. */
const never = '0 0 0 1 1 ? 2099'
const password = 'a-password-of-root'

/** Root, with the console's REST. */
class Operator {
  readonly #url: string

  constructor({ url }: RunningConsole) {
    this.#url = url
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`root:${password}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
    return JSON.parse(answer) as T
  }

  /** Resolves when the console shows it so. */
  async shows<T>(path: string, isMeant: (answer: T) => boolean): Promise<T> {
    return eventually(
      async () => {
        const answer = await this.ask<T>('GET', path)
        return isMeant(answer) ? answer : undefined
      },
      { what: `the console shows ${path}`, timeoutMs: 60_000, intervalMs: 100 },
    )
  }
}

const it = besideIt.extend('operator', async ({ crew }, { onCleanup }) => {
  const running = await startConsole({
    port: 0,
    directory: false,
    page: false,
    passwords: { root: password },
    registries: [{ name: 'both', servers: crew.servers, namespace }],
    tell: () => {},
  })
  onCleanup(() => running.stop())
  return new Operator(running)
})

interface ShownJob {
  readonly status: string
  readonly kind: string
  readonly instances: readonly { readonly instance: string; readonly java: boolean }[]
  readonly shards: readonly { readonly owner?: string; readonly status: string }[]
}

function kindsOf(runs: readonly Run[]): readonly Kind[] {
  return [...new Set(runs.map(({ kind }) => kind))].toSorted()
}

function pathOf({ jobName }: JobOptions, action: string): string {
  return `/jobs/${jobName}/${action}`
}

besideJava('what is done in the console, to instances of Java', () => {
  it(
    'they are listed and described beside ours, and a trigger runs on both',
    { tags: ['short'] },
    async ({ crew, operator }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('console-triggers', { cron: never })
      // Ours leads: a leader of Java assigns shards only when the job fires.
      const ourId = await ours.start(job)
      const javaId = await java.start(job)
      await crew.untilAssignedTo(job, javaId, ourId)
      const detail = await operator.shows<ShownJob>(
        pathOf(job, 'detail'),
        ({ status, instances }) => status === 'OK' && instances.length === 2,
      )
      expect(detail.kind).toBe('mixed')
      expect(detail.instances.find(({ instance }) => instance === javaId)?.java).toBe(true)
      expect(detail.instances.find(({ instance }) => instance === ourId)?.java).toBe(false)
      expect(await operator.ask('GET', `/jobs?search=${job.jobName}`)).toMatchObject([
        { jobName: job.jobName, instanceCount: 2, shardingTotalCount: 4 },
      ])
      // As 2.x prints it: address and process stand apart.
      const shards = await operator.ask<{ serverIp: string; instanceId: string }[]>(
        'GET',
        pathOf(job, 'sharding'),
      )
      expect(new Set(shards.map(({ serverIp }) => serverIp))).toEqual(new Set([java.ip, ours.ip]))
      expect(shards.map(({ serverIp, instanceId }) => `${serverIp}@-@${instanceId}`)).toEqual(
        detail.shards.map(({ owner }) => owner),
      )
      expect(
        await operator
          .ask<{ serverIp: string }[]>('GET', '/servers')
          .then((all) => all.map(({ serverIp }) => serverIp)),
      ).toEqual(expect.arrayContaining([java.ip, ours.ip]))
      await operator.ask('POST', pathOf(job, 'trigger'))
      const runs = await crew.journal.until('a round on both', () => {
        const ended = crew.journal.runsOf(job.jobName).filter(({ end }) => end !== undefined)
        return ended.length >= 4 && ended
      })
      expect(shardsOf(runs)).toEqual([0, 1, 2, 3])
      expect(kindsOf(runs)).toEqual(['java', 'ours'])
    },
  )

  it('the server of Java is disabled in one job, and enabled', async ({ crew, operator }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('console-disables')
    const ids = { java: await java.start(job), ours: await ours.start(job) }
    await crew.untilAssignedTo(job, ids.java, ids.ours)
    const path = `/servers/${java.ip}/jobs/${job.jobName}/disable`
    await operator.ask('POST', path)
    await crew.untilAssignedTo(job, ids.ours)
    expect(kindsOf(await crew.untilRuns(job))).toEqual(['ours'])
    expect(await operator.ask('GET', `/servers/${java.ip}/jobs?search=${job.jobName}`)).toEqual([
      expect.objectContaining({ jobName: job.jobName, status: 'DISABLED' }),
    ])
    await operator.ask('DELETE', path)
    await crew.untilAssignedTo(job, ids.java, ids.ours)
    expect(kindsOf(await crew.untilRuns(job))).toEqual(['java', 'ours'])
    expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
  })

  it('a shard that Java owns is disabled, and enabled', async ({ crew, operator }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('console-shards')
    const ids = { java: await java.start(job), ours: await ours.start(job) }
    const owners = await crew.untilAssignedTo(job, ids.java, ids.ours)
    const shard = owners.indexOf(ids.java)
    await operator.ask('POST', pathOf(job, `sharding/${shard}/disable`))
    await operator.shows<{ item: number; status: string }[]>(
      pathOf(job, 'sharding'),
      (shards) => shards[shard]?.status === 'DISABLED',
    )
    const since = Date.now()
    await crew.untilRuns(job, 3)
    await crew.untilRuns(job, 3)
    const off = crew.journal.runsOf(job.jobName).filter(({ fire }) => fire > since)
    expect(shardsOf(off)).not.toContain(shard)
    expect(kindsOf(off)).toEqual(['java', 'ours'])
    await operator.ask('DELETE', pathOf(job, `sharding/${shard}/disable`))
    await crew.untilRuns(job)
    expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
  })

  it(
    'a configuration that is changed is read by Java, and followed',
    { tags: ['short'] },
    async ({ crew, operator }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('console-configures', { cron: never })
      const ourId = await ours.start(job)
      const javaId = await java.start(job)
      await crew.untilAssignedTo(job, javaId, ourId)
      await operator.ask('PUT', '/jobs/config', {
        jobName: job.jobName,
        cron: '0/4 * * * * ?',
        shardingItemParameters: '0=a,1=b,2=c,3=d',
        description: 'changed in the console',
      })
      const seen = await java.configuration(job)
      expect(seen).toContain('cron: 0/4 * * * * ?')
      expect(seen).toContain('description: changed in the console')
      const runs = await crew.untilRuns(job)
      expect(kindsOf(runs)).toEqual(['java', 'ours'])
      const parameters = new Map(runs.map(({ shard, parameter }) => [shard, parameter]))
      expect([0, 1, 2, 3].map((shard) => parameters.get(shard))).toEqual(['a', 'b', 'c', 'd'])
    },
  )

  it('the instance of Java leaves, its shards move, and its server is taken out', async ({
    crew,
    operator,
  }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('console-shuts-down')
    const ids = { java: await java.start(job), ours: await ours.start(job) }
    await crew.untilAssignedTo(job, ids.java, ids.ours)
    await crew.untilRuns(job)
    const path = `/servers/${java.ip}/jobs/${job.jobName}`
    await operator.ask('POST', `${path}/shutdown`)
    await eventually(async () => (await java.hasLeft(job)) || undefined, {
      what: 'Java has left',
    })
    await crew.untilAssignedTo(job, ids.ours)
    await operator.shows<ShownJob>(
      pathOf(job, 'detail'),
      ({ instances }) => instances.length === 1 && instances[0]?.java === false,
    )
    expect(kindsOf(await crew.untilRuns(job))).toEqual(['ours'])
    await operator.ask('DELETE', path)
    expect(await crew.children(job, 'servers')).toEqual([ours.ip])
    expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
  })
})
