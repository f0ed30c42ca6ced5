/** The events of a scheduler: `noun:verb`, with one payload each. */
import type { Logger } from './logger.ts'

/**
 * The outcome of a run. `aborted`: this process aborted the run; with failover on, another instance repeats it.
 * `stopped`: an operator stopped the run, and no instance repeats it.
 */
export type RunOutcome = 'success' | 'failure' | 'aborted' | 'stopped' | 'not-started'

/** The reason for a run. */
export type RunSource = 'cron' | 'misfire' | 'trigger' | 'failover'

/** One run of one shard, as the payload of events. */
export interface RunReference {
  readonly jobName: string
  readonly instance: string
  readonly shardingItem: number
  readonly runId: string
  readonly source: RunSource
  /** The fire time, or for a manual run the time of the request, in milliseconds. */
  readonly fireTime: number
  readonly attempt: number
  readonly manualRun: number | undefined
  readonly fencingToken: bigint | undefined
  /** When the run was claimed, in registry time. Its code may have waited for a free slot since then. */
  readonly claimedAt: number
  /** The run of a crashed instance that this run repeats; undefined if there is none. */
  readonly takenOver: TakenOverRun | undefined
}

/** A run without a recorded end, because its instance has crashed. */
export interface TakenOverRun {
  readonly runId: string
  readonly instance: string
  readonly claimedAt: number
}

/** The severity of a log line: the names of the logger's methods. */
export type LogLevel = keyof Logger

/** The phase that a barrier waits for: all shards of a run have started, or have completed. */
export type BarrierPhase = 'started' | 'completed'

/** One run of all shards of a job, as the payload of events. */
export interface BarrierReference {
  readonly jobName: string
  readonly phase: BarrierPhase
  /** The fire time, or for a manual run the time of the request, in milliseconds. */
  readonly fireTime: number
  /** The number of the manual run; undefined for a scheduled run. */
  readonly manualRun: number | undefined
}

/** A run that a crashed instance left unfinished. */
export interface CrashedRun {
  readonly jobName: string
  readonly shardingItem: number
  /** Empty for a run of a Java instance, which has no run id. */
  readonly runId: string
  /** The reason for the run; undefined if it is unknown. */
  readonly source: RunSource | undefined
  /** The crashed instance. */
  readonly instance: string
  readonly attempt: number
  readonly fireTime: number
  /** The last manual run that the shard took part in; 0 for none. */
  readonly manualRun: number
  readonly claimedAt: number
}

/** The events of a scheduler; docs/events.md describes each. */
export interface ElasticJobEvents {
  /** This process knows the job and takes part in it. */
  'job:scheduled': [{ jobName: string; cron: string | undefined; shardingTotalCount: number }]
  /** This instance has registered for the job under this id: at the start, and again after a lost session. */
  'job:registered': [{ jobName: string; instance: string }]
  /** This instance no longer takes part in the job. */
  'job:stopped': [{ jobName: string; instance: string }]
  /**
   * A node of the job cannot be read. The parts of the job that depend on the node stop running until it can be read
   * again. Other jobs continue, and so do the other shards of the job if only one shard state is affected.
   */
  'job:broken': [{ jobName: string; path: string; reason: string }]
  /** This instance can read all nodes of the job again. */
  'job:recovered': [{ jobName: string }]
  /** The configuration of the job has changed, and the change is in effect. */
  'config:changed': [{ jobName: string; keys: readonly string[] }]
  /** The stored configuration of a job is invalid; the previous configuration stays in effect. */
  'config:refused': [{ jobName: string; error: unknown }]
  /** The configuration contains a value that this package interprets differently. */
  'config:warning': [{ jobName: string; message: string }]
  /** This instance is now the leader of the job. */
  'leader:elected': [{ jobName: string; instance: string }]
  /** A Java leader did not reshard for too long: this instance has replaced it as leader. */
  'leader:took-over': [{ jobName: string; instance: string; former: string }]
  /** This instance is no longer the leader of the job. */
  'leader:abdicated': [{ jobName: string; instance: string; reason: string }]
  /** The leader has computed a new assignment. */
  'sharding:changed': [
    { jobName: string; reason: string; moved: number; waiting: number; instances: number },
  ]
  /** A Java leader has overlooked a necessary resharding: this instance has requested it. */
  'sharding:requested': [{ jobName: string; reason: string }]
  /** The leader cannot compute an assignment; the shards keep their owners. */
  'sharding:failed': [{ jobName: string; error: unknown; attempts: number }]
  /** The set of shards that this instance owns has changed. */
  'shards:owned': [{ jobName: string; shards: readonly number[] }]
  /** A run is claimed, and its code starts. */
  'run:started': [RunReference]
  /** The code of a run has ended. `run:recorded` follows when the registry has stored the end. */
  'run:completed': [RunReference & { outcome: RunOutcome; error: unknown; duration: number }]
  /** A run failed. The same run retries after a pause. */
  'run:retried': [RunReference & { retry: number; error: unknown; pause: number }]
  /** A run was asked to end, and its code has not ended: its running mark stays until it does. */
  'run:stuck': [RunReference & { reason: unknown; since: number }]
  /** The registry has stored the end of a run. */
  'run:recorded': [RunReference & { outcome: RunOutcome }]
  /** The outcome of a run was not stored: another run owns the shard now, or may own it. */
  'run:superseded': [RunReference & { outcome: RunOutcome }]
  /**
   * A run outlived the session that claimed it and ignores its abort: the shard cannot run on this instance until the
   * run ends.
   */
  'run:orphaned': [RunReference]
  /** The leader has found an unfinished run of a crashed instance; the run waits for an instance to take it over. */
  'run:crashed': [CrashedRun]
  /**
   * An unfinished run of a crashed instance is not repeated: failover is off, or the run reached its maximum attempts.
   * The shard runs again at its next fire time.
   */
  'run:abandoned': [CrashedRun]
  /**
   * A run has written a log line, by `context.logger` or as output of a script. A run emits this event only if the
   * event had a listener when the run started.
   */
  'run:logged': [{ run: RunReference; level: LogLevel; message: string }]
  /** A dataflow has processed a batch of elements. */
  'data:processed': [{ jobName: string; succeeded: number; failed: number }]
  /** A claim lost a race against a change or another instance; the shard stays due. */
  'claim:refused': [{ jobName: string; shardingItem: number; reason: string }]
  /** No instance has claimed a fire time of a shard within the grace period; the shard may still run. */
  'fire:late': [{ jobName: string; shardingItem: number; fireTime: number; reason: string }]
  /**
   * Fire times of a shard, from `first` to `fireTime`, did not run and never will: an instance claimed a later fire
   * time, they are too old, or a change of the job made them obsolete.
   */
  'fire:missed': [
    { jobName: string; shardingItem: number; first: number; fireTime: number; reason: string },
  ]
  /** Fire times of a shard were skipped because misfire is off in the job's configuration. */
  'fire:skipped': [
    { jobName: string; shardingItem: number; first: number; fireTime: number; reason: string },
  ]
  /** A fire time has passed while the shard was still running. `willRun`: whether a misfire run follows. */
  'fire:misfired': [
    {
      jobName: string
      shardingItem: number
      runId: string
      fireTime: number
      willRun: boolean
    },
  ]
  /**
   * The clock of this machine differs too much from the registry's: the job does not run on this instance until the
   * clock is corrected.
   */
  'clock:refused': [{ jobName: string; difference: number; limit: number }]
  /**
   * The scheduler has repaired nodes: it deleted leftovers without an owner, or created missing nodes. `jobName` is
   * undefined for nodes that all jobs of the namespace share.
   */
  'reconcile:repaired': [{ jobName: string | undefined; what: string }]
  /** A stored fire time lies in the future because a clock was wrong; the scheduler replaces it. */
  'fire:corrected': [{ jobName: string; shardingItem: number; stored: number }]
  /** A manual run was requested. */
  'trigger:requested': [{ jobName: string; manualRun: number }]
  /** Every shard of a manual run has run. Every instance of the job emits this event. */
  'trigger:completed': [{ jobName: string; manualRun: number }]
  /** Shards of this instance have waited for the other shards of their run longer than a listener allows. */
  'barrier:timed-out': [BarrierReference & { timeout: number; missing: readonly number[] }]
  /** The barrier of a run is broken: its listeners will not be called for this run, or may not have been called. */
  'barrier:broken': [BarrierReference & { reason: string }]
  /**
   * `sessionTimeoutMilliseconds` is too short for a lease: this process requests `timeout` instead. In milliseconds.
   */
  'registry:timeout-raised': [{ requested: number; timeout: number; reason: string }]
  /** The connection to the registry is lost; jobs continue after the reconnect. */
  'registry:suspended': [{ instance: string; reason: unknown }]
  /** The connection is restored, and the session has survived. */
  'registry:resumed': [{ instance: string }]
  /** The session was lost; this process continues under a new session. */
  'registry:renewed': [{ instance: string; former: string }]
  /**
   * The registry has lost data: everything (`wiped`), or the changes since the backup that it was restored from
   * (`restored`). This process creates its missing jobs again and continues.
   */
  'registry:data-lost': [{ instance: string; loss: 'wiped' | 'restored' }]
  /** The session is no longer proven to be alive: all runs are aborted. */
  'lease:ended': [{ instance: string; running: number }]
  /** A dump port is open. It serves the tree of this job, or of any job if `jobName` is undefined. */
  'dump:listening': [{ jobName: string | undefined; host: string; port: number }]
  /** A dump port could not be opened; jobs run without it. */
  'dump:failed': [{ jobName: string | undefined; host: string; port: number; error: unknown }]
  /**
   * The scheduler has stopped: no run is left, and none will start. `stop()` resolves after the promises that listeners
   * pass to `waitFor` settle, or after a few seconds.
   */
  'scheduler:stopped': [{ waitFor: (work: Promise<unknown>) => void }]
  /** An operation failed that no caller waits for. */
  'error:unhandled': [{ jobName: string | undefined; error: unknown }]
}

/** Emits one event. */
export type Emit = <Name extends keyof ElasticJobEvents>(
  name: Name,
  ...payload: ElasticJobEvents[Name]
) => void
