import { describe, expect, test } from 'vitest'

import { wechatService } from '../../src/http/wechat.ts'
import { HookServer } from '../support/hook-server.ts'
import { accepting, longNotice, sendTo, textIn } from '../support/sending.ts'

describe('WECHAT', () => {
  test('posts a text that is not longer than it may be', async () => {
    await using hook = await HookServer.start({ answer: accepting })
    const received = await sendTo(hook, wechatService)
    expect(JSON.parse(received.body)).toMatchObject({ msgtype: 'text' })
    expect(textIn(received)).toContain('no luck <today>')
    const text = textIn(await sendTo(hook, wechatService, {}, longNotice))
    expect(Buffer.byteLength(text)).toBeGreaterThan(2_000)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048)
  })
})
