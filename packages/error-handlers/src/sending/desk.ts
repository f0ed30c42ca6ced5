import type { ErrorContext, RunFailure } from '@elasticjob/core'
import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { Channel } from '../channel.ts'
import { detailOf, NoticeError, type NoticeErrorCode } from '../errors.ts'
import { Batch } from '../notice/batch.ts'
import type { Notice } from '../notice/notice.ts'
import { type IntegerProp, integerOf, type Props } from '../props.ts'
import { redact } from '../redact.ts'
import type { Turns, Waiting } from './turns.ts'

/** The pause between two messages about a job; what fails meanwhile is told in the second one. */
export const interval: IntegerProp = {
  key: 'error.interval.milliseconds',
  least: 0,
  byDefault: 60_000,
}

/** A server that answers too slowly for ever, but never too slowly at once, is given up then. */
const sendLimit = 60_000

/** The messages about one job: one at a time, and one in an interval. Nothing is sent a second time. */
export class Desk implements Waiting {
  readonly #channel: Channel
  readonly #context: ErrorContext
  readonly #turns: Turns
  readonly #idle: () => void
  #jobName = ''
  #props: Props = {}
  #batch = new Batch()
  /** Failures that people should have heard of, and have not. */
  #untold = 0
  #begun: number | undefined
  #timer: Timer | undefined
  #isBusy = false
  #cut: ((error: NoticeError) => void) | undefined
  /** Who waits for it to have told everything: then there are no pauses. */
  readonly #finished: (() => void)[] = []

  /** `idle` is called whenever it has nothing to tell. */
  constructor(channel: Channel, context: ErrorContext, turns: Turns, idle: () => void) {
    this.#channel = channel
    this.#context = context
    this.#turns = turns
    this.#idle = idle
  }

  get clock(): Clock {
    return this.#context.clock
  }

  /** `props`: those that hold for the failure; what waits is sent with the latest ones. */
  add(failure: RunFailure, props: Props): void {
    this.#jobName = failure.run.jobName
    this.#props = props
    this.#batch.add(failure, this.clock.now())
    this.#look()
  }

  /** Tells what there is to tell without a pause; resolves when nothing is left. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.#finished.push(resolve)
      this.#look()
    })
  }

  /** Tells nothing more. */
  giveUp(reason: string): void {
    this.#dropBatch(reason)
    this.#cut?.(new NoticeError('NOTICE_UNSENT', reason))
  }

  refuse(reason: string): void {
    this.#isBusy = false
    this.#dropBatch(reason)
    this.#look()
  }

  async send(): Promise<void> {
    const batch = this.#batch
    const props = this.#props
    this.#batch = new Batch()
    this.#begun = this.clock.monotonic()
    try {
      await this.#transmit(batch.noticeFor(this.#jobName, this.#untold), props)
      this.#untold = 0
    } catch (error) {
      const code = error instanceof NoticeError ? error.code : 'NOTICE_UNREACHABLE'
      this.#failed(code, batch.count, redact(detailOf(error), this.#channel.secretsOf(props)))
    }
    this.#isBusy = false
    this.#look()
  }

  #look(): void {
    this.#timer?.cancel()
    if (this.#isBusy) return
    if (this.#batch.count === 0) {
      this.#idle()
      for (const finished of this.#finished.splice(0)) finished()
      return
    }
    const pause = this.#pause()
    if (pause > 0) {
      this.#timer = this.clock.setTimer(() => this.#look(), pause)
    } else {
      this.#isBusy = true
      this.#turns.take(this)
    }
  }

  #pause(): number {
    if (this.#finished.length > 0 || this.#begun === undefined) return 0
    return this.#begun + integerOf(this.#props, interval) - this.clock.monotonic()
  }

  async #transmit(notice: Notice, props: Props): Promise<void> {
    const { logger, clock } = this.#context
    const secrets = this.#channel.secretsOf(props)
    const subject = `${this.#channel.type} of job '${notice.jobName}'`
    const ending = new AbortController()
    const late = `not done within ${sendLimit / 1000} seconds`
    const timer = clock.setTimer(
      () => this.#cut?.(new NoticeError('NOTICE_UNREACHABLE', late)),
      sendLimit,
    )
    const wasCut = new Promise<never>((_, reject) => {
      this.#cut = (error) => {
        reject(error)
        ending.abort(error)
      }
    })
    const sending = {
      clock,
      signal: ending.signal,
      log: (line: string) => logger.info(`${subject}: ${redact(line, secrets)}`),
    }
    try {
      await Promise.race([this.#channel.send(notice, props, sending), wasCut])
    } finally {
      timer.cancel()
      this.#cut = undefined
    }
  }

  #dropBatch(reason: string): void {
    const { count } = this.#batch
    this.#batch = new Batch()
    if (count > 0) this.#failed('NOTICE_UNSENT', count, reason)
  }

  #failed(code: NoticeErrorCode, count: number, reason: string): void {
    this.#untold += count
    const { type } = this.#channel
    const failures = count === 1 ? 'a failure' : `${count} failures`
    const message = `${type} has not told of ${failures} of job '${this.#jobName}': ${reason}`
    this.#context.report(new NoticeError(code, message))
  }
}
