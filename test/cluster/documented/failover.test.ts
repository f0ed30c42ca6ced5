import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Operations } from '@elasticjob/core/operations'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '../../zookeeper/harness/eventually.ts'
import { WorkerProcess } from '../worker-process.ts'
import {
  type DocumentedWorkerOptions,
  type LoggedPage,
  pageCount,
  times,
} from './worker-options.ts'

const workerProgram = fileURLToPath(new URL('worker.ts', import.meta.url))
const documentation = new URL('../../../docs/failover.md', import.meta.url)
const victim = '10.0.0.1'
const survivor = '10.0.0.2'
const shards = [0, 1, 2, 3, 4, 5, 6, 7]

let server: RunningServer
let operations: Operations
let directory: string
let workers: ReadonlyMap<string, WorkerProcess>

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'elasticjob-documented-'))
  server = await startServer({ port: 0, tickTime: times.tickTime })
  const { connectString: servers } = server
  operations = await Operations.connect({ servers, namespace: 'documented' })
  const program = await firstProgramIn(documentation)
  const logFile = join(directory, 'pages.jsonl')
  workers = new Map(
    [victim, survivor].map((ip) => {
      const options: DocumentedWorkerOptions = { servers, ip, program, logFile }
      return [ip, WorkerProcess.spawn(ip, workerProgram, options)]
    }),
  )
  await Promise.all([...workers.values()].map((worker) => worker.loaded()))
  await Promise.all([...workers.values()].map((worker) => worker.join()))
})

afterEach(async () => {
  await Promise.all([...workers.values()].map((worker) => worker.kill()))
  await operations.close()
  await server.stop()
  await rm(directory, { recursive: true })
})

async function firstProgramIn(page: URL): Promise<string> {
  const program = /```ts\n(.*?)```/s.exec(await readFile(page, 'utf8'))?.[1]
  if (program === undefined) throw new Error(`${page.pathname} shows no program`)
  return program
}

async function pages(): Promise<readonly LoggedPage[]> {
  const text = await readFile(join(directory, 'pages.jsonl'), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as LoggedPage)
}

const pagesOf = (all: readonly LoggedPage[], shard: number, ip?: string): number[] =>
  all
    .filter((one) => one.shard === shard && (ip === undefined || one.ip === ip))
    .map(({ page }) => page)

/** Triggers the job, and resolves with the victim's shards when each is in the middle of its pages. */
async function atWork(): Promise<readonly number[]> {
  await eventually(
    async () => {
      const job = await operations.job('sync-orders')
      const isShared = job.instances.every(
        ({ shards: shardingItems }) => shardingItems.length === shards.length / 2,
      )
      return (job.instances.length === 2 && isShared) || undefined
    },
    { what: 'both processes own shards', timeoutMs: 40_000 },
  )
  await operations.trigger('sync-orders')
  return eventually(
    async () => {
      const all = await pages()
      const owned = shards.filter((shard) => pagesOf(all, shard, victim).length > 0)
      const isInside = owned.every((shard) => pagesOf(all, shard, victim).length > 4)
      return owned.length > 0 && isInside ? owned : undefined
    },
    { what: 'the first process has saved offsets', timeoutMs: 40_000 },
  )
}

/** What is wrong with the pages, once every shard is completed: repeated from an earlier page, or left out. */
async function problems(left: readonly number[]): Promise<readonly string[]> {
  await eventually(
    async () => {
      const { shards: states } = await operations.job('sync-orders')
      const all = await pages()
      const isDone = shards.every((shard) => pagesOf(all, shard).includes(pageCount - 1))
      return (isDone && states.every(({ completed }) => completed)) || undefined
    },
    { what: 'every shard is completed', timeoutMs: 40_000 },
  )
  const all = await pages()
  const found: string[] = []
  for (const shard of left) {
    const last = pagesOf(all, shard, victim).at(-1) as number
    const [first] = pagesOf(all, shard, survivor) as [number]
    // The page that was begun and not saved is begun again; none before it is.
    const isContinued = first === last || first === last + 1
    if (!isContinued) found.push(`shard ${shard} was left at page ${last} and goes on at ${first}`)
  }
  for (const shard of shards) {
    const begun = new Set(pagesOf(all, shard))
    if (begun.size !== pageCount) found.push(`shard ${shard} has begun ${[...begun].join()}`)
  }
  return found
}

it('the program of docs/failover.md goes on at the saved pages after a kill -9', async () => {
  const left = await atWork()
  await workers.get(victim)?.kill()
  expect(await problems(left)).toEqual([])
}, 90_000)

it('the program of docs/failover.md goes on at the saved pages after a SIGTERM', async () => {
  const left = await atWork()
  await workers.get(victim)?.stop()
  expect(await problems(left)).toEqual([])
}, 90_000)
