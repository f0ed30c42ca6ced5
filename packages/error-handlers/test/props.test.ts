import { describe, expect, test } from 'vitest'

import {
  flagOf,
  integerOf,
  problemsOfFlag,
  problemsOfInteger,
  problemsOfRequired,
  problemsOfUrl,
  textOf,
} from '../src/props.ts'

describe('textOf', () => {
  test('trims, and returns undefined for an empty text', () => {
    expect(textOf({ a: ' b ' }, 'a')).toBe('b')
    expect(textOf({ a: '  ' }, 'a')).toBeUndefined()
    expect(textOf({}, 'a')).toBeUndefined()
  })

  test('problemsOfRequired gives an example', () => {
    expect(problemsOfRequired({ a: ' ' }, 'a', 'b.example.com')).toEqual([
      { key: 'a', message: 'is required, for example b.example.com' },
    ])
    expect(problemsOfRequired({ a: 'c' }, 'a', 'b')).toEqual([])
  })
})

describe('problemsOfInteger', () => {
  const port = { key: 'port', least: 1, most: 65_535, byDefault: 25 }

  test.for(['', ' ', '1', ' 465 ', '+25', '65535'])('accepts "%s"', (text) => {
    expect(problemsOfInteger({ port: text }, port)).toEqual([])
    expect(integerOf({ port: text }, port)).toBe(text.trim() === '' ? 25 : Number(text))
  })

  test.for(['0', '-1', '65536', '1.5', '1e3', '0x10', 'smtp'])('refuses "%s"', (text) => {
    expect(problemsOfInteger({ port: text }, port)).toEqual([
      { key: 'port', message: `must be an integer from 1 to 65535, not "${text}"` },
    ])
  })
})

describe('flagOf', () => {
  const flag = { key: 'flag', byDefault: true }

  test('reads true and false in any case, and has a default', () => {
    expect(
      [{}, { flag: '' }, { flag: 'TRUE' }, { flag: 'false' }].map((p) => flagOf(p, flag)),
    ).toEqual([true, true, true, false])
  })

  test('refuses anything else', () => {
    expect(problemsOfFlag({ flag: 'false' }, flag)).toEqual([])
    expect(problemsOfFlag({ flag: 'yes' }, flag)).toEqual([
      { key: 'flag', message: 'must be true or false, not "yes"' },
    ])
  })
})

describe('problemsOfUrl', () => {
  const problems = (url: string): readonly string[] =>
    problemsOfUrl({ url }, 'url', 'https://a.example/…').map(({ message }) => message)

  test('accepts http and https URLs', () => {
    expect(problems('https://a.example/b?c=d')).toEqual([])
    expect(problems('http://127.0.0.1:8080')).toEqual([])
    expect(problems('')).toEqual(['is required, for example https://a.example/…'])
  })

  test.for(['a.example/token-of-mine', 'ftp://a.example/token-of-mine', 'https://[/token-of-mine'])(
    'refuses "%s" without repeating it',
    (url) => {
      expect(problems(url)).toEqual([
        'must be a URL that begins with https:// or http://, for example https://a.example/…',
      ])
    },
  )
})
