import { ConfigurationError, type ErrorHandler } from '@elasticjob/core'

import type { Channel } from './channel.ts'
import { emailChannel } from './email/email.ts'
import { dingtalkService } from './http/dingtalk.ts'
import { httpChannel } from './http/http-channel.ts'
import { slackService } from './http/slack.ts'
import { webhookService } from './http/webhook.ts'
import { wechatService } from './http/wechat.ts'
import { Notifier } from './sending/notifier.ts'

export interface ErrorHandlersOptions {
  /**
   * Properties of every job of this process, such as `email.password`. They go before those that a job
   * has, and never get to the registry. Give an address beside its secret: whoever may write to the
   * registry could otherwise have the secret sent to another one.
   * @default {}
   */
  readonly props?: Readonly<Record<string, string | number | boolean | undefined>>
  /**
   * How many messages each handler of this process sends within a minute, whatever the number of jobs
   * that fail. What comes beyond waits for its turn.
   * @default 20
   */
  readonly messagesPerMinute?: number
}

export const errorHandlersDefaults: Readonly<Required<ErrorHandlersOptions>> = Object.freeze({
  props: Object.freeze({}),
  messagesPerMinute: 20,
})

/** EMAIL, with the properties `email.…`. */
export function emailHandler(options: ErrorHandlersOptions = {}): ErrorHandler {
  return notifier(emailChannel, options)
}

/** DINGTALK, with the properties `dingtalk.…`. */
export function dingtalkHandler(options: ErrorHandlersOptions = {}): ErrorHandler {
  return notifier(httpChannel(dingtalkService), options)
}

/** WECHAT, with the properties `wechat.…`. */
export function wechatHandler(options: ErrorHandlersOptions = {}): ErrorHandler {
  return notifier(httpChannel(wechatService), options)
}

/** SLACK, with the properties `slack.…`. */
export function slackHandler(options: ErrorHandlersOptions = {}): ErrorHandler {
  return notifier(httpChannel(slackService), options)
}

/** WEBHOOK, with the properties `webhook.…`. */
export function webhookHandler(options: ErrorHandlersOptions = {}): ErrorHandler {
  return notifier(httpChannel(webhookService), options)
}

/**
 * All of them.
 *
 * ```ts
 * const jobs = await ElasticJob.connect({ servers, namespace, errorHandlers: errorHandlers() })
 * ```
 */
export function errorHandlers(options: ErrorHandlersOptions = {}): readonly ErrorHandler[] {
  return [
    emailHandler(options),
    dingtalkHandler(options),
    wechatHandler(options),
    slackHandler(options),
    webhookHandler(options),
  ]
}

function notifier(channel: Channel, options: ErrorHandlersOptions): ErrorHandler {
  const { props, messagesPerMinute } = { ...errorHandlersDefaults, ...options }
  if (!(messagesPerMinute >= 1)) {
    throw new ConfigurationError(`the error handler ${channel.type}`, [
      { key: 'messagesPerMinute', message: `must be a number from 1 on, not ${messagesPerMinute}` },
    ])
  }
  const given = Object.entries(props).filter(([, value]) => value !== undefined)
  const fixed = Object.fromEntries(given.map(([key, value]) => [key, String(value)]))
  return new Notifier(channel, fixed, messagesPerMinute)
}
