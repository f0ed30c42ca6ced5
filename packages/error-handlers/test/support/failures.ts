import type { Clock, ErrorContext, RunFailure, RunReference } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'

import { Batch } from '../../src/notification/batch.ts'
import type { Notification } from '../../src/notification/notification.ts'

const someRun: RunReference = {
  jobName: 'sync-orders',
  instance: '10.0.1.1@-@17',
  shardingItem: 3,
  runId: 'Zm9vYmFyYmF6',
  source: 'cron',
  fireTime: Date.parse('2026-01-01T00:00:00Z'),
  attempt: 1,
  manualRun: undefined,
  fencingToken: undefined,
  claimedAt: Date.parse('2026-01-01T00:00:00Z'),
  takenOver: undefined,
}

export function failureOf(error: unknown, run: Partial<RunReference> = {}): RunFailure {
  return { run: { ...someRun, ...run }, error }
}

export function notificationOf(...failures: readonly RunFailure[]): Notification {
  const batch = new Batch()
  for (const failure of failures) batch.add(failure, someRun.fireTime)
  return batch.notificationFor(someRun.jobName, 0)
}

/** The context of a handler, which records its calls. */
export class RecordingContext implements ErrorContext {
  props: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly lines: string[] = []
  readonly reported: unknown[] = []
  readonly #waiting: ((error: unknown) => void)[] = []

  constructor(props: Readonly<Record<string, string>> = {}, clock: Clock = systemClock) {
    this.props = props
    this.clock = clock
  }

  readonly logger = {
    debug: (line: string) => void this.lines.push(line),
    info: (line: string) => void this.lines.push(line),
    warn: (line: string) => void this.lines.push(line),
    error: (line: string) => void this.lines.push(line),
  }

  readonly report = (error: unknown): void => {
    this.reported.push(error)
    for (const resolve of this.#waiting.splice(0)) resolve(error)
  }

  /** The next reported error. */
  nextReport(): Promise<unknown> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
