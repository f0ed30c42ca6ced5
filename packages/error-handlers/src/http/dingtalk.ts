import { createHmac } from 'node:crypto'

import { notificationTextOf } from '../notification/notification-text.ts'
import { shorten } from '../notification/shorten.ts'
import { textOf } from '../props.ts'
import { type HttpService, jsonHeaders, refusalByErrcode } from './http-channel.ts'

/** DingTalk accepts 20,000 bytes per message; the rest is for the JSON around the text and for escapes. */
const mostBytes = 15_000

/** A robot of a DingTalk group. */
export const dingtalkService: HttpService = {
  type: 'DINGTALK',
  prefix: 'dingtalk',
  urlKey: 'dingtalk.webhook',
  urlExample: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  secretKeys: ['dingtalk.secret'],
  messageOf(notification, url, props, now) {
    const keyword = textOf(props, 'dingtalk.keyword')
    const secret = textOf(props, 'dingtalk.secret')
    const text = notificationTextOf(notification)
    // First in the text: a robot with a keyword drops messages without it.
    const content = shorten(keyword === undefined ? text : `${keyword} ${text}`, mostBytes)
    return {
      url: secret === undefined ? url : signed(url, secret, now),
      headers: jsonHeaders,
      body: JSON.stringify({ msgtype: 'text', text: { content } }),
    }
  },
  refusalOf: refusalByErrcode,
}

/** Adds the timestamp and the signature that a robot with a secret requires. */
function signed(url: string, secret: string, now: number): string {
  const signature = createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64')
  const link = url.includes('?') ? '&' : '?'
  return `${url}${link}timestamp=${now}&sign=${encodeURIComponent(signature)}`
}
