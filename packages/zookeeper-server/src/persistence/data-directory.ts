import type { Random } from '@elasticjob/zookeeper'
import { EventEmitter } from 'node:events'
import type {
  Durability,
  DurabilityListener,
  RecoveryTarget,
  SnapshotSource,
} from '../durability.ts'
import { DataDirectoryError } from '../errors.ts'
import type { Transaction } from '../transaction.ts'
import type { Directory } from './directory.ts'
import type { DataDirectoryEvents } from './events.ts'
import { type DirectoryLock, lockDirectory } from './lock.ts'
import { type LogListener, LogWriter } from './log-writer.ts'
import { logName, namesOf, snapshotName } from './names.ts'
import {
  type DataDirectoryOptions,
  type ResolvedDataDirectoryOptions,
  resolveDataDirectoryOptions,
} from './options.ts'
import { readNames, type RecoveredState, readState, removeUnfinished, tidyUp } from './recovery.ts'
import { planRetention } from './retention.ts'
import { Segment } from './segment.ts'
import { writeSnapshot, type WrittenSnapshot } from './snapshot-file.ts'

/** The state of a server in a directory: a transaction log and periodic snapshots. */
export class DataDirectory implements Durability, LogListener {
  readonly events: EventEmitter<DataDirectoryEvents> = new EventEmitter()
  readonly #directory: Directory
  readonly #options: ResolvedDataDirectoryOptions
  readonly #random: Pick<Random, 'bytes'>
  readonly #closing = new AbortController()
  #lock: DirectoryLock | undefined
  #log: LogWriter | undefined
  #directoryId = 0n
  #source: SnapshotSource | undefined
  #listener: DurabilityListener | undefined
  #durableZxid = 0
  /** The number of transactions appended since the last snapshot began. */
  #transactions = 0
  #bytes = 0
  #snapshotting: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(directory: Directory, options: DataDirectoryOptions, random: Pick<Random, 'bytes'>) {
    this.#directory = directory
    this.#options = resolveDataDirectoryOptions(options)
    this.#random = random
  }

  get durableZxid(): number {
    return this.#durableZxid
  }

  async recover(target: RecoveryTarget): Promise<void> {
    await this.#directory.make()
    this.#lock = await lockDirectory(this.#directory)
    try {
      for (const pid of this.#lock.inheritedFrom) this.events.emit('lock:inherited', { pid })
      await this.#recover(target)
    } catch (error) {
      await this.close()
      throw error
    }
  }

  start(source: SnapshotSource, listener: DurabilityListener): void {
    this.#source = source
    this.#listener = listener
  }

  append(transaction: Transaction): void {
    this.#log?.append(transaction)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  written(zxid: number, bytes: number): void {
    this.#transactions += zxid - this.#durableZxid
    this.#bytes += bytes
    this.#durableZxid = zxid
    this.#listener?.durable(zxid)
    this.#takeSnapshotIfDue()
  }

  failed(error: Error): void {
    const { path } = this.#directory
    this.#listener?.failed(
      new DataDirectoryError(
        'ZKS_DATA_DIR_WRITE_FAILED',
        `cannot write to ${path}: ${error.message}. Acknowledged writes are safe; ` +
          'fix the cause (space, permissions, the disk) and start the server again',
        { cause: error },
      ),
    )
  }

  async #recover(target: RecoveryTarget): Promise<void> {
    const directory = this.#directory
    const { acceptDataLoss, fsync } = this.#options
    const names = await readNames(directory)
    const state = await readState(directory, names, target, acceptDataLoss)
    // Only after everything was read: a refused directory stays unchanged.
    await removeUnfinished(directory)
    const segment = await (state === undefined ? this.#begin() : this.#goOn(state))
    const options = { directory, directoryId: this.#directoryId, fsync }
    this.#log = new LogWriter(options, this, segment, this.#durableZxid)
  }

  /** Creates the first log file of an empty directory. */
  #begin(): Promise<Segment> {
    this.#directoryId = Buffer.from(this.#random.bytes(8)).readBigInt64BE()
    return Segment.create(this.#directory, this.#directoryId, 1)
  }

  async #goOn(state: RecoveredState): Promise<Segment> {
    const { log } = state
    const { snapshots, loss } = await tidyUp(this.#directory, state)
    if (loss !== undefined) this.events.emit('data:lost', loss)
    else if (log.tornTail !== undefined) this.events.emit('log:cut', log.tornTail)
    for (const snapshot of snapshots) this.events.emit('snapshot:set-aside', snapshot)
    this.#directoryId = log.directoryId
    this.#durableZxid = log.lastZxid
    this.#transactions = log.transactions
    this.#bytes = log.bytes
    return Segment.open(this.#directory, log.directoryId, log.firstZxid, log.size)
  }

  #takeSnapshotIfDue(): void {
    if (this.#snapshotting !== undefined || this.#closing.signal.aborted) return
    const { snapshotAfterTransactions, snapshotAfterBytes } = this.#options
    if (this.#transactions < snapshotAfterTransactions && this.#bytes < snapshotAfterBytes) return
    this.#snapshotting = this.#takeSnapshot()
  }

  async #takeSnapshot(): Promise<void> {
    this.#transactions = 0
    this.#bytes = 0
    try {
      const taken = await this.#snapshot()
      await this.#removeDispensable()
      this.events.emit('snapshot:taken', taken)
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.events.emit('snapshot:failed', { error: error as Error })
      }
    }
    this.#snapshotting = undefined
    // The log may already be due for another snapshot.
    this.#takeSnapshotIfDue()
  }

  async #snapshot(): Promise<WrittenSnapshot> {
    const log = this.#log as LogWriter
    const snapshot = (this.#source as SnapshotSource).snapshot()
    const { zxid } = snapshot
    if (zxid !== log.lastZxid) {
      throw new Error(`the state is at transaction ${zxid}, the log at ${log.lastZxid}`)
    }
    // In the same turn: the log after a snapshot begins with a file of its own.
    await log.rotate()
    const { signal } = this.#closing
    return writeSnapshot(this.#directory, this.#directoryId, snapshot, log, signal)
  }

  async #removeDispensable(): Promise<void> {
    const files = await this.#directory.list()
    const { snapshots, logs } = planRetention(namesOf(files), this.#options.keepSnapshots)
    for (const zxid of snapshots) await this.#directory.remove(snapshotName(zxid))
    for (const zxid of logs) await this.#directory.remove(logName(zxid))
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    await this.#snapshotting
    await this.#log?.close()
    await this.#lock?.release()
  }
}
