import { createHmac } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { httpChannel } from '../../src/http/http-channel.ts'
import { webhookService } from '../../src/http/webhook.ts'
import { HookServer } from '../support/hook-server.ts'
import { sendTo } from '../support/sending.ts'

describe('WEBHOOK', () => {
  test('posts all details as JSON', async () => {
    await using hook = await HookServer.start()
    const { body, headers } = await sendTo(hook, webhookService)
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('elasticjob-signature')
    expect(JSON.parse(body)).toEqual({
      jobName: 'sync-orders',
      text: expect.stringContaining('no luck <today>') as string,
      count: 1,
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:00:00.000Z',
      errors: [
        {
          name: 'Error',
          message: 'no luck <today>',
          stack: expect.stringContaining('sending.ts') as string,
          count: 1,
          shardingItems: [3],
          lastRun: {
            runId: 'Zm9vYmFyYmF6',
            instance: '10.0.1.1@-@17',
            shardingItem: 3,
            source: 'cron',
            fireTime: '2026-01-01T00:00:00.000Z',
            attempt: 1,
          },
        },
      ],
      others: 0,
      untold: 0,
    })
  })

  test('sends the token', async () => {
    await using hook = await HookServer.start()
    const { headers } = await sendTo(hook, webhookService, { 'webhook.token': 'letmein' })
    expect(headers.authorization).toBe('Bearer letmein')
  })

  test('signs the timestamp and the body', async () => {
    await using hook = await HookServer.start()
    const { headers, body } = await sendTo(hook, webhookService, { 'webhook.secret': 'shared' })
    const time = String(headers['elasticjob-timestamp'])
    const expected = createHmac('sha256', 'shared').update(`${time}.${body}`).digest('hex')
    expect(headers['elasticjob-signature']).toBe(`sha256=${expected}`)
  })

  test('refuses a token that is not a valid header value', () => {
    const props = { 'webhook.url': 'https://a.example', 'webhook.token': 'let\nmein' }
    expect(httpChannel(webhookService).problemsOf(props)).toEqual([
      {
        key: 'webhook.token',
        message: 'contains characters that are not allowed in an HTTP header',
      },
    ])
  })
})
