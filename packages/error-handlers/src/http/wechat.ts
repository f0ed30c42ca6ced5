import { notificationTextOf } from '../notification/notification-text.ts'
import { shorten } from '../notification/shorten.ts'
import { type HttpService, jsonHeaders, refusalByErrcode } from './http-channel.ts'

/** WeChat Work refuses longer texts. */
const mostBytes = 2_048

/** A robot of a WeChat Work group. */
export const wechatService: HttpService = {
  type: 'WECHAT',
  prefix: 'wechat',
  urlKey: 'wechat.webhook',
  urlExample: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  secretKeys: [],
  messageOf: (notification, url) => ({
    url,
    headers: jsonHeaders,
    body: JSON.stringify({
      msgtype: 'text',
      text: { content: shorten(notificationTextOf(notification), mostBytes) },
    }),
  }),
  refusalOf: refusalByErrcode,
}
