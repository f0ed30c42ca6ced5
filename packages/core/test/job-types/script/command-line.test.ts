import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseCommandLine } from '../../../src/job-types/script/command-line.ts'

describe('a command line', () => {
  test.for<[line: string, words: readonly string[]]>([
    ['run', ['run']],
    ['  run   fast  ', ['run', 'fast']],
    ['run\tfast\n', ['run', 'fast']],
    ['sh -c "echo a b"', ['sh', '-c', 'echo a b']],
    [`sh -c 'echo "a b"'`, ['sh', '-c', 'echo "a b"']],
    [`sh -c "echo 'a b'"`, ['sh', '-c', "echo 'a b'"]],
    ['run --name="a b"c', ['run', '--name=a bc']],
    [`run "" ''`, ['run', '', '']],
    ['"/opt/my tools/run" now', ['/opt/my tools/run', 'now']],
    [String.raw`run C:\new "\"`, ['run', String.raw`C:\new`, '\\']],
    ['run $HOME *.txt > out; rm x', ['run', '$HOME', '*.txt', '>', 'out;', 'rm', 'x']],
  ])('%j is split', ([line, words]) => {
    expect(parseCommandLine(line)).toEqual(words)
  })

  test.for<[line: string, message: string]>([
    ['', 'it names no program'],
    ['   ', 'it names no program'],
    ['"" now', 'it names no program'],
    [`run "a b`, 'the quote " at character 5 is never closed'],
    [`run 'a "b"`, "the quote ' at character 5 is never closed"],
  ])('%j is refused', ([line, message]) => {
    expect(() => parseCommandLine(line)).toThrow(message)
  })
})

describe('whatever the words are', () => {
  const word = fc.string({ unit: 'binary' })
  const program = word.filter((text) => text !== '')

  /** In one kind of quotes where it can be, else in pieces, each in the quotes that it does not hold. */
  function quoted(text: string): string {
    if (!text.includes("'")) return `'${text}'`
    return text
      .split("'")
      .map((piece) => `'${piece}'`)
      .join(`"'"`)
  }

  test('quoted they are read again', () => {
    fc.assert(
      fc.property(program, fc.array(word), (first, others) => {
        const words = [first, ...others]
        expect(parseCommandLine(words.map(quoted).join(' '))).toEqual(words)
      }),
    )
  })

  test('a line without quotes is split at white space', () => {
    const plain = fc.string().filter((text) => !/['"]/.test(text) && text.trim() !== '')
    fc.assert(
      fc.property(plain, (line) => {
        expect(parseCommandLine(line)).toEqual(line.split(/\s+/).filter((text) => text !== ''))
      }),
    )
  })

  function outcomeOf(line: string): string {
    try {
      parseCommandLine(line)
      return 'read'
    } catch (error) {
      return /never closed$|no program$/.exec(String(error))?.[0] ?? String(error)
    }
  }

  test('a line is read or refused with a reason, never anything else', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\') })
    fc.assert(
      fc.property(line, (text) => {
        const closed = text.replaceAll(/"[^"]*"|'[^']*'/g, '')
        const isOpen = /["']/.test(closed)
        const isNothing = /^\s*((""|'')+(\s|$)|$)/.test(text)
        expect(outcomeOf(text)).toBe(isOpen ? 'never closed' : isNothing ? 'no program' : 'read')
      }),
    )
  })
})
