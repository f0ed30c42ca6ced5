import { createHmac } from 'node:crypto'

import { noticeTextOf } from '../notice/notice-text.ts'
import { shorten } from '../notice/shorten.ts'
import { textOf } from '../props.ts'
import { type HttpService, jsonHeaders, refusalByErrcode } from './http-channel.ts'

/** DingTalk takes 20,000 bytes a message; the rest is for what is around the text, and for escapes. */
const mostBytes = 15_000

/** A robot of a DingTalk group. */
export const dingtalkService: HttpService = {
  type: 'DINGTALK',
  prefix: 'dingtalk',
  urlKey: 'dingtalk.webhook',
  urlExample: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  secretKeys: ['dingtalk.secret'],
  messageOf(notice, url, props, now) {
    const keyword = textOf(props, 'dingtalk.keyword')
    const secret = textOf(props, 'dingtalk.secret')
    const text = noticeTextOf(notice)
    // First of all: a robot that is guarded by a keyword drops what does not have it.
    const content = shorten(keyword === undefined ? text : `${keyword} ${text}`, mostBytes)
    return {
      url: secret === undefined ? url : signed(url, secret, now),
      headers: jsonHeaders,
      body: JSON.stringify({ msgtype: 'text', text: { content } }),
    }
  },
  refusalOf: refusalByErrcode,
}

/** The address with the time and its signature, which a robot that is guarded by a secret asks for. */
function signed(url: string, secret: string, now: number): string {
  const signature = createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64')
  const link = url.includes('?') ? '&' : '?'
  return `${url}${link}timestamp=${now}&sign=${encodeURIComponent(signature)}`
}
