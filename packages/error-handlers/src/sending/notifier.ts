import type { ErrorContext, ErrorHandler, Problem, RunFailure } from '@elasticjob/core'

import type { Channel } from '../channel.ts'
import { errorTextOf } from '../notice/error-text.ts'
import { problemsOfInteger, type Props } from '../props.ts'
import { Desk, interval } from './desk.ts'
import { Turns } from './turns.ts'

const stopping = 'the scheduler is stopping'

/** An error handler that tells people, over a channel, of all failures and not of each. */
export class Notifier implements ErrorHandler {
  readonly type: string
  readonly #channel: Channel
  readonly #fixed: Props
  readonly #turns: Turns
  /** A job's desk knows when it has sent for the last time; it goes when the job does. */
  readonly #desks = new WeakMap<ErrorContext, Desk>()
  /** Those that have something to tell. */
  readonly #open = new Set<Desk>()

  /** `fixed`: properties that every job has, whatever its own say. */
  constructor(channel: Channel, fixed: Props, messagesPerMinute: number) {
    this.type = channel.type
    this.#channel = channel
    this.#fixed = fixed
    this.#turns = new Turns(messagesPerMinute)
  }

  problemsOf(props: Props): readonly Problem[] {
    const all = this.#withFixed(props)
    return [...this.#channel.problemsOf(all), ...problemsOfInteger(all, interval)]
  }

  /** Also to the log, and there with every failure: a message may come late, be short, or not come. */
  handle(failure: RunFailure, context: ErrorContext): void {
    const { jobName, shardingItem } = failure.run
    const { stack } = errorTextOf(failure.error)
    context.logger.error(`Job '${jobName}' item ${shardingItem} failed: ${stack}`)
    const desk = this.#deskOf(context)
    this.#open.add(desk)
    desk.add(failure, this.#withFixed(context.props))
  }

  async stop(signal: AbortSignal): Promise<void> {
    const desks = [...this.#open]
    const giveUp = (): void => {
      this.#turns.refuseAll(stopping)
      for (const desk of desks) desk.giveUp(stopping)
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp)
    this.#turns.hurry(true)
    await Promise.all(desks.map((desk) => desk.finish()))
    signal.removeEventListener('abort', giveUp)
    this.#turns.hurry(false)
  }

  #deskOf(context: ErrorContext): Desk {
    const known = this.#desks.get(context)
    if (known !== undefined) return known
    const desk: Desk = new Desk(this.#channel, context, this.#turns, () => this.#open.delete(desk))
    this.#desks.set(context, desk)
    return desk
  }

  #withFixed(props: Props): Props {
    return { ...props, ...this.#fixed }
  }
}
