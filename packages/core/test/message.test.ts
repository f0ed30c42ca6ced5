import { describe, expect, it } from 'vitest'

import { englishOf, message } from '../src/message.ts'

describe('say', () => {
  it('keeps the English, its words and its values', () => {
    expect(message`shard ${3} of job ${'a{}b'} waits`).toEqual({
      text: 'shard 3 of job a{}b waits',
      template: 'shard {} of job {} waits',
      values: [3, 'a{}b'],
    })
  })

  it('keeps a sentence that is part of another', () => {
    const shards = message`shards ${'0, 1'}`
    expect(message`nobody owns ${shards}`).toEqual({
      text: 'nobody owns shards 0, 1',
      template: 'nobody owns {}',
      values: [shards],
    })
  })

  it('can be without values, and have words that are escaped', () => {
    expect(message`take \`elasticjob\``).toEqual({
      text: 'take `elasticjob`',
      template: 'take `elasticjob`',
      values: [],
    })
  })
})

it('what is a value is English, too', () => {
  expect([message`one ${2}`, 'two', 3].map(englishOf)).toEqual(['one 2', 'two', '3'])
})
