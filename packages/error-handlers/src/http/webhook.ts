import { createHmac } from 'node:crypto'
import { validateHeaderValue } from 'node:http'

import type { Problem } from '@elasticjob/core'

import { noticeTextOf } from '../notice/notice-text.ts'
import type { Notice } from '../notice/notice.ts'
import { type Props, textOf } from '../props.ts'
import { type HttpService, jsonHeaders, refusalByStatus } from './http-channel.ts'

const tokenKey = 'webhook.token'
const secretKey = 'webhook.secret'

/** Any program that takes JSON. */
export const webhookService: HttpService = {
  type: 'WEBHOOK',
  prefix: 'webhook',
  urlKey: 'webhook.url',
  urlExample: 'https://alerts.example.com/jobs',
  secretKeys: [tokenKey, secretKey],
  problemsOf: (props) => problemsOfToken(props),
  messageOf(notice, url, props, now) {
    const body = JSON.stringify(payloadOf(notice))
    return { url, headers: { ...jsonHeaders, ...proofOf(body, props, now) }, body }
  },
  refusalOf: refusalByStatus,
}

/** By which the program knows who has written it: a token, or a signature over the time and the body. */
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
    return [{ key: tokenKey, message: 'has characters that no header may have' }]
  }
}

/** The format is public: docs/error-handlers.md describes it. */
function payloadOf(notice: Notice): unknown {
  const { jobName, count, since, until, groups, others, untold } = notice
  return {
    jobName,
    text: noticeTextOf(notice),
    count,
    since: timeOf(since),
    until: timeOf(until),
    errors: groups.map(({ error, count: often, items, run }) => ({
      ...error,
      count: often,
      shardingItems: items,
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
