/** Follows one run and its log by polling: a database does not report changes. */
import { maskTexts } from '@elasticjob/core/internal'
import type { HistoryStore } from '@elasticjob/tracing'

import type { RunHistory } from '../../contract/history.ts'
import { failedAnswer } from '../http/failures.ts'
import type { LiveEvent } from './event-writer.ts'

export interface FollowedRun {
  readonly runId: string
  /** Only chunks after this sequence number. */
  readonly after: number | undefined
  readonly open: () => Promise<HistoryStore>
  readonly describe: (history: HistoryStore, runId: string) => Promise<RunHistory | undefined>
}

const piecesAtOnce = 1000

export class RunFollower {
  readonly #run: FollowedRun
  #after: number | undefined
  #told: string | undefined
  #problem: string | undefined
  #isOver = false

  constructor(run: FollowedRun) {
    this.#run = run
    this.#after = run.after
  }

  /** Whether the run has ended and its log is complete. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The changes since the last call. */
  async news(): Promise<LiveEvent[]> {
    try {
      const events = await this.#ask()
      this.#problem = undefined
      return events
    } catch (error) {
      const { code, message, messageParts } = failedAnswer(error).body.error
      if (this.#problem === message) return []
      this.#problem = message
      return [event('problem', { topic: 'run', code, message, messageParts })]
    }
  }

  async #ask(): Promise<LiveEvent[]> {
    const { runId, open, describe } = this.#run
    const history = await open()
    // Reads the run before its log: if the run has ended and the log is read to its end, nothing can follow.
    const found = await describe(history, runId)
    const request = this.#after === undefined ? {} : { after: this.#after }
    const { chunks, hasMore } = await history.log(runId, { ...request, limit: piecesAtOnce })
    const events: LiveEvent[] = []
    const told = JSON.stringify(
      maskTexts({ runId, ...(found === undefined ? {} : { history: found }) }),
    )
    if (told !== this.#told) events.push({ name: 'run', data: told })
    this.#told = told
    if (chunks.length > 0) {
      this.#after = chunks.at(-1)?.sequence
      const pieces = chunks.map(({ sequence, time, stream, text }) => ({
        sequence,
        time,
        stream,
        text,
      }))
      events.push(event('log', { runId, chunks: pieces }))
    }
    this.#isOver =
      found !== undefined &&
      found.execution.outcome !== 'running' &&
      !hasMore &&
      chunks.length === 0
    return events
  }
}

function event(name: LiveEvent['name'], data: unknown): LiveEvent {
  return { name, data: JSON.stringify(maskTexts(data)) }
}
