import { ElasticJob, type JobBody, type JobOptions } from '@elasticjob/core'
import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { MemoryNetwork, MemoryServer, SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { TracingEvents } from '../src/events.ts'
import type { HistoryOptions } from '../src/store/options.ts'
import type { TracingOptions } from '../src/tracing-options.ts'
import { Tracing } from '../src/tracing.ts'
import { MemoryStore } from './support/memory-store.ts'

let clock: SimulatedClock
let server: MemoryServer
let network: MemoryNetwork
let stores: Map<string, MemoryStore>
const random = new SeededRandom(1)

beforeEach(async () => {
  clock = new SimulatedClock()
  network = new MemoryNetwork({ clock, latency: () => 1 })
  server = await MemoryServer.start({ network, clock, random, host: '10.0.0.1' })
  stores = new Map()
})

let members: ElasticJob[] = []

afterEach(async () => {
  await clock.until(Promise.all(members.map((jobs) => jobs.stop())))
  members = []
  await clock.until(server.stop())
})

async function join(ip: string): Promise<ElasticJob> {
  const jobs = await clock.until(
    ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      ip,
      logger: false,
      drainOnSignals: false,
      environment: { clock, random, transport: network.transport(ip) },
    }),
  )
  members.push(jobs)
  return jobs
}

function storeOf(url: string): MemoryStore {
  const store = stores.get(url) ?? new MemoryStore()
  stores.set(url, store)
  return store
}

const open = ({ url = '' }: HistoryOptions): Promise<MemoryStore> => Promise.resolve(storeOf(url))
const home = 'sqlite:elasticjob-history.db'

function record(jobs: ElasticJob, options: TracingOptions = {}): Tracing {
  return new Tracing(jobs, { clock, logger: false, ...options }, open)
}

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'greet',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

async function pastFire(): Promise<void> {
  await clock.advance(60_000 - (clock.now() % 60_000) + 10_000)
}

const schedule = (jobs: ElasticJob, options: JobOptions, body: JobBody): Promise<unknown> =>
  clock.until(jobs.schedule(options, body))

describe('startTracing', () => {
  test('records runs, their outcomes and their output', async () => {
    const jobs = await join('10.0.1.1')
    record(jobs)
    await schedule(jobs, job(), ({ shardingItem, logger }) => {
      logger.info(`shard ${shardingItem} speaks`)
      return shardingItem === 0 ? Promise.resolve() : Promise.reject(new Error('not this one'))
    })
    await pastFire()
    const { executed, runs, statuses, logs } = storeOf(home)
    const rows = [...executed.values()].toSorted((a, b) => a.shardingItem - b.shardingItem)
    expect(rows).toMatchObject([
      { jobName: 'greet', ip: '10.0.1.1', shardingItem: 0, isSuccess: true },
      {
        shardingItem: 1,
        isSuccess: false,
        failureCause: expect.stringContaining('not this one') as string,
      },
    ])
    expect(new Set([...runs.values()].map(({ outcome }) => outcome))).toEqual(
      new Set(['failure', 'success']),
    )
    expect(statuses.map(({ state }) => state).toSorted()).toEqual([
      'TASK_ERROR',
      'TASK_FINISHED',
      'TASK_RUNNING',
      'TASK_RUNNING',
      'TASK_STAGING',
      'TASK_STAGING',
    ])
    expect(logs.map(({ text }) => text).toSorted()).toEqual(['shard 0 speaks', 'shard 1 speaks'])
  })

  test('writes pending entries before the scheduler has stopped, and nothing after', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs, { flushInterval: 3_600_000 })
    await schedule(jobs, job(), async () => {})
    await pastFire()
    expect(storeOf(home).batches).toEqual([])
    await clock.until(jobs.stop())
    expect(storeOf(home).executed.size).toBe(2)
    expect(storeOf(home).isClosed).toBe(true)
    expect(Object.values(tracing.metrics)).toMatchObject([{ queued: { entries: 0 } }])
    expect(jobs.eventNames()).toEqual([])
  })

  test('logs what it dropped when the database was down at the end', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs)
    const told: TracingEvents['history:dropped'][0][] = []
    tracing.on('history:dropped', (drop) => told.push(drop))
    storeOf(home).down()
    await schedule(jobs, job(), async () => {})
    await pastFire()
    await clock.until(jobs.stop())
    const rows = { executions: 2, ends: 0, statuses: 6, logs: 0, lost: 0 }
    expect(told).toEqual([{ database: home, rows, total: rows }])
    expect([tracing.queued, tracing.dropped]).toEqual([0, 8])
  })

  test('does not delay any run, whatever happens to the database', async () => {
    const jobs = await join('10.0.1.1')
    record(jobs, { queueEntries: 10 })
    const late: number[] = []
    await schedule(jobs, job({ cron: '* * * * * ?' }), ({ fireTime }) => {
      late.push(jobs.now().getTime() - fireTime.getTime())
      return Promise.resolve()
    })
    const store = storeOf(home)
    for (const trouble of ['down', 'hang', 'loseAnswers', 'recover'] as const) {
      store[trouble]()
      await clock.advance(10_000)
    }
    expect(late.length).toBeGreaterThanOrEqual(78)
    // On a simulated clock everything takes only the network latency.
    expect(Math.max(...late)).toBeLessThanOrEqual(10)
    store.recover()
  })

  test('leaves out the jobs that it is told to', async () => {
    const jobs = await join('10.0.1.1')
    record(jobs, { excludeJobNames: ['noisy'] })
    await schedule(jobs, job({ jobName: 'noisy' }), async () => {})
    await schedule(jobs, job(), async () => {})
    await pastFire()
    const names = [...storeOf(home).executed.values()].map(({ jobName }) => jobName)
    expect(new Set(names)).toEqual(new Set(['greet']))
  })

  test('stores no logs with logs: false', async () => {
    const jobs = await join('10.0.1.1')
    record(jobs, { logs: false })
    await schedule(jobs, job(), async ({ logger }) => logger.info('unheard'))
    await pastFire()
    expect(storeOf(home).executed.size).toBe(2)
    expect(storeOf(home).logs).toEqual([])
    expect(jobs.listenerCount('run:logged')).toBe(0)
  })

  test('names every problem of its options', async () => {
    const jobs = await join('10.0.1.1')
    const wrong = {
      queueEntries: 0,
      includeJobNames: ['a'],
      excludeJobNames: ['b'],
      allowedDatabases: ['mysql://user@db/history'],
    }
    expect(() => record(jobs, wrong)).toThrow(/queueEntries.*excludeJobNames.*allowedDatabases/s)
  })
})

describe('startTracing: a run of a crashed instance', () => {
  let isDead = false

  test('is closed as lost by the instances that take it over', async () => {
    const body: JobBody = ({ attempt, signal }) =>
      attempt === 1
        ? new Promise((_, reject) => {
            signal.addEventListener('abort', () => !isDead && reject(signal.reason as Error))
          })
        : Promise.resolve()
    for (const ip of ['10.0.1.1', '10.0.1.2']) {
      const jobs = await join(ip)
      record(jobs)
      await schedule(jobs, job({ failover: true, shardingTotalCount: 1 }), body)
    }
    await pastFire()
    const [begun] = [...storeOf(home).executed.values()]
    expect(begun).toMatchObject({ completeTime: undefined })
    const ip = begun?.ip ?? ''
    network.hold(ip, '10.0.0.1')
    isDead = true
    await clock.advance(120_000)
    isDead = false
    network.release(ip, '10.0.0.1')
    const { lost, runs, statuses } = storeOf(home)
    expect(lost[0]).toMatchObject({
      runId: begun?.id,
      instance: begun?.taskId.split('READY@-@')[1],
    })
    expect(statuses.filter(({ state }) => state === 'TASK_LOST')).toHaveLength(1)
    expect([...runs.values()].find(({ attempt }) => attempt === 2)).toMatchObject({
      source: 'failover',
      outcome: 'success',
    })
  })
})

describe('startTracing: a job whose configuration names its database', () => {
  const entry = (url: string): string =>
    [
      '!!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration',
      'tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration',
      '  dataSourceClassName: com.zaxxer.hikari.HikariDataSource',
      '  props:',
      `    jdbcUrl: ${url}`,
      '    username: jobs',
      '    password: p@ss',
      'type: RDB',
    ].join('\n')

  test('as Java instances of it do, is recorded there if the process allows the database', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs, { allowedDatabases: ['db/history'] })
    const jobExtraConfigurations = [entry('jdbc:mysql://db:3306/history?useSSL=false')]
    await schedule(jobs, job({ jobExtraConfigurations }), async () => {})
    await schedule(jobs, job({ jobName: 'other' }), async () => {})
    await pastFire()
    const url = 'mysql://jobs:p%40ss@db:3306/history'
    expect([...stores.keys()].toSorted()).toEqual([url, home].toSorted())
    expect(storeOf(url).executed.size).toBe(2)
    expect(Object.keys(tracing.metrics)).toContain('mysql://jobs@db:3306/history')
  })

  test('that cannot be used is recorded in the default database, with a log line', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs, { allowedDatabases: ['db'] })
    const told: (string | undefined)[] = []
    tracing.on('history:refused', ({ jobName, reason }) => told.push(jobName, reason))
    const jobExtraConfigurations = [entry('jdbc:h2:mem:history')]
    await schedule(jobs, job({ jobExtraConfigurations }), async () => {})
    await pastFire()
    expect(told).toEqual(['greet', expect.stringContaining('not h2')])
    expect(storeOf(home).executed.size).toBe(2)
  })

  test.for([
    ['jdbc:mysql://db:3306/history', []],
    ['jdbc:postgresql://db/history', ['other', 'db/audit', 'db:5433/history']],
    ['jdbc:sqlite:/etc/cron.d/history', ['db']],
  ] as const)(
    'in %s, is recorded with the others where that is not allowed, and it is said once',
    async ([url, allowedDatabases]) => {
      const jobs = await join('10.0.1.1')
      const tracing = record(jobs, { allowedDatabases })
      const told: (string | undefined)[] = []
      tracing.on('history:refused', ({ jobName, reason }) => told.push(jobName, reason))
      await schedule(jobs, job({ jobExtraConfigurations: [entry(url)] }), async () => {})
      await pastFire()
      await pastFire()
      expect([...stores.keys()]).toEqual([home])
      const reason = url.includes('sqlite')
        ? 'its configuration names an SQLite file, which the registry must not choose'
        : `its configuration names ${url.slice(5).replace('://', '://jobs@')}, which this process does not allow: to record it there, add "${url.includes('mysql') ? 'db:3306' : 'db:5432'}/history" to allowedDatabases`
      expect(told).toEqual(['greet', reason])
    },
  )

  test('leaves no database open that no job names any more', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs, { allowedDatabases: ['db'] })
    const first = [entry('jdbc:mysql://db/history0')]
    await schedule(jobs, job({ jobExtraConfigurations: first }), async () => {})
    await pastFire()
    const client = await clock.until(
      ZooKeeper.connect({
        servers: server.connectString,
        transport: network.transport('10.0.9.9'),
        clock,
        random,
      }),
    )
    const { data } = await clock.until(client.get('/shop/greet/config'))
    for (let number = 1; number <= 40; number++) {
      const text = toText(data).replace('db/history0', `db/history${number}`)
      await clock.until(client.set('/shop/greet/config', text))
      await pastFire()
    }
    await clock.until(client.close())
    const named = [...stores].filter(([url]) => url !== home)
    expect(named).toHaveLength(41)
    expect(named.filter(([, store]) => !store.isClosed).map(([url]) => url)).toEqual([
      'mysql://jobs:p%40ss@db/history40',
    ])
    const rows = named.map(([, store]) => store.executed.size)
    expect(rows.every((count) => count === 2)).toBe(true)
    const written = Object.values(tracing.metrics).map((one) => one.written.executions)
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(82)
  })
})

describe('startTracing: retention', () => {
  test('runs periodically, and ends with the scheduler', async () => {
    const jobs = await join('10.0.1.1')
    const retention = { age: 1000, count: 5 }
    const tracing = record(jobs, { retention, retentionInterval: 300_000 })
    await schedule(jobs, job(), async () => {})
    await pastFire()
    const store = storeOf(home)
    store.retention = () =>
      Promise.resolve({ hasRun: true, executions: 3, statuses: 9, logChunks: 0 })
    const cleaned: number[] = []
    tracing.on('history:cleaned', ({ result }) => cleaned.push(result.executions))
    await clock.advance(650_000)
    expect(store.policies.slice(0, 2)).toEqual([retention, retention])
    expect(cleaned.slice(0, 2)).toEqual([3, 3])
    await clock.until(jobs.stop())
    const looks = store.policies.length
    await clock.advance(3_600_000)
    expect(store.policies).toHaveLength(looks)
  })

  test('that fails is logged and retried', async () => {
    const jobs = await join('10.0.1.1')
    const tracing = record(jobs, { retentionInterval: 100_000 })
    storeOf(home).retention = () => Promise.reject(new Error('locked'))
    const failed: unknown[] = []
    tracing.on('history:failed', ({ error }) => failed.push(error))
    await schedule(jobs, job(), async () => {})
    await clock.advance(400_000)
    expect(failed).toHaveLength(3)
  })
})
