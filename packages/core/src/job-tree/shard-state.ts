/**
 * The shard state: the record of the last run of one shard. It is never deleted while the job has the shard, and every
 * transaction about the shard sets it with the version that it read. That makes any two such transactions exclusive. No
 * other node can do that: their versions start at 0 whenever they are recreated.
 */
import { decodeJson } from '../decode/json.ts'
import type { Decoded } from '../decode/problem.ts'
import { flag, integer, listOf, object, oneOf, type Shape, text, time } from '../decode/shape.ts'
import type { RunOutcome, RunSource } from '../events.ts'

type RunState = 'idle' | 'running' | 'crashed' | 'abandoned'

/** Fire times that no run covers, from the first to the last. */
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
  /** The last fire time that ran, in milliseconds; 0 if none did. */
  readonly fireTime: number
  /** The source of the run, at its first attempt. */
  readonly source?: RunSource | undefined
  /** The number of attempts at that fire time. */
  readonly attempt: number
  /** The last manual run that the shard took part in; 0 for none. */
  readonly round: number
  readonly begin: number
  /** When the run ended; 0 while it goes on. */
  readonly end: number
  readonly outcome?: RunOutcome | undefined
  /** The error message, shortened. */
  readonly error?: string | undefined
  /** The next fire time as expected at the claim; 0 for never. */
  readonly nextFireTime: number
  /** No fire time up to this moment is due, because a disable or a pause was lifted. */
  readonly since?: number | undefined
  /**
   * The fire times that this write passed over. The writer reports them once it knows that the state is written. If it
   * dies or loses its connection before that, the next writer of the state reports them.
   */
  readonly report?: readonly PassedFires[] | undefined
  /** Fire times that were not accounted for when the shard was disabled, one period for each disable. */
  readonly unreported?: readonly Unreported[] | undefined
  /**
   * The servers that the shard was on before its present owner's, in order. A leader that moves the shard while the job
   * state has a paused server records them, because the pause of a server applies only while the shard is on it.
   */
  readonly formerServers?: readonly FormerServer[] | undefined
}

/** A server that the shard was on up to and including `until`. */
export interface FormerServer {
  readonly server: string
  readonly until: number
}

/** Fire times after `after`, up to and including `until`. */
interface Unreported {
  readonly after: number
  readonly until: number
}

/** The state of a shard that never ran. */
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

/** Far more than one write passes over: neighbours with the same reason share an entry. */
const mostPassed = 10_000

/** The maximum number of periods: each claim, and each check of the shard by the leader, accounts for all of them. */
export const mostUnreported = 100

/** The maximum number of servers: a claim for a fire time drops all of them. */
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

/** The shard state in a node's data, or why it cannot be read; a node without data describes no run. */
export function decodeShardState(data: string, path: string): Decoded<ShardState> {
  if (data === '') return { value: neverRun }
  const { value, problem } = decodeJson(data, path, shape)
  return problem === undefined ? { value: { ...neverRun, ...value } } : { problem }
}
