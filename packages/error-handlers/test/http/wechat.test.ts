import { describe, expect, test } from 'vitest'

import { wechatService } from '../../src/http/wechat.ts'
import { HookServer } from '../support/hook-server.ts'
import { accepting, longNotification, sendTo, textIn } from '../support/sending.ts'

describe('WECHAT', () => {
  test('posts a text within the limit', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const received = await sendTo(hook, wechatService)
    expect(JSON.parse(received.body)).toMatchObject({ msgtype: 'text' })
    expect(textIn(received)).toContain('no luck <today>')
    const text = textIn(await sendTo(hook, wechatService, {}, longNotification))
    expect(Buffer.byteLength(text)).toBeGreaterThan(2_000)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048)
  })
})
