import fc from 'fast-check'
import { expect, test } from 'vitest'

import { CapturedOutput, captureLimits } from '../../../src/job-types/script/captured-output.ts'

function capture(
  chunks: readonly (string | Uint8Array)[],
  limits = {},
): { readonly lines: readonly string[]; readonly lastLines: readonly string[] } {
  const lines: string[] = []
  const output = new CapturedOutput((line) => lines.push(line), { ...captureLimits, ...limits })
  for (const chunk of chunks) output.write(Buffer.from(chunk))
  output.end()
  return { lines, lastLines: output.lastLines }
}

test('lines are found however they are cut into chunks', () => {
  const text = fc.array(fc.stringMatching(/^[a-z é€😀]{0,6}$/u)).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (written, cuts) => {
      const bytes = Buffer.from(written)
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b)]
      const chunks = places.map((place, index) => bytes.subarray(place, places[index + 1]))
      const lines = written.split('\n')
      if (lines.at(-1) === '') lines.pop()
      expect(capture(chunks).lines).toEqual(lines)
    }),
  )
})

test('a line may end as on Windows', () => {
  expect(capture(['one\r\ntwo\r\n']).lines).toEqual(['one', 'two'])
})

test('a long line is cut', () => {
  const { lines } = capture(['abcdef', 'ghij\nkl\n'], { lineLength: 4 })
  expect(lines).toEqual(['abcd... (6 characters more)', 'kl'])
})

test('after too much nothing more is logged, but the last lines are kept', () => {
  const { lines, lastLines } = capture(['one\ntwo\nthree\nfour\n'], { total: 8, lastLines: 2 })
  expect(lines).toEqual([
    'one',
    'two',
    'the script has written more than 8 characters; the rest is not logged',
  ])
  expect(lastLines).toEqual(['three', 'four'])
})

test('last lines are short', () => {
  expect(capture(['abcdef\n'], { lastLineLength: 3 }).lastLines).toEqual(['abc'])
})
