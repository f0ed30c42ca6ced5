import type { Clock, ErrorContext, RunFailure, Timer } from '@elasticjob/core'

import type { Channel } from '../channel.ts'
import { detailOf, NotificationError, type NotificationErrorCode } from '../errors.ts'
import { Batch } from '../notification/batch.ts'
import type { Notification } from '../notification/notification.ts'
import { type IntegerProp, integerOf, type Props } from '../props.ts'
import { redact } from '../redact.ts'
import type { RateLimiter, Waiting } from './rate-limiter.ts'

/** The minimum interval between two messages about a job; failures in between are part of the second one. */
export const interval: IntegerProp = {
  key: 'error.interval.milliseconds',
  least: 0,
  byDefault: 60_000,
}

/** Limits a send to a server that always answers just in time but never finishes. */
const sendLimit = 60_000

/** Sends the notifications of one job: one at a time, and one per interval. Nothing is sent twice. */
export class JobNotifier implements Waiting {
  readonly #channel: Channel
  readonly #context: ErrorContext
  readonly #rateLimiter: RateLimiter
  readonly #idle: () => void
  #jobName = ''
  #props: Props = {}
  #batch = new Batch()
  /** The number of failures whose notification could not be sent. */
  #untold = 0
  #begun: number | undefined
  #timer: Timer | undefined
  #isBusy = false
  #cut: ((error: NotificationError) => void) | undefined
  /** The callers that wait until everything is sent; meanwhile there are no pauses. */
  readonly #finished: (() => void)[] = []

  /** `idle` is called whenever there is nothing to send. */
  constructor(channel: Channel, context: ErrorContext, rateLimiter: RateLimiter, idle: () => void) {
    this.#channel = channel
    this.#context = context
    this.#rateLimiter = rateLimiter
    this.#idle = idle
  }

  get clock(): Clock {
    return this.#context.clock
  }

  /** `props` are the properties of the failure; a pending notification is sent with the latest ones. */
  add(failure: RunFailure, props: Props): void {
    this.#jobName = failure.run.jobName
    this.#props = props
    this.#batch.add(failure, this.clock.now())
    this.#look()
  }

  /** Sends everything pending without a pause; resolves when nothing is left. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.#finished.push(resolve)
      this.#look()
    })
  }

  /** Drops everything pending. */
  giveUp(reason: string): void {
    this.#dropBatch(reason)
    this.#cut?.(new NotificationError('NOTIFICATION_UNSENT', reason))
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
      await this.#transmit(batch.notificationFor(this.#jobName, this.#untold), props)
      this.#untold = 0
    } catch (error) {
      const code = error instanceof NotificationError ? error.code : 'NOTIFICATION_UNREACHABLE'
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
      this.#rateLimiter.take(this)
    }
  }

  #pause(): number {
    if (this.#finished.length > 0 || this.#begun === undefined) return 0
    return this.#begun + integerOf(this.#props, interval) - this.clock.monotonic()
  }

  async #transmit(notification: Notification, props: Props): Promise<void> {
    const { logger, clock } = this.#context
    const secrets = this.#channel.secretsOf(props)
    const subject = `${this.#channel.type} of job '${notification.jobName}'`
    const ending = new AbortController()
    const late = `not sent within ${sendLimit / 1000} seconds`
    const timer = clock.setTimer(
      () => this.#cut?.(new NotificationError('NOTIFICATION_UNREACHABLE', late)),
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
      await Promise.race([this.#channel.send(notification, props, sending), wasCut])
    } finally {
      timer.cancel()
      this.#cut = undefined
    }
  }

  #dropBatch(reason: string): void {
    const { count } = this.#batch
    this.#batch = new Batch()
    if (count > 0) this.#failed('NOTIFICATION_UNSENT', count, reason)
  }

  #failed(code: NotificationErrorCode, count: number, reason: string): void {
    this.#untold += count
    const { type } = this.#channel
    const failures = count === 1 ? 'a failure' : `${count} failures`
    const message = `${type} could not send the notification of ${failures} of job '${this.#jobName}': ${reason}`
    this.#context.report(new NotificationError(code, message))
  }
}
