/** The registry for operators: batched reads, and transactions that are retried after a lost race or connection. */
import type { Clock } from '../clock.ts'
import type { ResolvedRegistryOptions } from '../config/registry-options.ts'
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { JobPaths, StatePaths } from '../job-tree/paths.ts'
import { bytesOf, maximumBytes } from '../registry/committer.ts'
import { readNodes, type ReadParts } from '../registry/read-nodes.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import { isAccepted, isOutcomeUnknown, isRegistryError } from '../registry/registry-error.ts'
import { momentOf, RegistryTime } from '../registry/registry-time.ts'
import { part, type Stat, type TransactionPart } from '../registry/transaction.ts'
import { message, type Message } from '../message.ts'
import { messageOf } from '../thrown.ts'
import { BatchedReader } from './batched-reader.ts'

/** How many lost races against other writers are retried before an error is thrown. */
const attempts = 30
/** The longest pause before a retry, in milliseconds; pauses grow up to this value. */
const longestPause = 500

export class OperatorRegistry {
  readonly client: RegistryClient
  readonly namespace: string
  readonly root: string
  readonly state: StatePaths
  readonly reader: BatchedReader
  readonly #options: ResolvedRegistryOptions
  readonly #time: RegistryTime
  /** An unwatched node of this session: a write to it returns the registry's time. */
  #clockNode: string

  constructor(client: RegistryClient, options: ResolvedRegistryOptions, name: string) {
    this.client = client
    this.namespace = options.namespace
    this.root = `/${options.namespace}`
    this.state = new StatePaths(options.namespace)
    this.#options = options
    this.#time = new RegistryTime(client.clock)
    this.#clockNode = this.state.leaseNode(name)
    this.reader = new BatchedReader(this.readParts, client.clock)
  }

  get clock(): Clock {
    return this.client.clock
  }

  pathsOf(jobName: string): JobPaths {
    return new JobPaths(this.namespace, this.state, jobName)
  }

  /** After this, reads see everything that was written through any ZooKeeper server before. */
  catchUp(): Promise<void> {
    return this.#undisturbed(() => this.client.catchUp())
  }

  readonly readParts: ReadParts = (parts) => this.#undisturbed(() => this.client.read(parts))

  async exists(path: string): Promise<boolean> {
    return (await readNodes(this.readParts, [path])).has(path)
  }

  /** Deletes a node, if it exists. */
  deleteIfThere(path: string): Promise<void> {
    return this.#undisturbed(async () => {
      await isAccepted(this.client.transact([part.delete(path)]), 'REGISTRY_NO_NODE')
    })
  }

  async commit(parts: readonly TransactionPart[]): Promise<void> {
    const bytes = bytesOf(parts)
    if (bytes > maximumBytes) {
      throw new ElasticJobError(
        'JOB_TRANSACTION_TOO_LARGE',
        message('transaction-too-large', { parts: parts.length, bytes, most: maximumBytes }),
      )
    }
    if (parts.length > 0) await this.client.transact(parts)
  }

  /** Creates the folders that every transaction on a job state needs. */
  async ensureState(): Promise<void> {
    for (const folder of this.state.folders) {
      await isAccepted(this.client.create(folder, { parents: true }), 'REGISTRY_NODE_EXISTS')
    }
  }

  /** The registry's time in milliseconds. All stored times are in registry time. */
  async now(): Promise<number> {
    await this.#undisturbed(async () => {
      const begun = momentOf(this.clock)
      const { mtime } = await this.#touchClock()
      this.#time.observe(Number(mtime), begun)
    })
    return this.#time.now()
  }

  /**
   * The time for a change of this job. A job that only Java runs has no job state, so no time is stored and an estimate
   * is enough.
   */
  nowFor({ jobState }: JobView): Promise<number> {
    return jobState === undefined ? Promise.resolve(this.estimate()) : this.now()
  }

  /** The local time, corrected by the known offset of the registry's time. */
  estimate(): number {
    return this.#time.now()
  }

  async #touchClock(): Promise<Stat> {
    try {
      const [result] = await this.client.transact([part.set(this.#clockNode, '')])
      if (result?.stat !== undefined) return result.stat
    } catch (error) {
      if (!isRegistryError(error, 'REGISTRY_NO_NODE')) throw error
    }
    const create = (): Promise<Stat> => this.client.create(this.#clockNode, { mode: 'ephemeral' })
    try {
      return await create()
    } catch (error) {
      if (!isRegistryError(error, 'REGISTRY_NO_NODE')) throw error
    }
    await this.ensureState()
    return create()
  }

  /**
   * Performs an action that reads the registry and then changes it. Performs it again after a concurrent change or a
   * lost connection. The action must not repeat a change that is already made.
   */
  persist<T>(subject: Message, perform: () => Promise<T>): Promise<T> {
    return this.#undisturbed(perform, (error, attempt) => {
      if (!isLostRace(error)) throw error
      if (attempt >= attempts) throw contended(subject, error)
    })
  }

  /** Commits a plan. Plans again if another writer was faster or the connection was lost. */
  carryOut<P extends { readonly operations: readonly TransactionPart[] }>(
    subject: Message,
    plan: () => Promise<P>,
  ): Promise<P> {
    let uncertain: P | undefined
    return this.persist(subject, async () => {
      const planned = await plan()
      // The connection was lost before the reply and no change is left to make: the first attempt succeeded.
      if (planned.operations.length === 0) return uncertain ?? planned
      try {
        await this.commit(planned.operations)
      } catch (error) {
        if (isOutcomeUnknown(error)) uncertain = planned
        throw error
      }
      return planned
    })
  }

  /** Performs an idempotent action, again if the connection was lost. */
  async #undisturbed<T>(
    perform: () => Promise<T>,
    overtaken: (error: unknown, attempt: number) => void = rethrow,
  ): Promise<T> {
    let losses = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await perform()
      } catch (error) {
        if (isRegistryError(error, 'REGISTRY_DEADLINE_EXCEEDED')) throw unreachable(error)
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

/** Whether the connection or its session was lost and will be replaced. */
export function isDisturbance(error: unknown): boolean {
  return (
    isOutcomeUnknown(error) ||
    isRegistryError(
      error,
      'REGISTRY_NOT_CONNECTED',
      'REGISTRY_CONNECTION_LOSS',
      'REGISTRY_SESSION_EXPIRED',
    )
  )
}

function rethrow(error: unknown): never {
  throw error
}

/** Whether a node changed after the transaction was planned. */
function isLostRace(error: unknown): boolean {
  return isRegistryError(
    error,
    'REGISTRY_BAD_VERSION',
    'REGISTRY_NODE_EXISTS',
    'REGISTRY_NO_NODE',
    'REGISTRY_NOT_EMPTY',
  )
}

function contended(subject: Message, cause: unknown): ElasticJobError {
  return new ElasticJobError('JOB_CONFLICT', message('contention', { subject }), cause)
}

function unreachable(cause: unknown): ElasticJobError {
  return new ElasticJobError(
    'JOB_REGISTRY_UNREACHABLE',
    message('registry-connection-lost', { reason: messageOf(cause) }),
    cause,
  )
}
