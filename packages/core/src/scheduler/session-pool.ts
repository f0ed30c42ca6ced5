/**
 * Assigns jobs to sessions: one session until it is full, then further ones. ZooKeeper ends a session with one
 * transaction that lists all its ephemeral nodes, and a transaction above 2 MB leaves an ensemble unable to start.
 */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { ConfigurationError } from '../errors.ts'
import { JobPaths, type StatePaths } from '../job-tree/paths.ts'
import { monitoringOf } from '../config/monitoring.ts'
import type { SessionSlot } from './session-slot.ts'

/** An instance id with the longest address and process id. */
const longestInstance = 'x'.repeat(40)
/** The bytes that a node needs in the transaction in addition to its path. */
const overhead = 4

/** The maximum bytes of ephemeral paths of a job in one session. */
export function ephemeralBytesOf(
  namespace: string,
  state: StatePaths,
  { jobName, shardingTotalCount, failover, props }: JobConfiguration,
): number {
  const paths = new JobPaths(namespace, state, jobName)
  // With failover the running marks are persistent, but takeovers create ephemeral failover marks.
  const mark = failover ? 'failover' : 'running'
  const perShard = Buffer.byteLength(paths.mark(shardingTotalCount, mark)) + overhead
  const isCounted = monitoringOf(props).countInterval > 0
  const counts = isCounted
    ? Buffer.byteLength(`${paths.statistics}/${longestInstance}`) + overhead
    : 0
  return (
    counts +
    Buffer.byteLength(paths.instance(longestInstance)) +
    Buffer.byteLength(paths.leaderInstance) +
    2 * overhead +
    shardingTotalCount * perShard
  )
}

export class SessionPool {
  readonly #limit: number
  readonly #open: () => Promise<SessionSlot>
  readonly #slots: SessionSlot[] = []
  #opening: Promise<SessionSlot> | undefined

  constructor(limit: number, open: () => Promise<SessionSlot>) {
    this.#limit = limit
    this.#open = open
  }

  get slots(): readonly SessionSlot[] {
    return this.#slots
  }

  /** Opens the first session. */
  async start(): Promise<void> {
    this.#slots.push(await this.#open())
  }

  /** Returns a session with room for this many bytes of ephemeral paths. */
  async reserve(jobName: string, bytes: number): Promise<SessionSlot> {
    if (bytes > this.#limit) {
      throw new ConfigurationError(`the job "${jobName}"`, [
        {
          key: 'shardingTotalCount',
          message:
            `its marks may come to ${bytes} bytes of ephemeral paths, and a session holds ${this.#limit} safely; ` +
            'have fewer shards, a shorter name or namespace, or switch failover on, which marks runs with nodes that stay',
        },
      ])
    }
    for (;;) {
      const slot = this.#slots.find(({ reserved }) => reserved + bytes <= this.#limit)
      if (slot !== undefined) {
        slot.reserve(jobName, bytes)
        return slot
      }
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined
      })
      const opened = await this.#opening
      if (!this.#slots.includes(opened)) this.#slots.push(opened)
    }
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    await Promise.all(this.#slots.map(({ session }) => session.close()))
  }
}
