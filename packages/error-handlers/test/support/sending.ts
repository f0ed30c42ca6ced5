import { systemClock } from '@elasticjob/zookeeper'

import { httpChannel, type HttpService } from '../../src/http/http-channel.ts'
import type { Notice } from '../../src/notice/notice.ts'
import type { Props } from '../../src/props.ts'
import { failureOf, noticeOf } from './failures.ts'
import type { Answering, HookServer, Received } from './hook-server.ts'

export const someNotice: Notice = noticeOf(failureOf(new Error('no luck <today>')))
export const longNotice: Notice = noticeOf(failureOf(new Error('作业失败了'.repeat(10_000))))

/** Sends a notice to a server; answers what has arrived there. */
export async function sendTo(
  hook: HookServer,
  service: HttpService,
  props: Props = {},
  notice: Notice = someNotice,
): Promise<Received> {
  const all = { [service.urlKey]: hook.url('/hook?token=abc'), ...props }
  const { signal } = new AbortController()
  await httpChannel(service).send(notice, all, { clock: systemClock, signal, log: () => {} })
  return hook.received.at(-1) as Received
}

/** As robots answer that have taken a message. */
export const accepting: Answering = (response) => response.end('{"errcode":0,"errmsg":"ok"}')

export function textIn({ body }: Received): string {
  const { text } = JSON.parse(body) as { text: string | { content: string } }
  return typeof text === 'string' ? text : text.content
}
