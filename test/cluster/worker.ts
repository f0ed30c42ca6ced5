/** One instance of the fleet: takes part in the jobs, writes down what it runs, and stops on SIGTERM. */
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, type ElasticJobEvents, type ShardingContext } from '@elasticjob/core'
import { joinLine, loadedLine, readyLine } from './worker-lines.ts'
import { stallEvent, type WorkerOptions } from './worker-options.ts'

/** Events that explain what the runs show, and those that should never come in a healthy fleet. */
const toldEvents = [
  'job:registered',
  'leader:elected',
  'leader:abdicated',
  'sharding:changed',
  'sharding:failed',
  'claim:refused',
  'run:superseded',
  'run:orphaned',
  'fire:corrected',
  'registry:suspended',
  'registry:resumed',
  'registry:renewed',
  'lease:ended',
  'error:unhandled',
] as const satisfies readonly (keyof ElasticJobEvents)[]

/** How often it looks whether it was kept from running, and from when on that is written down. */
const lookEvery = 50
const longStall = 200

/** Bodies of different lengths, so that some run while others are claimed and moved. */
const longestBody = 100

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions
// Written at once, line by line: what was run is known whatever becomes of the process.
const log = openSync(options.logFile, 'a')

function writeLine(line: object): void {
  writeSync(log, `${JSON.stringify(line, withoutBigints)}\n`)
}

function withoutBigints(_: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}

async function body(context: ShardingContext): Promise<void> {
  const { jobName, shardingItem, fireTime, taskId, runId, source } = context
  const start = Date.now()
  await sleep((shardingItem * 37) % longestBody)
  writeLine({
    job: jobName,
    shard: shardingItem,
    fireTime: fireTime.getTime(),
    start,
    end: Date.now(),
    instance: taskId.split('@-@').slice(-2).join('@-@'),
    runId,
    source,
  })
}

/** Says by how much this process, or the whole machine, was late with everything. */
function watchForStalls(): void {
  let expected = Date.now() + lookEvery
  const look = setInterval(() => {
    const at = Date.now()
    const late = at - expected
    if (late > longStall) writeLine({ event: stallEvent, at, worker, payload: { late } })
    expected = at + lookEvery
  }, lookEvery)
  look.unref()
}

/** Loading code takes the machine's time; the fleet decides when, and who joins together. */
async function untilToldToJoin(): Promise<void> {
  process.stdout.write(`${loadedLine}\n`)
  const lines = createInterface({ input: process.stdin })
  for (;;) {
    const [line] = (await once(lines, 'line')) as [string]
    if (line === joinLine) break
  }
  process.stdin.destroy()
}

const { servers, namespace, ip, worker } = options
await untilToldToJoin()
watchForStalls()
const jobs = await ElasticJob.connect({ servers, namespace, ip, logger: false })
for (const event of toldEvents) {
  jobs.on(event, (payload: unknown) => writeLine({ event, at: Date.now(), worker, payload }))
}
let stopping = false
process.once('SIGTERM', () => {
  stopping = true
  void jobs.stop()
})
await Promise.all(
  options.jobs.map((job) => jobs.schedule({ ...job, cron: '0/1 * * * * ?' }, body)),
).catch((error: unknown) => {
  // Told to stop while it was still joining.
  if (!stopping) throw error
})
process.stdout.write(`${readyLine}\n`)
