/** Channels that are a POST to an address which is a secret. */
import type { Problem } from '@elasticjob/core'

import type { Channel } from '../channel.ts'
import { NoticeError } from '../errors.ts'
import type { Notice } from '../notice/notice.ts'
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
  /** What its properties begin with. */
  readonly prefix: string
  /** The property that has the address. */
  readonly urlKey: string
  /** What such an address looks like. */
  readonly urlExample: string
  /** Further properties that nobody may read. */
  readonly secretKeys: readonly string[]
  problemsOf?(props: Props): readonly Problem[]
  /** `now`: the time, in milliseconds, for what is signed with it. */
  messageOf(notice: Notice, url: string, props: Props, now: number): Message
  /** Why the service has not taken the message; undefined if it has. */
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
    async send(notice, props, { clock, signal }) {
      const url = textOf(props, urlKey) ?? ''
      const request = {
        ...service.messageOf(notice, url, props, clock.now()),
        connectTimeout: integerOf(props, connectTimeout),
        readTimeout: integerOf(props, readTimeout),
      }
      const answer = await post(request, signal, clock)
      const refusal = service.refusalOf(answer)
      if (refusal === undefined) return
      throw new NoticeError('NOTICE_REFUSED', `${new URL(url).host} answered ${refusal}`)
    },
  }
}

export const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'application/json; charset=utf-8',
})

/** How much of an answer is worth repeating. */
const quotedLength = 300

function quoted({ status, body }: Answer): string {
  const said = body.trim().slice(0, quotedLength)
  return said === '' ? `${status}` : `${status}: ${said}`
}

/** Services for which the status says it all. */
export function refusalByStatus(answer: Answer): string | undefined {
  return answer.status >= 200 && answer.status < 300 ? undefined : quoted(answer)
}

/** Services that say in `errcode` whether they have taken a message, as a number or as text. */
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
