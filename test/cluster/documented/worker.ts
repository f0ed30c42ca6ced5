/** One process that runs the program of a page of the documentation, word for word. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob } from '@elasticjob/core'
import { readyLine } from '../worker-lines.ts'
import { openLog, untilToldToJoin } from '../worker-side.ts'
import {
  type DocumentedWorkerOptions,
  type LoggedPage,
  pageCount,
  times,
} from './worker-options.ts'

type SyncPage = (shard: number, page: number) => Promise<boolean>
type Program = (jobs: ElasticJob, syncPage: SyncPage) => Promise<void>

/** How long a page takes, in milliseconds. */
const work = 100

const { servers, ip, program, logFile } = JSON.parse(
  process.argv[2] ?? '',
) as DocumentedWorkerOptions
const write: (page: LoggedPage) => void = openLog(logFile)
const source = `export default async (jobs, syncPage) => {\n${program}\n}`
const module = `data:text/javascript,${encodeURIComponent(source)}`
const { default: run } = (await import(module)) as { default: Program }
await untilToldToJoin()

const jobs = await ElasticJob.connect({
  servers,
  namespace: 'documented',
  ip,
  logger: false,
  sessionTimeoutMilliseconds: times.sessionTimeout,
  serverTickTime: times.tickTime,
  abortTime: times.abortTime,
})
await run(jobs, async (shard, page) => {
  write({ ip, shard, page })
  await sleep(work)
  return page + 1 < pageCount
})
process.stdout.write(`${readyLine}\n`)
