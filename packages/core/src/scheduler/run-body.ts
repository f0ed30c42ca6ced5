/** From claimed runs to the job's code and back. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { parseShardingItemParameters } from '../config/sharding-item-parameters.ts'
import type { ErrorHandler } from '../error-handlers/error-handler.ts'
import { roundOf } from '../execution/due.ts'
import type { ClaimedRun } from '../execution/runs.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../job-types/context.ts'
import { fetchDataCountOf } from '../job-types/dataflow/settings.ts'
import type { Runner } from '../job-types/job-type.ts'
import { composeTaskId } from '../job-types/task-id.ts'
import type { Logger } from '../logger.ts'
import { perform, type PerformHost } from './perform.ts'
import type { RunLimits } from './run-limits.ts'
import type { Slots } from './slots.ts'

export interface BodyHost extends PerformHost {
  readonly logger: Logger
  readonly slots: Slots
  errorHandler(): ErrorHandler
  /** The configuration as it is now: a streaming run follows it. */
  configuration(): JobConfiguration
  limits(): RunLimits
  /** Whether a streaming run of the item should end after its batch. */
  isYielding(item: number): boolean
}

/** Runs what was claimed in one instant: each item in its own lane, or all in one call. */
export function runClaimed(host: BodyHost, runner: Runner, runs: readonly ClaimedRun[]): void {
  const configuration = host.configuration()
  if (runner.scope === 'item') {
    for (const run of runs) {
      const context = itemContext(host, configuration, run, [run.item])
      void runOnce(host, [run], () => runner.run(context, controlOf(host, [run])))
    }
    return
  }
  const context = multiContext(host, configuration, runs)
  void runOnce(host, runs, () => runner.run(context, controlOf(host, runs)))
}

async function runOnce(
  host: BodyHost,
  runs: readonly ClaimedRun[],
  body: () => Promise<void>,
): Promise<void> {
  const { slots, clock, emit } = host
  await slots.take()
  const begun = clock.monotonic()
  const { outcome, error } = await perform(host, runs, host.limits(), body)
  slots.free()
  const duration = clock.monotonic() - begun
  for (const run of runs) {
    emit('run:completed', { ...run.reference, outcome, error, duration })
    run.finish(outcome, error)
    if (outcome === 'failure') handle(host, { run: run.reference, error })
  }
}

/** A handler that fails must not take the run's end with it. */
function handle(host: BodyHost, failure: Parameters<ErrorHandler['handle']>[0]): void {
  try {
    host.errorHandler().handle(failure)
  } catch (error) {
    host.emit('error:unhandled', { jobName: failure.run.jobName, error })
  }
}

function itemContext(
  host: BodyHost,
  configuration: JobConfiguration,
  run: ClaimedRun,
  items: readonly number[],
): ShardingContext {
  const { reference, due } = run
  const { parameters } = parseShardingItemParameters(configuration.shardingItemParameters)
  const parameter = roundOf(due)?.parameter
  return {
    jobName: configuration.jobName,
    taskId: composeTaskId(configuration.jobName, items, reference.instance),
    runId: reference.runId,
    shardingTotalCount: configuration.shardingTotalCount,
    jobParameter: parameter ?? configuration.jobParameter,
    shardingItem: run.item,
    shardingParameter: parameters.get(run.item),
    source: reference.source,
    fireTime: new Date(reference.fireTime),
    attempt: reference.attempt,
    fetchDataCount: fetchDataCountOf(configuration.props),
    offset: run.offset,
    saveOffset: run.saveOffset,
    fencingToken: reference.fencingToken,
    signal: run.signal,
    logger: host.logger,
  }
}

function multiContext(
  host: BodyHost,
  configuration: JobConfiguration,
  runs: readonly ClaimedRun[],
): MultiShardingContext {
  const items = runs.map(({ item }) => item)
  const contexts = runs.map((run) => itemContext(host, configuration, run, items))
  const { jobName, taskId, shardingTotalCount, jobParameter, source, fireTime, fetchDataCount } =
    contexts[0] as ShardingContext
  return {
    jobName,
    taskId,
    shardingTotalCount,
    jobParameter,
    source,
    fireTime,
    fetchDataCount,
    shardingItems: contexts,
    // They run as one: what ends one of them ends the call.
    signal: AbortSignal.any(runs.map(({ signal }) => signal)),
    logger: host.logger,
  }
}

function controlOf(host: BodyHost, runs: readonly ClaimedRun[]): RunControl {
  return {
    get yielding() {
      return runs.some(({ item }) => host.isYielding(item))
    },
    get props() {
      return host.configuration().props
    },
    count: (succeeded, failed) => {
      const { jobName } = host.configuration()
      host.emit('data:processed', { jobName, succeeded, failed })
    },
  }
}
