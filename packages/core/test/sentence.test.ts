import { describe, expect, it } from 'vitest'

import { englishOf, say } from '../src/sentence.ts'

describe('say', () => {
  it('keeps the English, its words and its values', () => {
    expect(say`item ${3} of job ${'a{}b'} waits`).toEqual({
      text: 'item 3 of job a{}b waits',
      template: 'item {} of job {} waits',
      values: [3, 'a{}b'],
    })
  })

  it('keeps a sentence that is part of another', () => {
    const items = say`items ${'0, 1'}`
    expect(say`nobody owns ${items}`).toEqual({
      text: 'nobody owns items 0, 1',
      template: 'nobody owns {}',
      values: [items],
    })
  })

  it('can be without values, and have words that are escaped', () => {
    expect(say`take \`elasticjob\``).toEqual({
      text: 'take `elasticjob`',
      template: 'take `elasticjob`',
      values: [],
    })
  })
})

it('what is a value is English, too', () => {
  expect([say`one ${2}`, 'two', 3].map(englishOf)).toEqual(['one 2', 'two', '3'])
})
