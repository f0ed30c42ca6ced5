import type { Problem } from '../errors.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from './context.ts'

interface RunnerLifecycle {
  /**
   * Releases resources that the runner keeps between runs, such as idle workers; resolves when all are released. Called
   * when its job stops. Runs of other jobs that share the runner continue.
   */
  stop?(): Promise<void>
}

/** Runs each shard of a job on its own. */
export interface ShardRunner extends RunnerLifecycle {
  readonly scope: 'shard'
  run(context: ShardingContext, control: RunControl): Promise<void>
}

/** Runs all shards that start together in one call. */
export interface InstanceRunner extends RunnerLifecycle {
  readonly scope: 'instance'
  run(context: MultiShardingContext, control: RunControl): Promise<void>
}

/** Runs the shards of a job. */
export type Runner = ShardRunner | InstanceRunner

/** A kind of job that properties alone describe, such as SCRIPT and HTTP. */
export interface JobType {
  /** The name that a job selects it by. */
  readonly name: string
  /** Problems of a job's `props` for this type. */
  problemsOf(props: Readonly<Record<string, string>>): readonly Problem[]
  readonly runner: Runner
}
