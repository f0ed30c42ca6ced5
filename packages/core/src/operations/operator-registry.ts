/** The registry as an operator uses it: read in few requests, written in transactions that may be lost. */
import {
  isZooKeeperError,
  type MultiReadResult,
  type ReadPart,
  type TransactionPart,
  type ZooKeeper,
} from '@elasticjob/zookeeper'

import type { Clock } from '../clock.ts'
import type { ResolvedRegistryOptions } from '../config/registry-options.ts'
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { JobPaths, StatePaths } from '../job-tree/paths.ts'
import { bytesOf, isOutcomeUnknown, maximumBytes } from '../registry/committer.ts'
import { aclOf } from '../registry/connect.ts'
import { type NodeMaker, nodeMaker } from '../registry/node-maker.ts'
import { momentOf, RegistryTime } from '../registry/registry-time.ts'
import { say, type Sentence } from '../sentence.ts'
import { BatchedReader } from './batched-reader.ts'

/** How often others may be quicker before it is said aloud. */
const attempts = 30
/** How long to wait before the next attempt, in milliseconds: longer each time, up to this. */
const longestPause = 500

export class OperatorRegistry {
  readonly client: ZooKeeper
  readonly namespace: string
  readonly root: string
  readonly state: StatePaths
  readonly make: NodeMaker
  readonly reader: BatchedReader
  readonly #options: ResolvedRegistryOptions
  readonly #time: RegistryTime
  /** A node of this session that nobody watches: setting it tells the registry's time. */
  #clockNode: string

  constructor(client: ZooKeeper, options: ResolvedRegistryOptions, name: string) {
    this.client = client
    this.namespace = options.namespace
    this.root = `/${options.namespace}`
    this.state = new StatePaths(options.namespace)
    this.make = nodeMaker(aclOf(options))
    this.#options = options
    this.#time = new RegistryTime(client.clock)
    this.#clockNode = this.state.leaseNode(name)
    this.reader = new BatchedReader((parts) => this.readParts(parts), client.clock)
  }

  get clock(): Clock {
    return this.client.clock
  }

  pathsOf(jobName: string): JobPaths {
    return new JobPaths(this.namespace, this.state, jobName)
  }

  /** What was written through another server before now is seen by what is read from now on. */
  catchUp(): Promise<void> {
    return this.#undisturbed(() => this.client.catchUp())
  }

  readParts(parts: readonly ReadPart[]): Promise<readonly MultiReadResult[]> {
    return this.#undisturbed(() => this.client.multiRead(parts))
  }

  exists(path: string): Promise<boolean> {
    return this.#undisturbed(async () => (await this.client.exists(path)) !== undefined)
  }

  /** Takes a node away that nobody needs any more. */
  deleteIfThere(path: string): Promise<void> {
    return this.#undisturbed(() => this.client.delete(path).catch(ignoring('ZK_NO_NODE')))
  }

  async commit(parts: readonly TransactionPart[]): Promise<void> {
    const bytes = bytesOf(parts)
    if (bytes > maximumBytes) {
      throw new ElasticJobError(
        'JOB_TRANSACTION_TOO_LARGE',
        say`a transaction of ${parts.length} parts has ${bytes} bytes; at most ${maximumBytes} are safe`,
      )
    }
    if (parts.length > 0) await this.client.multi(parts)
  }

  /** What every transaction about a job's word needs. */
  async ensureState(): Promise<void> {
    for (const folder of this.state.folders) {
      await this.client
        .create(folder, '', { acl: aclOf(this.#options), parents: true })
        .catch(ignoring('ZK_NODE_EXISTS'))
    }
  }

  /** The registry's time in milliseconds: what is written about times has to be in it. */
  async now(): Promise<number> {
    await this.#undisturbed(async () => {
      const begun = momentOf(this.clock)
      const { mtime } = await this.#touchClock()
      this.#time.observe(Number(mtime), begun)
    })
    return this.#time.now()
  }

  /** The same for a job; of one that Java runs alone nothing is written down, and nothing has to be. */
  nowFor({ word }: JobView): Promise<number> {
    return word === undefined ? Promise.resolve(this.estimate()) : this.now()
  }

  /** Local time, corrected by what is known of the registry's. */
  estimate(): number {
    return this.#time.now()
  }

  async #touchClock(): Promise<{ readonly mtime: bigint }> {
    try {
      return await this.client.set(this.#clockNode, '')
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
    }
    await this.ensureState()
    const acl = aclOf(this.#options)
    const { stat } = await this.client.create(this.#clockNode, '', { mode: 'ephemeral', acl })
    return stat
  }

  /**
   * Does something that looks at the registry first and then changes it, again if somebody else has
   * changed it in between, or if the connection was lost: what is so already is not done twice.
   */
  persist<T>(subject: Sentence, deed: () => Promise<T>): Promise<T> {
    return this.#undisturbed(deed, (error, attempt) => {
      if (!isLostRace(error)) throw error
      if (attempt >= attempts) throw contended(subject, error)
    })
  }

  /** Does something, again if the connection was lost: of what may be done twice. */
  async #undisturbed<T>(
    deed: () => Promise<T>,
    overtaken: (error: unknown, attempt: number) => void = rethrow,
  ): Promise<T> {
    let losses = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await deed()
      } catch (error) {
        if (isZooKeeperError(error, 'ZK_DEADLINE_EXCEEDED')) throw unreachable(error)
        if (isDisturbance(error)) losses += 1
        else overtaken(error, attempt)
        if (losses > this.#options.maxRetries) throw unreachable(error)
        await this.pause(Math.min(2 ** attempt, longestPause))
      }
    }
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel()
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = this.clock.setTimer(end, milliseconds)
      signal?.addEventListener('abort', end)
      if (signal?.aborted === true) end()
    })
  }
}

/** The connection or its session is gone, and another one comes. */
export function isDisturbance(error: unknown): boolean {
  return (
    isOutcomeUnknown(error) ||
    isZooKeeperError(
      error,
      'ZK_NOT_CONNECTED',
      'ZK_CONNECTION_LOSS',
      'ZK_SESSION_EXPIRED',
      'ZK_SESSION_MOVED',
    )
  )
}

function rethrow(error: unknown): never {
  throw error
}

/** Something is not as it was when the transaction was planned. */
function isLostRace(error: unknown): boolean {
  return isZooKeeperError(error, 'ZK_BAD_VERSION', 'ZK_NODE_EXISTS', 'ZK_NO_NODE', 'ZK_NOT_EMPTY')
}

function contended(subject: Sentence, cause: unknown): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFLICT',
    say`${subject} is being changed by others all the time; try again`,
    cause,
  )
}

function unreachable(cause: unknown): ElasticJobError {
  return new ElasticJobError(
    'JOB_REGISTRY_UNREACHABLE',
    say`the connection to the registry was lost: ${cause instanceof Error ? cause.message : String(cause)}. What was under way may have been done or not; look, then ask again`,
    cause,
  )
}

function ignoring(code: 'ZK_NODE_EXISTS' | 'ZK_NO_NODE'): (error: unknown) => void {
  return (error) => {
    if (!isZooKeeperError(error, code)) throw error
  }
}
