import { HistoryError } from '../../src/errors.ts'
import type {
  HistoryStore,
  RetentionPolicy,
  RetentionResult,
  WriteResult,
} from '../../src/store/history-store.ts'
import type {
  Batch,
  ExecutionRecord,
  LogChunk,
  LostRun,
  RunRecord,
  StatusRecord,
} from '../../src/store/records.ts'

const nobody = (): never => {
  throw new Error('nobody asks this store')
}

/** A store in memory that can be made to fail. */
export class MemoryStore implements HistoryStore {
  readonly description = 'memory'
  readonly batches: Batch[] = []
  readonly executed = new Map<string, ExecutionRecord>()
  readonly runs = new Map<string, RunRecord>()
  readonly statuses: StatusRecord[] = []
  readonly logs: LogChunk[] = []
  readonly lost: LostRun[] = []
  /** The number of write attempts. */
  attempts = 0
  isClosed = false
  policies: RetentionPolicy[] = []
  retention: () => Promise<RetentionResult> = () =>
    Promise.resolve({ hasRun: true, executions: 0, statuses: 0, logChunks: 0 })
  readonly #last = new Map<string, number>()
  #trouble: 'none' | 'down' | 'hangs' | 'answers-lost' = 'none'
  #release: (() => void)[] = []

  down(): void {
    this.#trouble = 'down'
  }

  /** Writes wait until it recovers. */
  hang(): void {
    this.#trouble = 'hangs'
  }

  /** It writes, but the answers are lost. */
  loseAnswers(): void {
    this.#trouble = 'answers-lost'
  }

  recover(): void {
    this.#trouble = 'none'
    for (const release of this.#release.splice(0)) release()
  }

  async writeBatch(batch: Batch): Promise<WriteResult> {
    this.attempts++
    if (this.#trouble === 'hangs') {
      await new Promise<void>((resolve) => {
        this.#release.push(resolve)
      })
    }
    if (this.#trouble === 'down') throw new HistoryError('HISTORY_UNREACHABLE', 'it is down')
    if (batch.logs.some(({ text }) => text.includes('poison'))) {
      throw new HistoryError('HISTORY_RECORD_INVALID', 'there is poison in it')
    }
    const isNew = this.#write(batch)
    if (this.#trouble === 'answers-lost') throw new HistoryError('HISTORY_UNREACHABLE', 'cut off')
    return { isNew }
  }

  #write(batch: Batch): boolean {
    if (batch.sequence <= (this.#last.get(batch.writer) ?? 0)) return false
    this.#last.set(batch.writer, batch.sequence)
    this.batches.push(batch)
    for (const one of batch.executions) this.executed.set(one.id, one)
    for (const one of batch.runs) this.runs.set(one.runId, one)
    this.statuses.push(...batch.statuses)
    this.logs.push(...batch.logs)
    this.lost.push(...batch.lost)
    return true
  }

  async retain(policy: RetentionPolicy): Promise<RetentionResult> {
    this.policies.push(policy)
    return this.retention()
  }

  close(): Promise<void> {
    this.isClosed = true
    return Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  readonly closeAsLost = nobody
  readonly executions = nobody
  readonly statusChanges = nobody
  readonly run = nobody
  readonly log = nobody
  readonly timeline = nobody
  readonly statistics = nobody
  readonly jobTotals = nobody
  readonly jobNames = nobody
}
