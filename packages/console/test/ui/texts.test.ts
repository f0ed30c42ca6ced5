import { describe, expect, it } from 'vitest'
import { fill } from '../../ui/src/i18n/fill.ts'
import { chineseCron } from '../../ui/src/text/chinese-cron.ts'
import { parseShards } from '../../ui/src/text/shard-numbers.ts'
import { lineDiff } from '../../ui/src/text/line-diff.ts'
import { closeness, matches } from '../../ui/src/text/matches.ts'
import { instanceName, printable, printableLines, shortened } from '../../ui/src/text/printable.ts'
import { ranges } from '../../ui/src/text/ranges.ts'

describe('a text with values in it', () => {
  it('puts values in by name and chooses the plural by a number', () => {
    const text = '{n} {n#shard|shards} of {job}'
    expect(fill(text, { n: 1, job: 'a' })).toBe('1 shard of a')
    expect(fill(text, { n: 2, job: 'a' })).toBe('2 shards of a')
  })

  it('never reads a value as a text with places', () => {
    expect(fill('{a} {b}', { a: '{b}', b: 'x' })).toBe('{b} x')
  })
})

describe('texts of others', () => {
  it('show what could deceive by its number', () => {
    expect(printable('a\u202Eb\u0000\u200Bc')).toBe('a\\u202eb\\u0000\\u200bc')
  })

  it('keep their lines where they have some', () => {
    expect(printableLines('a\tb\n\u001B[31mc')).toBe('a  b\n\\u001b[31mc')
  })

  it('are cut by letters, not in the middle of one', () => {
    expect(shortened('😀😀😀😀', 3)).toBe('😀😀…')
  })

  it('name an instance by its server and process', () => {
    expect(instanceName('10.0.0.1@-@4711-abc')).toBe('10.0.0.1 (4711)')
  })
})

describe('shards', () => {
  it('are written with neighbours together', () => {
    expect(ranges([7, 0, 1, 2, 3, 9, 10])).toBe('0–3, 7, 9, 10')
  })

  it('are read as numbers and ranges', () => {
    expect(parseShards('0, 2，5-7', 8)).toEqual([0, 2, 5, 6, 7])
    expect(parseShards('', 8)).toEqual([])
  })

  it.each(['x', '8', '3-1', '-1'])('are refused as %s', (text) => {
    expect(parseShards(text, 8)).toBeUndefined()
  })
})

describe('a search', () => {
  it('finds all its words in any order', () => {
    expect(matches('sync-orders: brings Orders', 'orders SYNC')).toBe(true)
    expect(matches('sync-orders', 'sync stock')).toBe(false)
  })

  it('ranks what stands together before what is scattered', () => {
    const scattered = closeness('sync-yearly-orders', 'syo')
    expect(scattered).toBeDefined()
    expect(closeness('syo', 'syo')).toBeLessThan(scattered ?? 0)
    expect(closeness('sync', 'xyz')).toBeUndefined()
  })
})

describe('a difference line by line', () => {
  it('tells what stayed, came and went', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\nc\nd')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
      { kind: 'added', text: 'd' },
    ])
  })

  it('is nothing but the same for the same text', () => {
    expect(lineDiff('a\nb', 'a\nb').map(({ kind }) => kind)).toEqual(['same', 'same'])
  })
})

describe('a cron expression in Chinese', () => {
  it.each([
    ['0/10 * * * * ?', '每 10 秒'],
    ['* * * * * ?', '每秒'],
    ['0 0/5 * * * ?', '每 5 分钟'],
    ['0 30 9 ? * MON-FRI', '每周一至周五 09:30:00'],
    ['0 0 3 * * ?', '每天 03:00:00'],
    ['0 15 10 L * ?', '每月最后一天 10:15:00'],
    ['0 15 10 ? * 6#3', '每月第 3 个周五 10:15:00'],
    ['0 15 10 ? * 6L', '每月最后一个周五 10:15:00'],
    ['0 0 12 1,15 * ?', '每月1日、15日 12:00:00'],
    ['0 0 12 1 JAN ?', '1月每月1日 12:00:00'],
    ['30 * 8-18 * * ?', '每天 8点至18点 每分钟的第 30秒'],
  ])('%s', (expression, words) => {
    expect(chineseCron(expression)).toBe(words)
  })

  it('says nothing where it has no words', () => {
    expect(chineseCron('not a cron')).toBeUndefined()
  })
})
