import { notificationTextOf } from '../notification/notification-text.ts'
import { shorten } from '../notification/shorten.ts'
import { type HttpService, jsonHeaders, refusalByStatus } from './http-channel.ts'

/** Slack splits longer texts into several messages. */
const mostBytes = 3_900
const mostHeadline = 900

/** An incoming webhook of Slack, or of compatible services: Mattermost, Rocket.Chat, Discord's `/slack`. */
export const slackService: HttpService = {
  type: 'SLACK',
  prefix: 'slack',
  urlKey: 'slack.webhook',
  urlExample: 'https://hooks.slack.com/services/…',
  secretKeys: [],
  messageOf(notification, url) {
    const [first = '', ...details] = notificationTextOf(notification).split('\n')
    const headline = shorten(first, mostHeadline)
    const text = shorten(details.join('\n').trim(), mostBytes - Buffer.byteLength(headline))
    const content = `${escaped(headline)}\n\`\`\`\n${escaped(text)}\n\`\`\``
    return { url, headers: jsonHeaders, body: JSON.stringify({ text: content }) }
  },
  refusalOf: refusalByStatus,
}

/** Escapes Slack's markup: mentions, and the end of a code block. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('```', "'''")
}
