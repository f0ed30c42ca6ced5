import { describe, expect, test } from 'vitest'

import { slackService } from '../../src/http/slack.ts'
import { failureOf, noticeOf } from '../support/failures.ts'
import { HookServer } from '../support/hook-server.ts'
import { longNotice, sendTo, textIn } from '../support/sending.ts'

describe('SLACK', () => {
  test('posts a text in which nothing is a mark', async () => {
    await using hook = await HookServer.start()
    const error = new Error('<!channel> & ```more```')
    const received = await sendTo(hook, slackService, {}, noticeOf(failureOf(error)))
    const text = textIn(received)
    expect(text).toMatch(
      /^Job 'sync-orders' failed at .*: &lt;!channel&gt; &amp; '''more'''\n```\n/,
    )
    expect(text).not.toContain('<!channel>')
    expect(text.match(/```/g)).toHaveLength(2)
  })

  test('is not longer than one message', async () => {
    await using hook = await HookServer.start()
    expect(
      Buffer.byteLength(textIn(await sendTo(hook, slackService, {}, longNotice))),
    ).toBeLessThan(4_000)
  })
})
