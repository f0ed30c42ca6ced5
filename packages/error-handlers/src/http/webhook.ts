import { createHmac } from 'node:crypto'
import { validateHeaderValue } from 'node:http'

import type { Problem } from '@elasticjob/core'

import { notificationTextOf } from '../notification/notification-text.ts'
import type { Notification } from '../notification/notification.ts'
import { type Props, textOf } from '../props.ts'
import { type HttpService, jsonHeaders, refusalByStatus } from './http-channel.ts'

const tokenKey = 'webhook.token'
const secretKey = 'webhook.secret'

/** Any service that accepts JSON. */
export const webhookService: HttpService = {
  type: 'WEBHOOK',
  prefix: 'webhook',
  urlKey: 'webhook.url',
  urlExample: 'https://alerts.example.com/jobs',
  secretKeys: [tokenKey, secretKey],
  problemsOf: (props) => problemsOfToken(props),
  messageOf(notification, url, props, now) {
    const body = JSON.stringify(payloadOf(notification))
    return { url, headers: { ...jsonHeaders, ...proofOf(body, props, now) }, body }
  },
  refusalOf: refusalByStatus,
}

/** The headers that authenticate the sender: a token, or a signature of the timestamp and the body. */
function proofOf(body: string, props: Props, now: number): Record<string, string> {
  const token = textOf(props, tokenKey)
  const secret = textOf(props, secretKey)
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(secret === undefined
      ? {}
      : {
          'ElasticJob-Timestamp': `${now}`,
          'ElasticJob-Signature': `sha256=${createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')}`,
        }),
  }
}

function problemsOfToken(props: Props): readonly Problem[] {
  try {
    validateHeaderValue('Authorization', textOf(props, tokenKey) ?? '')
    return []
  } catch {
    return [
      { key: tokenKey, message: 'contains characters that are not allowed in an HTTP header' },
    ]
  }
}

/** A public format, described in docs/error-handlers.md. */
function payloadOf(notification: Notification): unknown {
  const { jobName, count, since, until, groups, others, untold } = notification
  return {
    jobName,
    text: notificationTextOf(notification),
    count,
    since: timeOf(since),
    until: timeOf(until),
    errors: groups.map(({ error, count: often, shards, run }) => ({
      ...error,
      count: often,
      shardingItems: shards,
      lastRun: {
        runId: run.runId,
        instance: run.instance,
        shardingItem: run.shardingItem,
        source: run.source,
        fireTime: timeOf(run.fireTime),
        attempt: run.attempt,
      },
    })),
    others,
    untold,
  }
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
