/**
 * One instance of a chaos run. Its jobs' code works in small ticks, looks at its signal before each, and
 * writes down everything it does; whatever ends the process, that is on the disk.
 */
import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, type ElasticJobEvents, type Job, type ShardingContext } from '@elasticjob/core'
import { joinLine, loadedLine, readyLine } from '../worker-lines.ts'
import { type ChaosJob, triggeredJob, workTime } from './jobs.ts'
import type { LogLine } from './log-line.ts'
import { machineTime } from './machine-time.ts'
import { type ChaosWorkerOptions, triggerLine } from './worker-options.ts'

const toldEvents = [
  'job:registered',
  'leader:elected',
  'sharding:failed',
  'claim:refused',
  'fire:missed',
  'fire:corrected',
  'run:recorded',
  'run:superseded',
  'run:orphaned',
  'run:stuck',
  'run:crashed',
  'run:abandoned',
  'round:completed',
  'repair:made',
  'registry:suspended',
  'registry:resumed',
  'registry:renewed',
  'lease:ended',
  'error:unhandled',
] as const satisfies readonly (keyof ElasticJobEvents)[]

/** How long the code works between two looks at its signal. */
const tickEvery = 100
/** How often the worker looks whether it was kept from running, and from when on that is written down. */
const lookEvery = 50
const longStall = 150

const options = JSON.parse(process.argv[2] ?? '') as ChaosWorkerOptions
const log = openSync(options.logFile, 'a')

function write(line: LogLine): void {
  writeSync(log, `${JSON.stringify(line, plain)}\n`)
}

function plain(_: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}

async function body(job: ChaosJob, context: ShardingContext): Promise<void> {
  const { runId: run, shardingItem: item, signal } = context
  const fireTime = context.fireTime.getTime()
  write({
    kind: 'begin',
    at: machineTime(),
    run,
    job: context.jobName,
    item,
    fireTime,
    attempt: context.attempt,
    source: context.source,
    instance: context.taskId.split('@-@').slice(3).join('@-@'),
    token: String(context.fencingToken),
  })
  const say = (kind: 'tick' | 'abort' | 'end'): void => write({ kind, at: machineTime(), run })
  signal.addEventListener('abort', () => say('abort'), { once: true })
  const until = machineTime() + workTime(job, item, fireTime)
  try {
    while (machineTime() < until) {
      await sleep(tickEvery)
      signal.throwIfAborted()
      say('tick')
    }
  } finally {
    say('end')
  }
}

function watchForStalls(): void {
  let expected = machineTime() + lookEvery
  const look = setInterval(() => {
    const at = machineTime()
    const late = at - expected
    if (late > longStall) write({ kind: 'stall', at, late })
    expected = at + lookEvery
  }, lookEvery)
  look.unref()
}

/** Who asks is told no if there is no connection; whoever is in charge asks somebody else then. */
async function askForRound(job: Job): Promise<void> {
  try {
    const { asked } = await job.execute()
    write({ kind: 'asked', at: machineTime(), job: job.jobName, fireTime: asked })
  } catch (error) {
    const payload = { error }
    write({ kind: 'event', at: machineTime(), event: 'round:refused', payload })
  }
}

async function join(): Promise<void> {
  watchForStalls()
  const { servers, namespace, ip, sessionTimeout, serverTickTime, abortTime } = options
  const jobs = await ElasticJob.connect({
    servers,
    namespace,
    ip,
    sessionTimeoutMilliseconds: sessionTimeout,
    connectionTimeoutMilliseconds: 60_000,
    // Servers come and go within seconds here.
    maxSleepTimeMilliseconds: 1000,
    serverTickTime,
    abortTime,
    logger: false,
  })
  for (const event of toldEvents) {
    jobs.on(event, (payload: object) => {
      write({ kind: 'event', at: machineTime(), event, payload: { ...payload } })
    })
  }
  const scheduled = await Promise.all(
    options.jobs.map((job) => jobs.schedule(job.options, (context) => body(job, context))),
  )
  const triggered = scheduled.find(({ jobName }) => jobName === triggeredJob)
  lines.on('line', (line) => {
    if (line === triggerLine && triggered !== undefined) void askForRound(triggered)
  })
  process.stdout.write(`${readyLine}\n`)
}

process.stdout.write(`${loadedLine}\n`)
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line === joinLine) void join()
})
