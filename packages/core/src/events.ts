/** Everything that a scheduler tells about itself: `noun:verb`, one payload, one sentence each. */
import type { Logger } from './logger.ts'

/**
 * What came of a run: `aborted` by this process, which somebody else makes good, `stopped` by an
 * operator, which nobody does.
 */
export type RunOutcome = 'success' | 'failure' | 'aborted' | 'stopped' | 'not-started'

/** Why a run came about. */
export type RunSource = 'cron' | 'misfire' | 'trigger' | 'failover'

/** One run of one shard, as events name it. */
export interface RunReference {
  readonly jobName: string
  readonly instance: string
  readonly shardingItem: number
  readonly runId: string
  readonly source: RunSource
  /** The scheduled time; for a trigger, when it was asked for. In milliseconds. */
  readonly fireTime: number
  readonly attempt: number
  readonly manualRun: number | undefined
  readonly fencingToken: bigint | undefined
  /** When it was claimed, by the registry's time: its code may have had to wait for a free place. */
  readonly claimedAt: number
  /** The run of a dead instance that this one makes good; undefined if there is none. */
  readonly takenOver: TakenOverRun | undefined
}

/** A run whose end nobody has told, because its instance is gone. */
export interface TakenOverRun {
  readonly runId: string
  readonly instance: string
  readonly claimedAt: number
}

/** How loud a line of a log is: the names of the logger's methods. */
export type LogLevel = keyof Logger

/** What the listeners of a whole manual run wait for: that all its shards have begun, or have ended. */
export type BarrierPhase = 'started' | 'completed'

/** One manual run of all shards of a job, as events name it. */
export interface BarrierReference {
  readonly jobName: string
  readonly phase: BarrierPhase
  /** The scheduled time; for a trigger, when it was asked for. In milliseconds. */
  readonly fireTime: number
  /** The trigger; undefined for a scheduled time. */
  readonly manualRun: number | undefined
}

/** A run that a dead instance has left unfinished. */
export interface CrashedRun {
  readonly jobName: string
  readonly shardingItem: number
  /** Empty for a run of Java's, which has none. */
  readonly runId: string
  /** Why it came about; undefined if that is not known. */
  readonly source: RunSource | undefined
  /** The instance that is gone. */
  readonly instance: string
  readonly attempt: number
  readonly fireTime: number
  /** The last manual run that the shard took part in; 0 for none. */
  readonly manualRun: number
  readonly claimedAt: number
}

/** The events of a scheduler; docs/events.md describes each. */
export interface ElasticJobEvents {
  /** A job is known here and takes part. */
  'job:scheduled': [{ jobName: string; cron: string | undefined; shardingTotalCount: number }]
  /** This instance takes part in a job, under this id: at the start, and again after a lost session. */
  'job:registered': [{ jobName: string; instance: string }]
  /** This instance takes no part in the job any more. */
  'job:stopped': [{ jobName: string; instance: string }]
  /**
   * A node of the job cannot be read: what hangs on it does not run until the node can be read again. Other
   * jobs, and other shards of the job where only one shard state is concerned, go on.
   */
  'job:broken': [{ jobName: string; path: string; reason: string }]
  /** Every node of the job that this instance reads can be read again. */
  'job:recovered': [{ jobName: string }]
  /** The job's configuration was changed, and is in effect. */
  'config:changed': [{ jobName: string; keys: readonly string[] }]
  /** The registry's configuration of a job cannot be used; the one before it stays in effect. */
  'config:refused': [{ jobName: string; error: unknown }]
  /** The configuration asks for something that is read otherwise. */
  'config:warning': [{ jobName: string; message: string }]
  /** This instance leads the job from now on. */
  'leader:elected': [{ jobName: string; instance: string }]
  /** A Java leader did not reshard for too long: this instance leads in its place. */
  'leader:took-over': [{ jobName: string; instance: string; former: string }]
  /** This instance has given up the leadership of the job. */
  'leader:abdicated': [{ jobName: string; instance: string; reason: string }]
  /** The leader has computed a new assignment. */
  'sharding:changed': [
    { jobName: string; reason: string; moved: number; waiting: number; instances: number },
  ]
  /** A Java leader has overlooked a necessary resharding: this instance has requested it. */
  'sharding:requested': [{ jobName: string; reason: string }]
  /** The leader cannot compute an assignment; the shards stay where they are. */
  'sharding:failed': [{ jobName: string; error: unknown; attempts: number }]
  /** The shards that this instance owns are others than before. */
  'shards:owned': [{ jobName: string; shards: readonly number[] }]
  /** A run has been claimed and its code begins. */
  'run:started': [RunReference]
  /** A run's code has ended; that the registry knows it is told by `run:recorded`. */
  'run:completed': [RunReference & { outcome: RunOutcome; error: unknown; duration: number }]
  /** A run failed and is tried again, as the same run, after a pause. */
  'run:retried': [RunReference & { retry: number; error: unknown; pause: number }]
  /** A run was asked to end, and its code has not: its mark stays until it does. */
  'run:stuck': [RunReference & { reason: unknown; since: number }]
  /** The registry knows the end of a run. */
  'run:recorded': [RunReference & { outcome: RunOutcome }]
  /** A run's outcome was not written: another run has the shard by now, or may have it. */
  'run:superseded': [RunReference & { outcome: RunOutcome }]
  /** A run outlived the session that claimed it and ignores its abort: the shard waits here for its end. */
  'run:orphaned': [RunReference]
  /** The leader has found a run of a dead instance; it waits for somebody to take it over. */
  'run:crashed': [CrashedRun]
  /** A run of a dead instance is given up until its next time: failover is off, or it was begun too often. */
  'run:abandoned': [CrashedRun]
  /**
   * A run has written a line, by `context.logger` or as a script. Only runs that begin while somebody
   * listens tell of theirs.
   */
  'run:logged': [{ run: RunReference; level: LogLevel; message: string }]
  /** A dataflow has processed elements. */
  'data:processed': [{ jobName: string; succeeded: number; failed: number }]
  /** A claim lost against a change or another instance; what was due stays due. */
  'claim:refused': [{ jobName: string; shardingItem: number; reason: string }]
  /** Nobody has claimed a fire time of a shard within the grace period; it may still run. */
  'fire:late': [{ jobName: string; shardingItem: number; fireTime: number; reason: string }]
  /**
   * Fire times of a shard, from `first` to `fireTime`, did not run and never will: a later one was claimed, they are
   * too old, or a change of the job has overtaken them.
   */
  'fire:missed': [
    { jobName: string; shardingItem: number; first: number; fireTime: number; reason: string },
  ]
  /** Fire times of a shard were left out because the job's configuration says so: misfire is off. */
  'fire:skipped': [
    { jobName: string; shardingItem: number; first: number; fireTime: number; reason: string },
  ]
  /** A fire time has passed while the shard was still running; `willRun`: whether a misfire run follows. */
  'fire:misfired': [
    {
      jobName: string
      shardingItem: number
      runId: string
      fireTime: number
      willRun: boolean
    },
  ]
  /** This machine's clock is too far from the registry's: nothing of the job runs here until it is not. */
  'clock:refused': [{ jobName: string; difference: number; limit: number }]
  /**
   * Something was put right: leftovers that nobody owned, or nodes that were missing. Without a job it is
   * about nodes that all jobs of the namespace share.
   */
  'reconcile:repaired': [{ jobName: string | undefined; what: string }]
  /** A stored fire time lies in the future, from a clock that was wrong; it is replaced. */
  'fire:corrected': [{ jobName: string; shardingItem: number; stored: number }]
  /** A manual run was requested. */
  'trigger:requested': [{ jobName: string; manualRun: number }]
  /** Every shard of a manual run has run; every instance of the job is told. */
  'trigger:completed': [{ jobName: string; manualRun: number }]
  /** Shards here have waited longer than a listener allows for the others of their manual run. */
  'barrier:timed-out': [BarrierReference & { timeout: number; missing: readonly number[] }]
  /** The listeners of a whole manual run will not be called for this one, or may not have been. */
  'barrier:broken': [BarrierReference & { reason: string }]
  /** `sessionTimeoutMilliseconds` is too short for a lease: this process asks for `timeout` instead. In milliseconds. */
  'registry:timeout-raised': [{ requested: number; timeout: number; reason: string }]
  /** The connection to the registry is gone; jobs go on when it is back. */
  'registry:suspended': [{ instance: string; reason: unknown }]
  /** The connection is back, and the session has lived. */
  'registry:resumed': [{ instance: string }]
  /** The session was lost; everything goes on under a new one. */
  'registry:renewed': [{ instance: string; former: string }]
  /**
   * The registry has lost data: all of them (`wiped`), or those since a backup that it was restored from
   * (`restored`). The jobs of this process are made again where they are missing, and go on.
   */
  'registry:data-lost': [{ instance: string; loss: 'wiped' | 'restored' }]
  /** The session is no longer proven: what runs is aborted. */
  'lease:ended': [{ instance: string; running: number }]
  /** A port answers who asks for the tree of this job, or of any if it is the process's own. */
  'dump:listening': [{ jobName: string | undefined; host: string; port: number }]
  /** Such a port could not be opened; jobs run without it. */
  'dump:failed': [{ jobName: string | undefined; host: string; port: number; error: unknown }]
  /**
   * Nothing runs here any more and nothing will. What listeners give to `waitFor` is waited for before
   * `stop()` resolves, for a few seconds at most.
   */
  'scheduler:stopped': [{ waitFor: (work: Promise<unknown>) => void }]
  /** Something failed that nobody waits for. */
  'error:unhandled': [{ jobName: string | undefined; error: unknown }]
}

/** Tells of one event. */
export type Emit = <Name extends keyof ElasticJobEvents>(
  name: Name,
  ...payload: ElasticJobEvents[Name]
) => void
