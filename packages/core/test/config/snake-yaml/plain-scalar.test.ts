import { describe, expect, it } from 'vitest'

import {
  kindOfPlain,
  toFlag,
  toFloat,
  toInteger,
} from '../../../src/config/snake-yaml/plain-scalar.ts'

describe('kindOfPlain', () => {
  it.each([
    ['null', ['', '~', 'null', 'Null', 'NULL']],
    ['flag', ['yes', 'No', 'TRUE', 'on', 'Off']],
    ['integer', ['0', '-1', '+5', '010', '0x1F', '0b11', '1_000', '1:30']],
    ['float', ['1.', '.5', '1e3', '-1.5E-7', '.inf', '-.INF', '.NaN', '1:30.5']],
    ['timestamp', ['2001-12-14', '2001-12-14t21:59:43.10-05:00', '2001-1-1 1:00:00']],
    ['merge', ['<<']],
    ['text', ['y', 'nULL', '08', '1.2.3', 'yEs', '0x', '1:60', '.', '+', 'a'.repeat(2000)]],
    ['text', ['1'.repeat(1025), '+.nan', ' ']],
  ])('takes for %s: %j', (kind, texts) => {
    expect(texts.map((text) => [text, kindOfPlain(text)])).toEqual(
      texts.map((text) => [text, kind]),
    )
  })
})

it.each([
  ['0', 0n],
  ['-0x1F', -31n],
  ['+0b1_01', 5n],
  ['0_17', 15n],
  ['1_000', 1000n],
  ['1:30:00', 5400n],
  ['-99999999999999999999', -99999999999999999999n],
  ['08', undefined],
  ['1.0', undefined],
  ['', undefined],
])('%s is the whole number %s', (text, number) => {
  expect(toInteger(text)).toBe(number)
})

it.each([
  ['1_0.5', 10.5],
  ['-.5', -0.5],
  ['1:30.5', 90.5],
  ['-.inf', -Infinity],
  ['.NAN', Number.NaN],
])('%s is the number %s', (text, number) => {
  expect(toFloat(text)).toBe(number)
})

it('knows flags in any capitals, and nothing else', () => {
  expect(['yEs', 'ON', 'true'].map(toFlag)).toEqual([true, true, true])
  expect(['no', 'Off', 'FALSE'].map(toFlag)).toEqual([false, false, false])
  expect(['y', '1', ''].map(toFlag)).toEqual([undefined, undefined, undefined])
})
