import { ConfigurationError, type ErrorHandler } from '@elasticjob/core'

import type { Channel } from './channel.ts'
import { emailChannel } from './email/email.ts'
import { dingtalkService } from './http/dingtalk.ts'
import { httpChannel } from './http/http-channel.ts'
import { slackService } from './http/slack.ts'
import { webhookService } from './http/webhook.ts'
import { wechatService } from './http/wechat.ts'
import { Notifier } from './sending/notifier.ts'

/** The options of `errorHandlers()`. */
export interface ErrorHandlersOptions {
  /**
   * Properties for every job of this process, such as `email.password`. They take precedence over a job's own
   * properties, and are never stored in the registry. Set an address together with its secret: otherwise a
   * user with write access to the registry could send the secret to another address.
   * @default {}
   */
  readonly props?: Readonly<Record<string, string | number | boolean | undefined>>
  /**
   * The maximum number of messages per minute of each handler of this process, however many jobs fail.
   * Further messages wait.
   * @default 20
   */
  readonly messagesPerMinute?: number
}

/** The defaults of `ErrorHandlersOptions`. */
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
 * All error handlers.
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
      { key: 'messagesPerMinute', message: `must be a number ≥ 1, not ${messagesPerMinute}` },
    ])
  }
  const given = Object.entries(props).filter(([, value]) => value !== undefined)
  const fixed = Object.fromEntries(given.map(([key, value]) => [key, String(value)]))
  return new Notifier(channel, fixed, messagesPerMinute)
}
