import { expect, test } from 'vitest'

import { plain, styleOf } from '../../src/output/style.ts'
import { type Column, tableLines } from '../../src/output/table.ts'

interface Row {
  readonly name: string
  readonly count: number
  readonly about: string
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'COUNT', align: 'right', cell: ({ count }) => String(count) },
  { title: 'ABOUT', cell: ({ about }) => about },
]
const rows: readonly Row[] = [
  { name: 'sync-orders', count: 6, about: 'every 5 seconds' },
  { name: '北京', count: 12, about: '' },
]

test('columns are aligned, numbers to the right, and no line ends in space', () => {
  expect(tableLines(columns, rows, { style: plain, width: Infinity })).toEqual([
    'NAME         COUNT  ABOUT',
    'sync-orders      6  every 5 seconds',
    '北京            12',
  ])
})

test('a narrow screen cuts the last column', () => {
  expect(tableLines(columns, rows, { style: plain, width: 28 })[1]).toBe(
    'sync-orders      6  every 5…',
  )
})

test('colours take no room', () => {
  const style = styleOf(true)
  const painted: readonly Column<Row>[] = [
    { title: 'NAME', cell: ({ name }) => ({ text: name, paint: style.good }) },
    ...columns.slice(1),
  ]
  const [, line] = tableLines(painted, rows, { style, width: Infinity })
  expect(line).toBe('\u001B[32msync-orders\u001B[39m      6  every 5 seconds')
})

test('a cell of parts is cut between its colours', () => {
  const style = styleOf(true)
  const parts: readonly Column<string>[] = [
    {
      title: '',
      cell: (text) => [
        { text: 'A ', paint: style.good },
        { text, paint: style.bad },
      ],
    },
  ]
  expect(tableLines(parts, ['0 1 2'], { style, width: 5 })[1]).toBe(
    '\u001B[32mA \u001B[39m\u001B[31m0 …\u001B[39m',
  )
})

test('what others have written cannot move the cursor', () => {
  const [, line] = tableLines(columns, [{ name: 'a\u001B[2J', count: 1, about: '' }], {
    style: plain,
    width: Infinity,
  })
  expect(line).toBe('a\\u001b[2J      1')
})
