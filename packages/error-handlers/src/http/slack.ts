import { noticeTextOf } from '../notice/notice-text.ts'
import { shorten } from '../notice/shorten.ts'
import { type HttpService, jsonHeaders, refusalByStatus } from './http-channel.ts'

/** Slack cuts longer texts into several messages. */
const mostBytes = 3_900
const mostHeadline = 900

/** An incoming webhook of Slack, or of what takes the same: Mattermost, Rocket.Chat, Discord's `/slack`. */
export const slackService: HttpService = {
  type: 'SLACK',
  prefix: 'slack',
  urlKey: 'slack.webhook',
  urlExample: 'https://hooks.slack.com/services/…',
  secretKeys: [],
  messageOf(notice, url) {
    const [first = '', ...details] = noticeTextOf(notice).split('\n')
    const headline = shorten(first, mostHeadline)
    const text = shorten(details.join('\n').trim(), mostBytes - Buffer.byteLength(headline))
    const content = `${escaped(headline)}\n\`\`\`\n${escaped(text)}\n\`\`\``
    return { url, headers: jsonHeaders, body: JSON.stringify({ text: content }) }
  },
  refusalOf: refusalByStatus,
}

/** What Slack would take for its own marks: a mention of everybody, the end of the code. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('```', "'''")
}
