import { describe, expect, test } from 'vitest'

import { slackService } from '../../src/http/slack.ts'
import { failureOf, notificationOf } from '../support/failures.ts'
import { HookServer } from '../support/hook-server.ts'
import { longNotification, sendTo, textIn } from '../support/sending.ts'

describe('SLACK', () => {
  test('posts a text with escaped markup', async () => {
    await using hook = await HookServer.start()
    const error = new Error('<!channel> & ```more```')
    const received = await sendTo(hook, slackService, {}, notificationOf(failureOf(error)))
    const text = textIn(received)
    expect(text).toMatch(
      /^Job 'sync-orders' failed at .*: &lt;!channel&gt; &amp; '''more'''\n```\n/,
    )
    expect(text).not.toContain('<!channel>')
    expect(text.match(/```/g)).toHaveLength(2)
  })

  test('shortens the text to one message', async () => {
    await using hook = await HookServer.start()
    expect(
      Buffer.byteLength(textIn(await sendTo(hook, slackService, {}, longNotification))),
    ).toBeLessThan(4_000)
  })
})
