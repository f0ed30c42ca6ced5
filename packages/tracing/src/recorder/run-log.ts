import type { LogLevel } from '@elasticjob/core'

import { addLine, type Entry, logEntry } from './entry.ts'
import type { HistoryQueue } from './history-queue.ts'

export interface LogLimits {
  /** The maximum number of characters stored for one run. */
  readonly runCharacters: number
  /** The maximum number of characters of one line. */
  readonly lineCharacters: number
}

/** Consecutive lines of one level are combined into chunks of about this many characters. */
const pieceCharacters = 8192

/** The output of one run, as chunks with consecutive numbers. */
export class RunLog {
  readonly #runId: string
  readonly #limits: LogLimits
  readonly #queue: HistoryQueue
  #sequence = 0
  #characters = 0
  #isFull = false
  #last: Entry | undefined

  constructor(runId: string, limits: LogLimits, queue: HistoryQueue) {
    this.#runId = runId
    this.#limits = limits
    this.#queue = queue
  }

  write(time: number, level: LogLevel, line: string): void {
    if (this.#isFull) return
    const { runCharacters } = this.#limits
    this.#characters += line.length + 1
    if (this.#characters <= runCharacters) {
      this.#append(time, level, line)
      return
    }
    this.#isFull = true
    const note = `This run wrote more than ${runCharacters} characters (logCharacters); the rest is not stored.`
    this.#append(time, 'warn', note)
  }

  #append(time: number, level: LogLevel, line: string): void {
    const last = this.#last
    const log = last?.log
    if (
      last?.state === 'queued' &&
      log?.stream === level &&
      log.text.length + line.length <= pieceCharacters
    ) {
      this.#queue.grow(last, (entry) => addLine(entry, log, line))
      return
    }
    const runId = this.#runId
    this.#last = logEntry({ runId, sequence: this.#sequence++, time, stream: level, text: line })
    this.#queue.add(this.#last)
  }
}
