import { describe, expect, test } from 'vitest'

import { cut, printable, printableLines, widthOf } from '../../src/output/printable.ts'

describe('printable', () => {
  test.for([
    ['nothing to do', 'sync-orders', 'sync-orders'],
    ['a job that would clear the screen', 'a\u001B[2Jb', 'a\\u001b[2Jb'],
    ['a name that turns the writing around', 'a\u202Eb', 'a\\u202eb'],
    ['an error of several lines', 'one\n\ttwo', 'one  two'],
    ['a carriage return', 'one\rtwo', 'one\\u000dtwo'],
    ['letters of all kinds', 'Zürich 北京', 'Zürich 北京'],
  ] as const)('%s', ([, text, shown]) => {
    expect(printable(text)).toBe(shown)
  })
})

test.for([
  ['abc', 3],
  ['北京', 4],
  ['e\u0301', 1],
  ['🚀', 2],
  ['', 0],
] as const)('%s is %i wide', ([text, width]) => {
  expect(widthOf(text)).toBe(width)
})

test.for([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 4, 'abc…'],
  ['北京上海', 5, '北京…'],
  ['北京上海', 4, '北…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
] as const)('%s in %i columns is %s', ([text, width, shown]) => {
  expect(cut(text, width)).toBe(shown)
})

test('lines stay lines', () => {
  expect(printableLines('one\ntwo\u001B[2J\n')).toBe('one\ntwo\\u001b[2J\n')
})
