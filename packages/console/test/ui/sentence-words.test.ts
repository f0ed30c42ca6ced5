// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { sentencesReady, sentenceWords } from '../../ui/src/i18n/sentence-words.ts'
import { sentences } from '../../ui/src/i18n/zh/sentences.ts'

const items = { template: 'items {} and {}', values: ['0', 2] }
const owners = {
  template: 'the owner of {} takes no part at this moment: {}',
  values: [items, '10.0.0.1@-@7'],
}
const english = 'the owner of items 0 and 2 takes no part at this moment: 10.0.0.1@-@7'

describe('a sentence of the server', () => {
  it('is English for those who read English', async () => {
    await setLanguage('en')
    expect(sentenceWords(owners, english)).toBe(english)
  })

  describe('for those who read Chinese', () => {
    beforeAll(async () => {
      await setLanguage('zh')
      await sentencesReady()
    })
    afterEach(() => setLanguage('zh'))

    it('is Chinese, with its parts', () => {
      expect(sentenceWords(owners, english)).toBe(
        '分片 0 和 2 的归属实例目前没有参与：10.0.0.1@-@7',
      )
    })

    it('has its values where Chinese wants them, and as they are', () => {
      const said = { template: 'item {} of job {} is disabled', values: [3, 'a {0} b'] }
      expect(sentenceWords(said, '')).toBe('作业 a {0} b 的分片 3 已禁用')
    })

    it('is English where there are no words for it, or for a part of it', () => {
      const strange = { template: 'constructor', values: [] }
      expect(sentenceWords(strange, 'as it is')).toBe('as it is')
      const partly = { ...owners, values: [strange, 'x'] }
      expect(sentenceWords(partly, 'as it is')).toBe('as it is')
      expect(sentenceWords(undefined, 'as it is')).toBe('as it is')
    })

    it('follows the language', async () => {
      await setLanguage('en')
      expect(sentenceWords(owners, english)).toBe(english)
    })
  })
})

it('sentences hold no value that is not one', () => {
  const odd = Object.values(sentences).filter((text) => /\{\}|\{[^}\d][^} ]*\}/u.test(text))
  expect(odd).toEqual([])
})
