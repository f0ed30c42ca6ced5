import { noticeTextOf } from '../notice/notice-text.ts'
import { shorten } from '../notice/shorten.ts'
import { type HttpService, jsonHeaders, refusalByErrcode } from './http-channel.ts'

/** WeChat Work refuses texts that are longer. */
const mostBytes = 2_048

/** A robot of a WeChat Work group. */
export const wechatService: HttpService = {
  type: 'WECHAT',
  prefix: 'wechat',
  urlKey: 'wechat.webhook',
  urlExample: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  secretKeys: [],
  messageOf: (notice, url) => ({
    url,
    headers: jsonHeaders,
    body: JSON.stringify({
      msgtype: 'text',
      text: { content: shorten(noticeTextOf(notice), mostBytes) },
    }),
  }),
  refusalOf: refusalByErrcode,
}
