/**
 * One instance of a chaos run. Its jobs' code works in small ticks, looks at its signal before each, and
 * writes down everything it does; whatever ends the process, that is on the disk.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ElasticJob,
  type ElasticJobEvents,
  isElasticJobError,
  type Job,
  type ShardingContext,
} from '@elasticjob/core'
import { joinLine, loadedLine, readyLine } from '../worker-lines.ts'
import { openLog, watchForStalls } from '../worker-side.ts'
import { type ChaosJob, triggeredJob, workTime } from './jobs.ts'
import type { LogLine } from './log-line.ts'
import { machineTime } from './machine-time.ts'
import { type ChaosWorkerOptions, triggerLine, type WorkerClock } from './worker-options.ts'

const toldEvents = [
  'job:registered',
  'leader:elected',
  'sharding:failed',
  'claim:refused',
  'fire:missed',
  'fire:skipped',
  'fire:corrected',
  'run:recorded',
  'run:superseded',
  'run:orphaned',
  'run:stuck',
  'run:crashed',
  'run:abandoned',
  'trigger:completed',
  'reconcile:repaired',
  'registry:suspended',
  'registry:resumed',
  'registry:renewed',
  'registry:data-lost',
  'lease:ended',
  'error:unhandled',
] as const satisfies readonly (keyof ElasticJobEvents)[]

/** How long the code works between two looks at its signal. */
const tickEvery = 100
/** Every so many looks an offset is saved. */
const ticksPerOffset = 3
/** From when on it is written down that the worker was kept from running, in milliseconds. */
const longStall = 150

const options = JSON.parse(process.argv[2] ?? '') as ChaosWorkerOptions
const write: (line: LogLine) => void = openLog(options.logFile)

/** The worker's machine has a clock of its own: wall clock and monotonic clock run at its rate. */
function setClock({ ahead, drift }: WorkerClock): void {
  const wallClock = Date.now.bind(Date)
  const monotonicClock = performance.now.bind(performance)
  const started = monotonicClock()
  const gained = (): number => (monotonicClock() - started) * drift
  Date.now = () => Math.round(wallClock() + ahead + gained())
  performance.now = () => monotonicClock() + gained()
}

/** When each run was claimed: told when it starts, just before its code is called. */
const claims = new Map<string, number>()

async function body(job: ChaosJob, context: ShardingContext): Promise<void> {
  const { runId: run, shardingItem: shard, signal } = context
  const fireTime = context.fireTime.getTime()
  write({
    kind: 'begin',
    at: machineTime(),
    run,
    job: context.jobName,
    shard,
    fireTime,
    claimedAt: claims.get(run) ?? NaN,
    attempt: context.attempt,
    source: context.source,
    instance: context.taskId.split('@-@').slice(3).join('@-@'),
    token: String(context.fencingToken),
    offset: Number(context.offset ?? 0),
  })
  const say = (kind: 'tick' | 'abort' | 'end'): void => write({ kind, at: machineTime(), run })
  signal.addEventListener('abort', () => say('abort'), { once: true })
  const until = machineTime() + workTime(job, shard, fireTime)
  try {
    for (let tick = 1; machineTime() < until; tick++) {
      await sleep(tickEvery)
      signal.throwIfAborted()
      say('tick')
      if (job.savesOffset && tick % ticksPerOffset === 0) await saveNext(context)
    }
  } finally {
    claims.delete(run)
    say('end')
  }
}

/** Each offset is one more than the last: whatever is lost or goes back shows. */
async function saveNext(context: ShardingContext): Promise<void> {
  const { runId: run, signal } = context
  const offset = Number(context.offset ?? 0) + 1
  try {
    await context.saveOffset(String(offset))
  } catch (error) {
    if (!signal.aborted && !isElasticJobError(error, 'JOB_RUN_SUPERSEDED')) {
      const payload = { runId: run, offset, error }
      write({ kind: 'event', at: machineTime(), event: 'offset:refused', payload })
    }
    throw error
  }
  write({ kind: 'saved', at: machineTime(), run, offset })
  if (Number(context.offset) === offset) return
  const payload = { runId: run, offset, shown: context.offset }
  write({ kind: 'event', at: machineTime(), event: 'offset:stale', payload })
}

/** Who asks is told no if there is no connection; whoever is in charge asks somebody else then. */
async function requestManualRun(job: Job): Promise<void> {
  try {
    const { asked } = await job.trigger()
    write({ kind: 'asked', at: machineTime(), job: job.jobName, fireTime: asked })
  } catch (error) {
    const payload = { error }
    write({ kind: 'event', at: machineTime(), event: 'round:refused', payload })
  }
}

async function join(): Promise<void> {
  setClock(options.clock)
  watchForStalls(machineTime, longStall, (at, late) => write({ kind: 'stall', at, late }))
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
  jobs.on('run:started', ({ runId, claimedAt }) => claims.set(runId, claimedAt))
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
    if (line === triggerLine && triggered !== undefined) void requestManualRun(triggered)
  })
  process.stdout.write(`${readyLine}\n`)
}

process.stdout.write(`${loadedLine}\n`)
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line === joinLine) void join()
})
