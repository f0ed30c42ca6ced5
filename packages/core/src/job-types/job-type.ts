import type { Problem } from '../errors.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from './context.ts'

interface RunnerLifecycle {
  /**
   * Ends what the runner keeps between runs, such as idle workers; complete on return. Called when
   * its job stops. Runs of other jobs that share the runner are not touched.
   */
  stop?(): Promise<void>
}

/** Runs each shard of a job on its own. */
export interface ShardRunner extends RunnerLifecycle {
  readonly scope: 'shard'
  run(context: ShardingContext, control: RunControl): Promise<void>
}

/** Runs all shards that begin together in one call. */
export interface InstanceRunner extends RunnerLifecycle {
  readonly scope: 'instance'
  run(context: MultiShardingContext, control: RunControl): Promise<void>
}

/** How the shards of a job are run. */
export type Runner = ShardRunner | InstanceRunner

/** A kind of job that is described by properties alone, such as SCRIPT and HTTP. */
export interface JobType {
  /** The name by which a job asks for it. */
  readonly name: string
  /** What is wrong with a job's `props` for this type. */
  problemsOf(props: Readonly<Record<string, string>>): readonly Problem[]
  readonly runner: Runner
}
