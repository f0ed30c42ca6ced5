// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { messagesReady, messageText } from '../../ui/src/i18n/message-text.ts'

const shards = { code: 'several-shards', parameters: { shards: '0', last: 2 } }
const owners = {
  code: 'owners-away',
  parameters: { shards: shards, owners: '10.0.0.1@-@7' },
}
const english = 'the owner of shards 0 and 2 takes no part at this moment: 10.0.0.1@-@7'

describe('a sentence of the server', () => {
  it('is English for those who read English', async () => {
    await setLanguage('en')
    expect(messageText(owners, english)).toBe(english)
  })

  describe('for those who read Chinese', () => {
    beforeAll(async () => {
      await setLanguage('zh')
      await messagesReady()
    })
    afterEach(() => setLanguage('zh'))

    it('is Chinese, with its parts', () => {
      expect(messageText(owners, english)).toBe('分片 0 和 2 的归属实例目前没有参与：10.0.0.1@-@7')
    })

    it('has its values where Chinese wants them, and as they are', () => {
      const messageParts = { code: 'shard-disabled', parameters: { shard: 3, jobName: 'a {0} b' } }
      expect(messageText(messageParts, '')).toBe('作业 a {0} b 的分片 3 已禁用')
    })

    it('is English where there are no words for it, or for a part of it', () => {
      const strange = { code: 'constructor', parameters: {} }
      expect(messageText(strange, 'as it is')).toBe('as it is')
      const partly = { ...owners, parameters: { shards: strange, owners: 'x' } }
      expect(messageText(partly, 'as it is')).toBe('as it is')
      expect(messageText(undefined, 'as it is')).toBe('as it is')
    })

    it('follows the language', async () => {
      await setLanguage('en')
      expect(messageText(owners, english)).toBe(english)
    })
  })
})
