import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decodeProperties, readProperties } from '../../src/config/properties-file.ts'
import { isElasticJobError } from '../../src/errors.ts'

function read(text: string): Record<string, string> {
  return Object.fromEntries(readProperties(text, 'x').map(({ key, value }) => [key, value]))
}

describe('readProperties', () => {
  it.each<[what: string, text: string, expected: Record<string, string>]>([
    ['an equals sign', 'a=b', { a: 'b' }],
    ['a colon', 'a:b', { a: 'b' }],
    ['white space', 'a \t b', { a: 'b' }],
    ['white space around a separator', '  a\t= \f b ', { a: 'b ' }],
    ['one separator only', 'a = = b', { a: '= b' }],
    ['a key alone', 'a', { a: '' }],
    ['a value alone', '=b', { '': 'b' }],
    ['comments and blank lines', '# a=1\n  ! b=2\n\n \t\n c=3', { c: '3' }],
    ['every end of a line', 'a=1\rb=2\r\nc=3\n', { a: '1', b: '2', c: '3' }],
    ['a line that goes on', 'a=b, \\\n   c', { a: 'b, c' }],
    ['a key that goes on', 'a\\\nb=c', { ab: 'c' }],
    ['a line that goes on with what looks like a comment', 'a=b\\\n#c', { a: 'b#c' }],
    ['a blank line behind one that goes on', 'a=b\\\n\nc=d', { a: 'b', c: 'd' }],
    ['a comment that cannot go on', '# a\\\nb=c', { b: 'c' }],
    ['an escaped backslash at the end', 'a=b\\\\\nc=d', { a: 'b\\', c: 'd' }],
    ['a backslash at the very end', 'a=b\\', { a: 'b' }],
    ['escaped separators', 'a\\=b\\:c\\ d=e', { 'a=b:c d': 'e' }],
    ['escaped white space before a value', 'a=\\ b', { a: ' b' }],
    ['control characters', 'a=\\t\\n\\r\\f', { a: '\t\n\r\f' }],
    ['other escapes', 'a=\\q\\"\\#', { a: 'q"#' }],
    ['characters by their numbers', 'a\\u0062=\\u4e2D\\uD83D\\uDE00', { ab: '中😀' }],
    ['what comes last', 'a=1\nb=2\na=3', { b: '2', a: '3' }],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('says where each stands', () => {
    const properties = readProperties('# c\na=\\\n  1\nb=2\na=3', 'x')
    expect(properties).toEqual([
      { key: 'b', value: '2', line: 4 },
      { key: 'a', value: '3', line: 5 },
    ])
  })

  it.each(['a=\\u12', 'a=\\uwxyz', 'b=1\n\na\\u=2'])('refuses %j', (text) => {
    const line = text.split('\n').length
    expect(() => readProperties(text, 'my.properties')).toThrow(
      expect.toSatisfy((error) => isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')),
    )
    expect(() => readProperties(text, 'my.properties')).toThrow(
      `my.properties cannot be read: \\u needs four hexadecimal digits behind it (line ${line})`,
    )
  })
})

describe('what is written as Java writes it', () => {
  const escapes = new Map([
    ['\t', '\\t'],
    ['\n', '\\n'],
    ['\r', '\\r'],
    ['\f', '\\f'],
  ])

  function escaped(text: string, isKey: boolean): string {
    return Array.from({ length: text.length }, (_, at) => {
      const character = text[at] as string
      if (character === ' ') return isKey || at === 0 ? '\\ ' : ' '
      if ('=:#!\\'.includes(character)) return `\\${character}`
      const code = text.charCodeAt(at)
      const number = code.toString(16).toUpperCase().padStart(4, '0')
      return escapes.get(character) ?? (code < 0x20 || code > 0x7e ? `\\u${number}` : character)
    }).join('')
  }

  it('is read as it was', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.constantFrom('=', ':', ' ', ' = '),
        (properties, end, separator) => {
          const text = Object.entries(properties)
            .map(([key, value]) => escaped(key, true) + separator + escaped(value, false) + end)
            .join('')
          // A key that is empty, with white space behind it, is a line that begins later.
          fc.pre(separator.trim() !== '' || !Object.hasOwn(properties, ''))
          expect(readProperties(text, 'x').map(({ key, value }) => [key, value])).toEqual(
            Object.entries(properties),
          )
        },
      ),
    )
  })

  it('means the same wherever it is broken into lines', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (key, value, at) => {
        const line = `${escaped(key, true)}=${escaped(value, false)}`
        // Neither inside of an escape nor before white space, which the next line would lose.
        const places = [...line.matchAll(/(?=[^\\ \t\f])/g)]
          .map(({ index }) => index)
          .filter((place) => (/\\*$/.exec(line.slice(0, place))?.[0].length ?? 0) % 2 === 0)
          .filter((place) => !/\\u.{0,3}$/.test(line.slice(0, place)) && place > 0)
        fc.pre(places.length > 0)
        const place = places[at % places.length] as number
        expect(read(`${line.slice(0, place)}\\\n \t${line.slice(place)}`)).toEqual(read(line))
      }),
    )
  })
})

describe('decodeProperties', () => {
  it('takes UTF-8, and ISO 8859-1 for what cannot be that', () => {
    expect(decodeProperties(Buffer.from('a=Grüße 中'))).toBe('a=Grüße 中')
    expect(decodeProperties(Buffer.from('a=Grüße', 'latin1'))).toBe('a=Grüße')
  })
})
