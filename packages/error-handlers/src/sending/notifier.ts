import type { ErrorContext, ErrorHandler, Problem, RunFailure } from '@elasticjob/core'

import type { Channel } from '../channel.ts'
import { errorTextOf } from '../notification/error-text.ts'
import { problemsOfInteger, type Props } from '../props.ts'
import { JobNotifier, interval } from './job-notifier.ts'
import { RateLimiter } from './rate-limiter.ts'

const stopping = 'the scheduler is stopping'

/** An error handler that sends notifications over a channel, several failures in one. */
export class Notifier implements ErrorHandler {
  readonly type: string
  readonly #channel: Channel
  readonly #fixed: Props
  readonly #rateLimiter: RateLimiter
  /** Knows when a job's last notification was sent; garbage-collected with the job. */
  readonly #jobNotifiers = new WeakMap<ErrorContext, JobNotifier>()
  /** Those with something to send. */
  readonly #open = new Set<JobNotifier>()

  /** `fixed`: properties that take precedence over every job's own. */
  constructor(channel: Channel, fixed: Props, messagesPerMinute: number) {
    this.type = channel.type
    this.#channel = channel
    this.#fixed = fixed
    this.#rateLimiter = new RateLimiter(messagesPerMinute)
  }

  problemsOf(props: Props): readonly Problem[] {
    const all = this.#withFixed(props)
    return [...this.#channel.problemsOf(all), ...problemsOfInteger(all, interval)]
  }

  /** Also logs every failure: a notification may be late, shortened or lost. */
  handle(failure: RunFailure, context: ErrorContext): void {
    const { jobName, shardingItem } = failure.run
    const { stack } = errorTextOf(failure.error)
    context.logger.error(`Job '${jobName}' shard ${shardingItem} failed: ${stack}`)
    const jobNotifier = this.#jobNotifierOf(context)
    this.#open.add(jobNotifier)
    jobNotifier.add(failure, this.#withFixed(context.props))
  }

  async stop(signal: AbortSignal): Promise<void> {
    const jobNotifiers = [...this.#open]
    const giveUp = (): void => {
      this.#rateLimiter.refuseAll(stopping)
      for (const jobNotifier of jobNotifiers) jobNotifier.giveUp(stopping)
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp)
    this.#rateLimiter.hurry(true)
    await Promise.all(jobNotifiers.map((jobNotifier) => jobNotifier.finish()))
    signal.removeEventListener('abort', giveUp)
    this.#rateLimiter.hurry(false)
  }

  #jobNotifierOf(context: ErrorContext): JobNotifier {
    const known = this.#jobNotifiers.get(context)
    if (known !== undefined) return known
    const jobNotifier: JobNotifier = new JobNotifier(
      this.#channel,
      context,
      this.#rateLimiter,
      () => this.#open.delete(jobNotifier),
    )
    this.#jobNotifiers.set(context, jobNotifier)
    return jobNotifier
  }

  #withFixed(props: Props): Props {
    return { ...props, ...this.#fixed }
  }
}
