/** One process that runs the program of a page of the documentation, word for word. */
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob } from '@elasticjob/core'
import { joinLine, loadedLine, readyLine } from '../worker-lines.ts'
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
const log = openSync(logFile, 'a')
const source = `export default async (jobs, syncPage) => {\n${program}\n}`
const module = `data:text/javascript,${encodeURIComponent(source)}`
const { default: run } = (await import(module)) as { default: Program }
process.stdout.write(`${loadedLine}\n`)

const lines = createInterface({ input: process.stdin })
for (let line = ''; line !== joinLine;) [line] = (await once(lines, 'line')) as [string]
process.stdin.destroy()

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
  const logged: LoggedPage = { ip, shard, page }
  // Written at once: what was begun is known whatever becomes of the process.
  writeSync(log, `${JSON.stringify(logged)}\n`)
  await sleep(work)
  return page + 1 < pageCount
})
process.stdout.write(`${readyLine}\n`)
