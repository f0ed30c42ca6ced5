/**
 * An instance of this package that does what its standard input tells it to: the same commands, answers
 * and lines as those of the Java worker.
 */
import { createInterface } from 'node:readline'
import {
  ElasticJob,
  type ElasticJobEvents,
  type Job,
  type JobListener,
  type JobOptions,
  type ShardingContext,
} from '@elasticjob/core'
import type { OurWorkerOptions } from './our-worker-options.ts'

/** Events that explain what the runs show, or that tests wait for. */
const toldEvents = [
  'job:registered',
  'job:stopped',
  'config:changed',
  'config:refused',
  'config:warning',
  'leader:elected',
  'leader:abdicated',
  'leader:took-over',
  'sharding:changed',
  'sharding:requested',
  'sharding:failed',
  'shards:owned',
  'claim:refused',
  'run:crashed',
  'run:abandoned',
  'run:superseded',
  'run:orphaned',
  'fire:late',
  'fire:missed',
  'fire:skipped',
  'reconcile:repaired',
  'trigger:completed',
  'barrier:timed-out',
  'barrier:broken',
  'registry:suspended',
  'registry:renewed',
  'lease:ended',
  'error:unhandled',
] as const satisfies readonly (keyof ElasticJobEvents)[]

interface Command {
  readonly id: number
  readonly op: string
  readonly job: string
  readonly kind: string
  readonly configuration: string
}

const { servers, namespace, sessionTimeout, tickTime, ip } = JSON.parse(
  process.argv[2] ?? '',
) as OurWorkerOptions
const jobs = new Map<string, Job>()
const held = new Map<string, Gate>()

/** Closed until it is opened. */
class Gate {
  open: () => void = () => {}
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

function textOf(error: unknown): string {
  const { code, name, message } = error as Error & { readonly code?: string }
  return `${code ?? name}: ${message}`
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line, withoutBigints)}\n`)
}

function withoutBigints(_: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}

async function record(context: ShardingContext, parameter: string): Promise<void> {
  const { jobName, taskId, shardingItem, fireTime, runId, source, attempt, signal } = context
  const states = taskId.split('@-@')
  write({
    event: 'begin',
    run: `${runId}-${attempt}`,
    job: jobName,
    shard: shardingItem,
    instance: states.slice(-2).join('@-@'),
    fire: fireTime.getTime(),
    source,
    parameter,
    at: Date.now(),
  })
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([held.get(jobName)?.opened, aborted])
  const outcome = signal.aborted ? 'aborted' : 'success'
  write({ event: 'end', run: `${runId}-${attempt}`, outcome, at: Date.now() })
  signal.throwIfAborted()
}

const rounds: JobListener = {
  type: 'rounds',
  startedTimeout: 20_000,
  beforeLastStarted: ({ jobName }) => writeRound(jobName, 'started'),
  afterLastCompleted: ({ jobName }) => writeRound(jobName, 'completed'),
}

function writeRound(job: string, phase: string): void {
  write({ event: 'round', job, phase, at: Date.now() })
}

/** One batch for every other fetch of a shard: a streaming run ends after its first one. */
function recordedDataflow() {
  const fetched = new Map<number, boolean>()
  return {
    fetchData({ shardingItem }: ShardingContext): string[] {
      const before = !(fetched.get(shardingItem) ?? false)
      fetched.set(shardingItem, before)
      return before ? ['a', 'b'] : []
    },
    processData: (context: ShardingContext, data: readonly string[]) =>
      record(context, data.join(',')),
  }
}

async function start({ kind, configuration }: Command): Promise<string> {
  const options = JSON.parse(configuration) as JobOptions
  const registered = instanceOf(options.jobName)
  jobs.set(options.jobName, await schedule(kind, options))
  return registered
}

function schedule(kind: string, options: JobOptions): Promise<Job> {
  switch (kind) {
    case 'script':
      return elasticJob.schedule(options, { type: 'SCRIPT' })
    case 'dataflow':
      return elasticJob.schedule(options, recordedDataflow())
    default:
      return elasticJob.schedule(options, (context) =>
        record(context, context.shardingParameter ?? ''),
      )
  }
}

function instanceOf(jobName: string): Promise<string> {
  return new Promise((resolve) => {
    const told = (registered: { jobName: string; instance: string }): void => {
      if (registered.jobName !== jobName) return
      elasticJob.off('job:registered', told)
      resolve(registered.instance)
    }
    elasticJob.on('job:registered', told)
  })
}

async function obey(command: Command): Promise<unknown> {
  const { op, job } = command
  switch (op) {
    case 'connect':
      return true
    case 'start':
      return start(command)
    case 'execute':
      await jobs.get(job)?.trigger()
      return true
    case 'hold':
      if (!held.has(job)) held.set(job, new Gate())
      return true
    case 'release':
      held.get(job)?.open()
      held.delete(job)
      return true
    case 'stop':
      await jobs.get(job)?.stop()
      jobs.delete(job)
      return true
    case 'has-ended':
      return !elasticJob.jobNames.includes(job)
    default:
      throw new Error(`no command: ${op}`)
  }
}

const elasticJob = await ElasticJob.connect({
  servers,
  namespace,
  ip,
  sessionTimeoutMilliseconds: sessionTimeout,
  serverTickTime: tickTime,
  logger: false,
  listeners: [rounds],
})
for (const name of toldEvents) {
  elasticJob.on(name, (payload: unknown) => write({ event: 'told', name, payload, at: Date.now() }))
}
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const command = JSON.parse(line) as Command
  obey(command).then(
    (result) => write({ id: command.id, result }),
    (error: unknown) => write({ id: command.id, error: textOf(error) }),
  )
})
lines.once('close', () => {
  for (const { open } of held.values()) open()
  void elasticJob.stop()
})
