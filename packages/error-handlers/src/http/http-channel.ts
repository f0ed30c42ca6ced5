/** Channels that POST to a secret URL. */
import type { Problem } from '@elasticjob/core'

import type { Channel } from '../channel.ts'
import { NotificationError } from '../errors.ts'
import type { Notification } from '../notification/notification.ts'
import {
  type IntegerProp,
  integerOf,
  problemsOfInteger,
  problemsOfUrl,
  type Props,
  textOf,
} from '../props.ts'
import { secretsOfUrl } from '../redact.ts'
import { type Answer, type Post, post } from './post.ts'

type Message = Pick<Post, 'url' | 'headers' | 'body'>

export interface HttpService {
  /** The name of the error handler. */
  readonly type: string
  /** The prefix of its properties. */
  readonly prefix: string
  /** The property with the URL. */
  readonly urlKey: string
  /** An example of the URL. */
  readonly urlExample: string
  /** Further secret properties. */
  readonly secretKeys: readonly string[]
  problemsOf?(props: Props): readonly Problem[]
  /** `now` is the time in milliseconds, for signatures. */
  messageOf(notification: Notification, url: string, props: Props, now: number): Message
  /** Why the service refused the message; undefined if it accepted it. */
  refusalOf(answer: Answer): string | undefined
}

export function httpChannel(service: HttpService): Channel {
  const { type, prefix, urlKey, urlExample, secretKeys } = service
  const connectTimeout: IntegerProp = {
    key: `${prefix}.connectTimeoutMilliseconds`,
    least: 1,
    byDefault: 3_000,
  }
  const readTimeout: IntegerProp = {
    key: `${prefix}.readTimeoutMilliseconds`,
    least: 1,
    byDefault: 5_000,
  }
  return {
    type,
    problemsOf: (props) => [
      ...problemsOfUrl(props, urlKey, urlExample),
      ...problemsOfInteger(props, connectTimeout),
      ...problemsOfInteger(props, readTimeout),
      ...(service.problemsOf?.(props) ?? []),
    ],
    secretsOf: (props) => [
      ...secretsOfUrl(textOf(props, urlKey) ?? ''),
      ...secretKeys.flatMap((key) => textOf(props, key) ?? []),
    ],
    async send(notification, props, { clock, signal }) {
      const url = textOf(props, urlKey) ?? ''
      const request = {
        ...service.messageOf(notification, url, props, clock.now()),
        connectTimeout: integerOf(props, connectTimeout),
        readTimeout: integerOf(props, readTimeout),
      }
      const answer = await post(request, signal, clock)
      const refusal = service.refusalOf(answer)
      if (refusal === undefined) return
      throw new NotificationError(
        'NOTIFICATION_REFUSED',
        `${new URL(url).host} answered ${refusal}`,
      )
    },
  }
}

export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'application/json; charset=utf-8',
})

/** How much of an answer appears in an error. */
const quotedLength = 300

function quoted({ status, body }: Answer): string {
  const answer = body.trim().slice(0, quotedLength)
  return answer === '' ? `${status}` : `${status}: ${answer}`
}

/** For services that report the outcome in the HTTP status. */
export function refusalByStatus(answer: Answer): string | undefined {
  return answer.status >= 200 && answer.status < 300 ? undefined : quoted(answer)
}

/** For services that report the outcome in `errcode`, as a number or as text. */
export function refusalByErrcode(answer: Answer): string | undefined {
  return answer.status === 200 && errcodeOf(answer.body) === '0' ? undefined : quoted(answer)
}

function errcodeOf(body: string): string | undefined {
  try {
    const { errcode } = JSON.parse(body) as { errcode?: unknown }
    return typeof errcode === 'number' || typeof errcode === 'string' ? String(errcode) : undefined
  } catch {
    return undefined
  }
}
