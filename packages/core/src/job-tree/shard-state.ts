/**
 * The shard state: what is known of the last run of one shard. It is never deleted while the job has the shard, and
 * every transaction about the shard sets it with the version that it read. That makes any two of them exclusive, which
 * no other node can: their versions begin at 0 whenever they are made again.
 */
import { decodeJson } from '../decode/json.ts'
import type { Decoded } from '../decode/problem.ts'
import { flag, integer, listOf, object, oneOf, type Shape, text, time } from '../decode/shape.ts'
import type { RunOutcome, RunSource } from '../events.ts'

type RunState = 'idle' | 'running' | 'crashed' | 'abandoned'

/** Fire times that no run stands for, from the first to the last. */
export interface PassedFires {
  readonly first: number
  readonly last: number
  readonly reason: string
  /** They were not meant to run: misfire is off. */
  readonly isSkipped?: boolean
}

export interface ShardState {
  readonly state: RunState
  /** The run that the state describes. */
  readonly run: string
  /** The instance that ran it. */
  readonly instance: string
  /** The last scheduled time that was run, in milliseconds; 0 if none ever was. */
  readonly fireTime: number
  /** Why the run came about, at its first attempt. */
  readonly source?: RunSource | undefined
  /** How often that time was begun. */
  readonly attempt: number
  /** The last manual run that the shard took part in; 0 for none. */
  readonly round: number
  readonly begin: number
  /** When it ended; 0 while it runs. */
  readonly end: number
  readonly outcome?: RunOutcome | undefined
  /** What went wrong, shortened. */
  readonly error?: string | undefined
  /** When the run was claimed, the time it was expected to run next; 0 for never. */
  readonly nextFireTime: number
  /** Nothing that was scheduled until then is due: a disable or a pause was lifted. */
  readonly since?: number | undefined
  /**
   * What was passed over when this state was written. The writer reports it once it knows that the state is written;
   * if it dies before that, or loses its connection, whoever writes the state next reports it.
   */
  readonly report?: readonly PassedFires[] | undefined
  /** Fire times that nobody has accounted for before the shard was disabled, a period for each disable. */
  readonly unreported?: readonly Unreported[] | undefined
  /**
   * The servers that the shard was on before its present owner's, in their order. A leader that moves the shard while the
   * job state knows of a paused server records them: the pause of a server applies only while the shard is on it.
   */
  readonly formerServers?: readonly FormerServer[] | undefined
}

/** A server that the shard was on up to and with `until`. */
export interface FormerServer {
  readonly server: string
  readonly until: number
}

/** Fire times after `after`, up to and with `until`. */
interface Unreported {
  readonly after: number
  readonly until: number
}

/** What a shard that was never run is taken for. */
export const neverRun: ShardState = Object.freeze({
  state: 'idle',
  run: '',
  instance: '',
  fireTime: 0,
  attempt: 0,
  round: 0,
  begin: 0,
  end: 0,
  nextFireTime: 0,
})

export function encodeShardState(shardState: ShardState): string {
  return JSON.stringify(shardState)
}

/** Far more than one writer ever passes over: neighbours with one reason are one entry. */
const mostPassed = 10_000

/** So many periods are kept: each claim and each look of the leader at the shard accounts for all of them. */
export const mostUnreported = 100

/** So many servers are kept: a claim for a fire time forgets all of them. */
export const mostFormerServers = 100

const passedFires: Shape<PassedFires> = object<PassedFires>(
  { first: time, last: time, reason: text, isSkipped: flag },
  ['first', 'last', 'reason'],
)

const shape: Shape<Partial<ShardState>> = object<Partial<ShardState>>(
  {
    state: oneOf('idle', 'running', 'crashed', 'abandoned'),
    run: text,
    instance: text,
    fireTime: time,
    source: oneOf('cron', 'misfire', 'trigger', 'failover'),
    attempt: integer(0),
    round: integer(0),
    begin: time,
    end: time,
    outcome: oneOf('success', 'failure', 'aborted', 'stopped', 'not-started'),
    error: text,
    nextFireTime: time,
    since: time,
    report: listOf(passedFires, mostPassed),
    unreported: listOf(
      object<Unreported>({ after: time, until: time }, ['after', 'until']),
      mostUnreported,
    ),
    formerServers: listOf(
      object<FormerServer>({ server: text, until: time }, ['server', 'until']),
      mostFormerServers,
    ),
  },
  [],
)

/** The shard state in a node's data, or why it cannot be read; a node without data speaks of no run. */
export function decodeShardState(data: string, path: string): Decoded<ShardState> {
  if (data === '') return { value: neverRun }
  const { value, problem } = decodeJson(data, path, shape)
  return problem === undefined ? { value: { ...neverRun, ...value } } : { problem }
}
