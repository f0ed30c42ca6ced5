import { createHmac } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { dingtalkService } from '../../src/http/dingtalk.ts'
import { HookServer } from '../support/hook-server.ts'
import {
  accepting,
  longNotification,
  sendTo,
  someNotification,
  textIn,
} from '../support/sending.ts'

describe('DINGTALK', () => {
  test('posts a text message', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const received = await sendTo(hook, dingtalkService)
    expect(received).toMatchObject({
      method: 'POST',
      target: '/hook?token=abc',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    expect(JSON.parse(received.body)).toMatchObject({ msgtype: 'text' })
    expect(textIn(received)).toMatch(/^Job 'sync-orders' failed at .*: no luck <today>\n/)
  })

  test('starts the text with the keyword', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const received = await sendTo(hook, dingtalkService, { 'dingtalk.keyword': 'ALERT' })
    expect(textIn(received)).toMatch(/^ALERT Job 'sync-orders' failed/)
  })

  test('signs the URL with the secret, verifiably for a robot', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const secret = 'SEC+0/1'
    const { target } = await sendTo(hook, dingtalkService, { 'dingtalk.secret': secret })
    expect(target).toMatch(/^\/hook\?token=abc&timestamp=\d+&sign=[\w%]+$/)
    const query = new URL(target, hook.url()).searchParams
    const time = query.get('timestamp')
    const expected = createHmac('sha256', secret).update(`${time}\n${secret}`).digest('base64')
    expect(query.get('sign')).toBe(expected)
  })

  test('signs a URL without a query', () => {
    const props = { 'dingtalk.secret': 's' }
    const { url } = dingtalkService.messageOf(someNotification, 'https://a.example/hook', props, 5)
    expect(url).toMatch(/^https:\/\/a\.example\/hook\?timestamp=5&sign=/)
  })

  test('shortens the text to the limit', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const { body } = await sendTo(hook, dingtalkService, {}, longNotification)
    expect(Buffer.byteLength(body)).toBeLessThan(20_000)
  })
})
