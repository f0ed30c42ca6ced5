/** From claimed runs to the job's code and back. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { parseShardingItemParameters } from '../config/sharding-item-parameters.ts'
import type { JobFailures } from '../error-handlers/job-failures.ts'
import type { RunReference } from '../events.ts'
import { manualRunOf } from '../fire-times/due.ts'
import type { Code } from '../execution/host.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { BarrierService } from '../barrier/service.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../job-types/context.ts'
import { fetchDataCountOf } from '../job-types/dataflow/settings.ts'
import type { JobListener } from '../job-types/job-listener.ts'
import type { Runner } from '../job-types/job-type.ts'
import { parameterOf } from '../job-types/parameter.ts'
import { composeTaskId } from '../job-types/task-id.ts'
import type { Logger } from '../logger.ts'
import { perform, type Performed, type PerformHost } from './perform.ts'
import { byBarrier, enterBarrier, isOncePerRun } from './barrier-runs.ts'
import type { RunLimits } from '../config/run-limits.ts'
import { intercepted, type RunInterceptor } from './run-interceptor.ts'
import type { Semaphore } from './semaphore.ts'

export interface BodyHost extends PerformHost {
  /** What the code of these runs, which it runs as one, writes to. */
  loggerOf(runs: readonly RunReference[]): Logger
  /** What is around the code of every run. */
  readonly interceptors: readonly RunInterceptor[]
  readonly slots: Semaphore
  readonly failures: JobFailures
  /** The configuration as it is now: a streaming run follows it. */
  configuration(): JobConfiguration
  limits(): RunLimits
  listeners(): readonly JobListener[]
  readonly barrier: BarrierService
  /** Whether a streaming run of the shard should end after its batch. */
  isYielding(shard: number): boolean
  /** Whether cron fires are off here; triggers are not. */
  isPaused(): boolean
}

/** Runs what was claimed in one instant: each shard in its own slot, or all in one call. */
export class ClaimedCode implements Code {
  readonly #host: BodyHost
  readonly #runner: Runner
  readonly #runs: readonly ClaimedRun[]
  readonly #contexts: readonly ShardingContext[]

  constructor(host: BodyHost, runner: Runner, runs: readonly ClaimedRun[]) {
    this.#host = host
    this.#runner = runner
    this.#runs = runs
    this.#contexts = contextsOf(host, runs)
  }

  begin(runs: readonly ClaimedRun[]): void {
    const listeners = this.#host.listeners()
    if (listeners.length === 0) void this.#run(runs)
    else if (!listeners.some(isOncePerRun)) void this.#runBetween(runs, listeners)
    else for (const some of byBarrier(runs)) void this.#runBetween(some, listeners)
  }

  #run(runs: readonly ClaimedRun[]): Promise<void> {
    return runAll(this.#host, this.#runner, runs, this.#contextsOf(runs))
  }

  #runBetween(runs: readonly ClaimedRun[], listeners: readonly JobListener[]): Promise<void> {
    return runBetween(this.#host, this.#runner, runs, this.#contextsOf(runs), listeners)
  }

  #contextsOf(runs: readonly ClaimedRun[]): readonly ShardingContext[] {
    return runs.length === this.#runs.length ? this.#contexts : contextsOf(this.#host, runs)
  }
}

async function runAll(
  host: BodyHost,
  runner: Runner,
  runs: readonly ClaimedRun[],
  contexts: readonly ShardingContext[],
): Promise<void> {
  if (runner.scope === 'instance') {
    const context = multiContext(host, runs, contexts)
    await runOnce(host, runs, () => runner.run(context, new LiveControl(host, runs)))
    return
  }
  const all = runs.map((run, index) => {
    const context = contexts[index] as ShardingContext
    const alone = [run]
    return runOnce(host, alone, () => runner.run(context, new LiveControl(host, alone)))
  })
  await Promise.all(all)
}

/** Listeners are told before the first of them begins, and when the last of them has ended. */
async function runBetween(
  host: BodyHost,
  runner: Runner,
  runs: readonly ClaimedRun[],
  contexts: readonly ShardingContext[],
  listeners: readonly JobListener[],
): Promise<void> {
  const context = multiContext(host, runs, contexts)
  const handle = (error: unknown): void => {
    for (const { reference } of runs) host.failures.handle({ run: reference, error })
  }
  const round = listeners.some(isOncePerRun)
    ? enterBarrier(host.barrier, runs, listeners, context, handle)
    : undefined
  const before = listeners.map((listener) => () => listener.beforeJobExecuted?.(context))
  for (const tell of [...before, () => round?.begun()]) {
    const failure = await told(tell)
    if (failure === undefined) continue
    if (host.failures.areThrown) {
      // As in Java: who wants to know of errors wants nothing to run after one.
      for (const run of runs) end(host, run, { outcome: 'failure', error: failure.error }, 0)
      await round?.ended()
      return
    }
    handle(failure.error)
  }
  await runAll(host, runner, runs, contexts)
  for (const listener of listeners) {
    const failure = await told(() => listener.afterJobExecuted?.(context))
    if (failure !== undefined) handle(failure.error)
  }
  await round?.ended()
}

/** What went wrong with a listener; undefined if nothing did. */
async function told(
  listen: () => Promise<void> | void,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await listen()
    return undefined
  } catch (error) {
    return { error }
  }
}

async function runOnce(
  host: BodyHost,
  runs: readonly ClaimedRun[],
  body: () => Promise<void>,
): Promise<void> {
  const { slots, clock } = host
  if (!slots.tryTake()) await slots.wait()
  const begun = clock.monotonic()
  const performed = await (host.interceptors.length === 0
    ? perform(host, runs, host.limits(), body)
    : performInside(host, runs, body))
  slots.free()
  const duration = clock.monotonic() - begun
  for (const run of runs) end(host, run, performed, duration)
}

function performInside(
  host: BodyHost,
  runs: readonly ClaimedRun[],
  body: () => Promise<void>,
): Promise<Performed> {
  const code = (): Promise<Performed> => perform(host, runs, host.limits(), body)
  return intercepted(host.interceptors, runs, code, (error) => {
    host.emit('error:unhandled', { jobName: host.configuration().jobName, error })
  })
}

function end(
  host: BodyHost,
  run: ClaimedRun,
  { outcome, error }: Performed,
  duration: number,
): void {
  // What is added comes first: behind a spread, each costs many times more.
  host.emit('run:completed', { outcome, error, duration, ...run.reference })
  run.finish(outcome, error)
  if (outcome === 'failure') host.failures.handle({ run: run.reference, error })
}

/** What the code of each run is given. */
function contextsOf(host: BodyHost, runs: readonly ClaimedRun[]): ShardingContext[] {
  const configuration = host.configuration()
  const { parameters } = parseShardingItemParameters(configuration.shardingItemParameters)
  const fetchDataCount = fetchDataCountOf(configuration.props)
  return runs.map((run) => shardContext(host, configuration, run, parameters, fetchDataCount))
}

function shardContext(
  host: BodyHost,
  configuration: JobConfiguration,
  run: ClaimedRun,
  parameters: ReadonlyMap<number, string>,
  fetchDataCount: number,
): ShardingContext {
  const { reference, due } = run
  const jobParameter = manualRunOf(due)?.parameter ?? configuration.jobParameter
  return {
    jobName: configuration.jobName,
    taskId: composeTaskId(configuration.jobName, [run.shard], reference.instance),
    runId: reference.runId,
    shardingTotalCount: configuration.shardingTotalCount,
    jobParameter,
    get parameter() {
      return parameterOf(jobParameter)
    },
    monitorExecution: configuration.monitorExecution,
    shardingItem: run.shard,
    shardingParameter: parameters.get(run.shard),
    source: reference.source,
    fireTime: new Date(reference.fireTime),
    attempt: reference.attempt,
    fetchDataCount,
    get offset() {
      return run.offset
    },
    saveOffset: (offset) => run.saveOffset(offset),
    fencingToken: reference.fencingToken,
    get signal() {
      return run.abort.signal
    },
    logger: host.loggerOf([reference]),
  }
}

function multiContext(
  host: BodyHost,
  runs: readonly ClaimedRun[],
  contexts: readonly ShardingContext[],
): MultiShardingContext {
  const [first] = contexts as readonly [ShardingContext]
  const { jobName, shardingTotalCount, jobParameter, parameter, monitorExecution } = first
  const { source, fireTime, fetchDataCount } = first
  const [{ reference }] = runs as readonly [ClaimedRun]
  const shards = runs.map(({ shard }) => shard)
  const taskId = composeTaskId(jobName, shards, reference.instance)
  return {
    jobName,
    taskId,
    shardingTotalCount,
    jobParameter,
    parameter,
    monitorExecution,
    source,
    fireTime,
    fetchDataCount,
    shardingItems: contexts.map((context) => withTaskId(context, taskId)),
    // They run as one: what ends one of them ends the call.
    signal: AbortSignal.any(runs.map(({ abort }) => abort.signal)),
    logger: host.loggerOf(runs.map((run) => run.reference)),
  }
}

/** The same context under another task id: what is live in it stays so. */
function withTaskId(context: ShardingContext, taskId: string): ShardingContext {
  const properties = Object.getOwnPropertyDescriptors(context)
  const copy = { ...properties, taskId: { value: taskId, enumerable: true } }
  return Object.defineProperties({}, copy) as ShardingContext
}

/** A class, because nobody but the kinds of jobs sees it: getters of a literal are made for each run anew. */
class LiveControl implements RunControl {
  readonly #host: BodyHost
  readonly #runs: readonly ClaimedRun[]

  constructor(host: BodyHost, runs: readonly ClaimedRun[]) {
    this.#host = host
    this.#runs = runs
  }

  get yielding(): boolean {
    return this.#runs.some(
      ({ shard, reference }) =>
        this.#host.isYielding(shard) ||
        (reference.manualRun === undefined && this.#host.isPaused()),
    )
  }

  get props(): RunControl['props'] {
    return this.#host.configuration().props
  }

  count(succeeded: number, failed: number): void {
    const { jobName } = this.#host.configuration()
    this.#host.emit('data:processed', { jobName, succeeded, failed })
  }
}
