import { systemClock } from '@elasticjob/core/internal'

import { httpChannel, type HttpService } from '../../src/http/http-channel.ts'
import type { Notification } from '../../src/notification/notification.ts'
import type { Props } from '../../src/props.ts'
import { failureOf, notificationOf } from './failures.ts'
import type { Answering, HookServer, Received } from './hook-server.ts'

export const someNotification: Notification = notificationOf(
  failureOf(new Error('no luck <today>')),
)
export const longNotification: Notification = notificationOf(
  failureOf(new Error('作业失败了'.repeat(10_000))),
)

/** Sends a notification to a server; returns what has arrived there. */
export async function sendTo(
  hook: HookServer,
  service: HttpService,
  props: Props = {},
  notification: Notification = someNotification,
): Promise<Received> {
  const all = { [service.urlKey]: hook.url('/hook?token=abc'), ...props }
  const { signal } = new AbortController()
  await httpChannel(service).send(notification, all, { clock: systemClock, signal, log: () => {} })
  return hook.received.at(-1) as Received
}

/** The answer of a robot that has accepted a message. */
export const accepting: Answering = (response) => response.end('{"errcode":0,"errmsg":"ok"}')

export function textIn({ body }: Received): string {
  const { text } = JSON.parse(body) as { text: string | { content: string } }
  return typeof text === 'string' ? text : text.content
}
