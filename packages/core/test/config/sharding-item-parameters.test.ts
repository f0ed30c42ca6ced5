import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  formatShardingItemParameters,
  parseShardingItemParameters,
} from '../../src/config/sharding-item-parameters.ts'
import { goldenLines } from '../support/golden.ts'

const answers = goldenLines<{ text: string }, { parameters: Record<string, string> }>(
  'config/parameters.jsonl',
)

describe('parseShardingItemParameters', () => {
  const accepted = answers.filter(({ answer }) => answer.refused === undefined)
  const refused = answers.filter(({ answer }) => answer.refused !== undefined)

  it.each(accepted)('reads $question.text as Java does', ({ question, answer }) => {
    const { parameters, problems } = parseShardingItemParameters(question.text)
    expect(Object.fromEntries(parameters)).toEqual(answer.parameters)
    expect(problems).toEqual([])
  })

  it.each(refused)('has something to say where Java refuses: $question.text', ({ question }) => {
    expect(parseShardingItemParameters(question.text).problems).not.toEqual([])
  })

  it('says what is wrong, and keeps the rest', () => {
    const { parameters, problems } = parseShardingItemParameters('0=a,1,x=b,0=c,-1=d,2=e')
    expect(problems.map(({ text }) => text)).toEqual([
      '"1" is not of the form item=parameter, as in 0=Beijing,1=Shanghai',
      '"x" in "x=b" is not the number of a shard, 0 or above',
      'shard 0 is named twice',
      '"-1" in "-1=d" is not the number of a shard, 0 or above',
    ])
    expect([...parameters]).toEqual([
      [0, 'c'],
      [2, 'e'],
    ])
  })
})

describe('formatShardingItemParameters', () => {
  it('writes the text form, shards in their order', () => {
    expect(formatShardingItemParameters({ 10: 'c', 1: 'b', 0: 'a' })).toEqual({
      text: '0=a,1=b,10=c',
      problems: [],
    })
    expect(formatShardingItemParameters({}).text).toBe('')
  })

  it.each([
    [{ x: 'a' }, 'x: the key must be the number of a shard'],
    [{ '-1': 'a' }, '-1: the key must be the number of a shard'],
    [{ 0: 5 }, '0: the parameter must be text, not number'],
    [{ 0: '' }, '0: the parameter is empty'],
    [{ 0: 'a,b' }, '0: the parameter "a,b" contains "," or "="'],
    [{ 0: 'a=b' }, 'contains "," or "="'],
    [{ 0: ' a' }, 'begins or ends with a space'],
  ])('refuses %j, which the text form cannot hold', (parameters, message) => {
    const { problems } = formatShardingItemParameters(parameters)
    expect(problems.map(({ text }) => text).join()).toContain(message)
  })

  it('is read back as it was', () => {
    const parameter = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 9 })
      .filter(
        (text) => !/[,=]/.test(text) && text.trim() === text && !/^[\0-\x20]|[\0-\x20]$/.test(text),
      )
    const shards = fc.dictionary(fc.nat(2 ** 31 - 1).map(String), parameter)
    fc.assert(
      fc.property(shards, (parameters) => {
        const { text, problems } = formatShardingItemParameters(parameters)
        expect(problems).toEqual([])
        expect(Object.fromEntries(parseShardingItemParameters(text).parameters)).toEqual(parameters)
      }),
    )
  })
})
