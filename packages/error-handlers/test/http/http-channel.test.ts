import { describe, expect, test } from 'vitest'

import { NotificationError } from '../../src/errors.ts'
import { dingtalkService } from '../../src/http/dingtalk.ts'
import { httpChannel } from '../../src/http/http-channel.ts'
import { slackService } from '../../src/http/slack.ts'
import { webhookService } from '../../src/http/webhook.ts'
import { wechatService } from '../../src/http/wechat.ts'
import { HookServer } from '../support/hook-server.ts'
import { sendTo } from '../support/sending.ts'

describe.for([dingtalkService, wechatService])('$type reads errcode', (service) => {
  test.for(['{"errcode":0}', '{"errcode":"0"}'])('that it was taken: %s', async (answer) => {
    await using hook = await HookServer.start({ answer: (response) => response.end(answer) })
    await sendTo(hook, service)
    expect(hook.received).toHaveLength(1)
  })

  test.for<[status: number, answer: string]>([
    [200, '{"errcode":310000,"errmsg":"keywords not in content"}'],
    [200, '{"errmsg":"ok"}'],
    [200, '<html>Welcome</html>'],
    [200, ''],
    [200, 'null'],
    [500, '{"errcode":0}'],
    [302, '{"errcode":0}'],
  ])('that it was not: %s %s', async ([status, answer]) => {
    await using hook = await HookServer.start({
      answer: (response) => response.writeHead(status).end(answer),
    })
    await expect(sendTo(hook, service)).rejects.toSatisfy((error: NotificationError) => {
      expect(error).toBeInstanceOf(NotificationError)
      expect(error.code).toBe('NOTIFICATION_REFUSED')
      expect(error.message).toContain(`answered ${status}`)
      expect(error.message).toContain(answer)
      return true
    })
  })

  test('and rejects an endless answer', async () => {
    await using hook = await HookServer.start({
      answer: (response) => response.end(`{"errcode":0,"errmsg":"${'x'.repeat(1_000_000)}"}`),
    })
    await expect(sendTo(hook, service)).rejects.toSatisfy((error: NotificationError) => {
      expect(error.code).toBe('NOTIFICATION_REFUSED')
      expect(error.message.length).toBeLessThan(500)
      return true
    })
  })
})

describe.for([slackService, webhookService])('$type reads the HTTP status', (service) => {
  test.for([200, 201, 204])('that it was taken: %s', async (status) => {
    await using hook = await HookServer.start({
      answer: (response) => response.writeHead(status).end(),
    })
    await sendTo(hook, service)
    expect(hook.received).toHaveLength(1)
  })

  test.for([301, 400, 404, 429, 500, 503])('that it was not: %s', async (status) => {
    await using hook = await HookServer.start({
      answer: (response) => response.writeHead(status).end('no\r\nservice'),
    })
    await expect(sendTo(hook, service)).rejects.toMatchObject({
      code: 'NOTIFICATION_REFUSED',
      message: expect.stringContaining(`answered ${status}: no\r\nservice`) as string,
    })
  })
})

describe.for([dingtalkService, wechatService, slackService, webhookService])(
  'the properties of $type',
  (service) => {
    const { prefix, urlKey, urlExample } = service
    const channel = httpChannel(service)

    test('require only a URL', () => {
      expect(channel.problemsOf({ [urlKey]: 'https://a.example/b' })).toEqual([])
    })

    test('are refused with all problems and a valid example', () => {
      const props = {
        [urlKey]: 'mailto:somebody',
        [`${prefix}.connectTimeoutMilliseconds`]: '0',
        [`${prefix}.readTimeoutMilliseconds`]: 'soon',
      }
      expect(channel.problemsOf(props)).toEqual([
        {
          key: urlKey,
          message: `must be a URL that begins with https:// or http://, for example ${urlExample}`,
        },
        {
          key: `${prefix}.connectTimeoutMilliseconds`,
          message: 'must be an integer from 1 to 2147483647, not "0"',
        },
        {
          key: `${prefix}.readTimeoutMilliseconds`,
          message: 'must be an integer from 1 to 2147483647, not "soon"',
        },
      ])
      expect(channel.problemsOf({})).toEqual([
        { key: urlKey, message: `is required, for example ${urlExample}` },
      ])
    })

    test('include the URL in the secrets', () => {
      const url = 'https://a.example/token-of-mine'
      expect(channel.secretsOf({ [urlKey]: url })).toEqual(
        expect.arrayContaining([url, 'token-of-mine']),
      )
    })
  },
)

test('secretsOf includes the secrets of DINGTALK and WEBHOOK', () => {
  expect(httpChannel(dingtalkService).secretsOf({ 'dingtalk.secret': 's1' })).toContain('s1')
  const props = { 'webhook.token': 's2', 'webhook.secret': 's3' }
  expect(httpChannel(webhookService).secretsOf(props)).toEqual(expect.arrayContaining(['s2', 's3']))
})
