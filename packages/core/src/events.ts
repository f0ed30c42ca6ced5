/** Everything that a scheduler tells about itself: `noun:verb`, one payload, one sentence each. */
import type { Logger } from './logger.ts'

/**
 * What came of a run: `aborted` by this process, which somebody else makes good, `stopped` by an
 * operator, which nobody does.
 */
export type RunOutcome = 'success' | 'failure' | 'aborted' | 'stopped' | 'not-started'

/** Why a run came about. */
export type RunSource = 'cron' | 'misfire' | 'trigger' | 'failover'

/** One run of one item, as events name it. */
export interface RunReference {
  readonly jobName: string
  readonly instance: string
  readonly shardingItem: number
  readonly runId: string
  readonly source: RunSource
  /** The scheduled time; for a trigger, when it was asked for. In milliseconds. */
  readonly fireTime: number
  readonly attempt: number
  readonly round: number | undefined
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

/** What the listeners of a whole round wait for: that all its items have begun, or have ended. */
export type RoundPhase = 'started' | 'completed'

/** One round of all items of a job, as events name it. */
export interface RoundReference {
  readonly jobName: string
  readonly phase: RoundPhase
  /** The scheduled time; for a trigger, when it was asked for. In milliseconds. */
  readonly fireTime: number
  /** The trigger; undefined for a scheduled time. */
  readonly round: number | undefined
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
  /** The last round of triggers that the item took part in; 0 for none. */
  readonly round: number
  readonly claimedAt: number
}

export interface ElasticJobEvents {
  /** A job is known here and takes part. */
  'job:scheduled': [{ jobName: string; cron: string | undefined; shardingTotalCount: number }]
  /** This instance takes part in a job, under this id: at the start, and again after a lost session. */
  'job:registered': [{ jobName: string; instance: string }]
  /** This instance takes no part in the job any more. */
  'job:stopped': [{ jobName: string; instance: string }]
  /** The job's configuration was changed, and is in effect. */
  'config:changed': [{ jobName: string; keys: readonly string[] }]
  /** The registry's configuration of a job cannot be used; the one before it stays in effect. */
  'config:refused': [{ jobName: string; error: unknown }]
  /** The configuration asks for something that is read otherwise. */
  'config:warning': [{ jobName: string; message: string }]
  /** This instance leads the job from now on. */
  'leader:elected': [{ jobName: string; instance: string }]
  /** A Java leader had not dealt out the items for too long: this instance leads in its place. */
  'leader:took-over': [{ jobName: string; instance: string; former: string }]
  /** This instance leads the job no more, because it said so. */
  'leader:abdicated': [{ jobName: string; instance: string; reason: string }]
  /** The leader has dealt out the items anew. */
  'sharding:changed': [
    { jobName: string; reason: string; moved: number; waiting: number; instances: number },
  ]
  /** A Java leader has overlooked that the items have to be dealt out: this instance has asked for it. */
  'sharding:requested': [{ jobName: string; reason: string }]
  /** The leader cannot deal out the items: the assignment stays as it is. */
  'sharding:failed': [{ jobName: string; error: unknown; attempts: number }]
  /** The items that this instance owns are others than before. */
  'items:owned': [{ jobName: string; items: readonly number[] }]
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
  /** A run's outcome was not written: another run has the item by now, or may have it. */
  'run:superseded': [RunReference & { outcome: RunOutcome }]
  /** A run outlived the session that claimed it and ignores its abort: the item waits here for its end. */
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
  /**
   * Scheduled times of an item have passed without a run, from `first` to `fireTime`. The leader tells of
   * one that nobody has claimed in time; whoever claims a later one tells of all that are gone with it.
   */
  'fire:missed': [
    { jobName: string; shardingItem: number; first: number; fireTime: number; reason: string },
  ]
  /** This machine's clock is too far from the registry's: nothing of the job runs here until it is not. */
  'clock:refused': [{ jobName: string; difference: number; limit: number }]
  /** The leader has mended something that nobody owned. */
  'repair:made': [{ jobName: string; what: string }]
  /** A stored fire time lies in the future, from a clock that was wrong; it is replaced. */
  'fire:corrected': [{ jobName: string; shardingItem: number; stored: number }]
  /** Items are asked to run now. */
  'round:asked': [{ jobName: string; round: number }]
  /** Every item of a round has run; every instance of the job is told. */
  'round:completed': [{ jobName: string; round: number }]
  /** Items here have waited longer than a listener allows for the others of their round. */
  'guarantee:timed-out': [RoundReference & { timeout: number; missing: readonly number[] }]
  /** The listeners of a whole round will not be called for this one, or may not have been. */
  'guarantee:broken': [RoundReference & { reason: string }]
  /** The connection to the registry is gone; jobs go on when it is back. */
  'registry:suspended': [{ instance: string; reason: unknown }]
  /** The connection is back, and the session has lived. */
  'registry:resumed': [{ instance: string }]
  /** The session was lost; everything goes on under a new one. */
  'registry:renewed': [{ instance: string; former: string }]
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
