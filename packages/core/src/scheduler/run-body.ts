/** Connects claimed runs with the code of the job. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { parseShardingItemParameters } from '../config/sharding-item-parameters.ts'
import { manualRunOf } from '../fire-times/due.ts'
import type { Code } from '../execution/host.ts'
import type { ClaimedRun } from '../execution/run.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../job-types/context.ts'
import { fetchDataCountOf } from '../job-types/dataflow/settings.ts'
import type { JobListener } from '../job-types/job-listener.ts'
import type { Runner } from '../job-types/job-type.ts'
import { parameterOf } from '../job-types/parameter.ts'
import { composeTaskId } from '../job-types/task-id.ts'
import { byBarrier, enterBarrier, isOncePerRun } from './barrier-runs.ts'
import type { JobCode } from './job-code.ts'
import { perform, type Performed } from './perform.ts'
import { intercepted } from './run-interceptor.ts'

/** Executes runs that were claimed together: each shard in its own slot, or all in one call. */
export class ClaimedCode implements Code {
  readonly #job: JobCode
  readonly #runner: Runner
  readonly #runs: readonly ClaimedRun[]
  readonly #contexts: readonly ShardingContext[]

  constructor(job: JobCode, runner: Runner, runs: readonly ClaimedRun[]) {
    this.#job = job
    this.#runner = runner
    this.#runs = runs
    this.#contexts = contextsOf(job, runs)
  }

  begin(runs: readonly ClaimedRun[]): void {
    const listeners = this.#job.context.live.listeners
    if (listeners.length === 0) void this.#run(runs)
    else if (!listeners.some(isOncePerRun)) void this.#runBetween(runs, listeners)
    else for (const some of byBarrier(runs)) void this.#runBetween(some, listeners)
  }

  #run(runs: readonly ClaimedRun[]): Promise<void> {
    return runAll(this.#job, this.#runner, runs, this.#contextsOf(runs))
  }

  #runBetween(runs: readonly ClaimedRun[], listeners: readonly JobListener[]): Promise<void> {
    return runBetween(this.#job, this.#runner, runs, this.#contextsOf(runs), listeners)
  }

  #contextsOf(runs: readonly ClaimedRun[]): readonly ShardingContext[] {
    return runs.length === this.#runs.length ? this.#contexts : contextsOf(this.#job, runs)
  }
}

async function runAll(
  job: JobCode,
  runner: Runner,
  runs: readonly ClaimedRun[],
  contexts: readonly ShardingContext[],
): Promise<void> {
  if (runner.scope === 'instance') {
    const context = multiContext(job, runs, contexts)
    await runOnce(job, runs, () => runner.run(context, new LiveControl(job, runs)))
    return
  }
  const all = runs.map((run, index) => {
    const context = contexts[index] as ShardingContext
    const alone = [run]
    return runOnce(job, alone, () => runner.run(context, new LiveControl(job, alone)))
  })
  await Promise.all(all)
}

/** Calls the listeners before the first run starts and after the last run has ended. */
async function runBetween(
  job: JobCode,
  runner: Runner,
  runs: readonly ClaimedRun[],
  contexts: readonly ShardingContext[],
  listeners: readonly JobListener[],
): Promise<void> {
  const context = multiContext(job, runs, contexts)
  const handle = (error: unknown): void => {
    for (const { reference } of runs) job.failures.handle({ run: reference, error })
  }
  const round = listeners.some(isOncePerRun)
    ? enterBarrier(job.barrier, runs, listeners, context, handle)
    : undefined
  const before = listeners.map((listener) => () => listener.beforeJobExecuted?.(context))
  for (const tell of [...before, () => round?.begun()]) {
    const failure = await told(tell)
    if (failure === undefined) continue
    if (job.failures.areThrown) {
      // As in Java: with the error handler THROW nothing runs after an error.
      for (const run of runs) end(job, run, { outcome: 'failure', error: failure.error }, 0)
      await round?.ended()
      return
    }
    handle(failure.error)
  }
  await runAll(job, runner, runs, contexts)
  for (const listener of listeners) {
    const failure = await told(() => listener.afterJobExecuted?.(context))
    if (failure !== undefined) handle(failure.error)
  }
  await round?.ended()
}

/** The error of a listener; undefined if it succeeded. */
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
  job: JobCode,
  runs: readonly ClaimedRun[],
  body: () => Promise<void>,
): Promise<void> {
  const { slots } = job.context.live
  const { clock } = job.context.services
  if (!slots.tryTake()) await slots.wait()
  const begun = clock.monotonic()
  const performed = await (job.context.services.interceptors.length === 0
    ? perform(job.context, runs, job.context.live.limits, body)
    : performInside(job, runs, body))
  slots.free()
  const duration = clock.monotonic() - begun
  for (const run of runs) end(job, run, performed, duration)
}

function performInside(
  job: JobCode,
  runs: readonly ClaimedRun[],
  body: () => Promise<void>,
): Promise<Performed> {
  const code = (): Promise<Performed> => perform(job.context, runs, job.context.live.limits, body)
  return intercepted(job.context.services.interceptors, runs, code, (error) => {
    job.context.emit('error:unhandled', { jobName: job.context.live.value.jobName, error })
  })
}

function end(job: JobCode, run: ClaimedRun, { outcome, error }: Performed, duration: number): void {
  // The new properties come before the spread: after it, each one costs many times more.
  job.context.emit('run:completed', { outcome, error, duration, ...run.reference })
  run.finish(outcome, error)
  if (outcome === 'failure') job.failures.handle({ run: run.reference, error })
}

/** The context of each run. */
function contextsOf(job: JobCode, runs: readonly ClaimedRun[]): ShardingContext[] {
  const configuration = job.context.live.value
  const { parameters } = parseShardingItemParameters(configuration.shardingItemParameters)
  const fetchDataCount = fetchDataCountOf(configuration.props)
  return runs.map((run) => shardContext(job, configuration, run, parameters, fetchDataCount))
}

function shardContext(
  job: JobCode,
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
    logger: job.context.services.loggerOf([reference]),
  }
}

function multiContext(
  job: JobCode,
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
    // The runs share one call: an abort of one aborts the call.
    signal: AbortSignal.any(runs.map(({ abort }) => abort.signal)),
    logger: job.context.services.loggerOf(runs.map((run) => run.reference)),
  }
}

/** Copies the context with another task id; its getters stay live. */
function withTaskId(context: ShardingContext, taskId: string): ShardingContext {
  const properties = Object.getOwnPropertyDescriptors(context)
  const copy = { ...properties, taskId: { value: taskId, enumerable: true } }
  return Object.defineProperties({}, copy) as ShardingContext
}

/**
 * A class and not an object literal, because the getters of a literal are created again for each run. Only job types
 * see it, so it needs no own properties.
 */
class LiveControl implements RunControl {
  readonly #job: JobCode
  readonly #runs: readonly ClaimedRun[]

  constructor(job: JobCode, runs: readonly ClaimedRun[]) {
    this.#job = job
    this.#runs = runs
  }

  get yielding(): boolean {
    return this.#runs.some(
      ({ shard, reference }) =>
        this.#job.isYielding(shard) || (reference.manualRun === undefined && this.#isPaused),
    )
  }

  /** Whether scheduled runs are paused on this instance; manual runs are not. */
  get #isPaused(): boolean {
    const { replica, services } = this.#job.context
    return isPaused(replica.jobState?.value ?? noJobState, services.ip)
  }

  get props(): RunControl['props'] {
    return this.#job.context.live.value.props
  }

  count(succeeded: number, failed: number): void {
    const { jobName } = this.#job.context.live.value
    this.#job.context.emit('data:processed', { jobName, succeeded, failed })
  }
}
