import { expect, test } from 'vitest'

import { readPromiseTable } from './feature-table.ts'
import { problemsOfTest } from './linked-tests.ts'
import { readText } from './repository.ts'

const pages = ['docs/guarantees.md', 'docs/failover.md']
const rows = readPromiseTable(readText('docs/guarantees.md'))
const promises = rows.map(({ promise }) => promise)

/** What promises that something does not happen, or not twice. */
const absolute = /\b(?:never|at most once)\b/i

/** The sentences of a page, and of the cells of its tables, without marks of Markdown. */
function sentencesOf(markdown: string): string[] {
  const [text = ''] = markdown.split(/^\| promise +\| checked by .*$/m)
  return text
    .replaceAll(/```[^]*?```|[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.;:]) |\|/)
    .map((sentence) => sentence.trim())
}

test.for(pages)('%s: every sentence with "never" or "at most once" names its tests', (page) => {
  const unchecked = sentencesOf(readText(page))
    .filter((sentence) => absolute.test(sentence))
    .filter((sentence) =>
      promises.every((promise) => !sentence.includes(promise) && !promise.includes(sentence)),
    )
  expect(unchecked).toEqual([])
})

test.for(rows)('the page says "$promise", and its tests are there', ({ promise, tests }) => {
  const texts = pages.map((page) => sentencesOf(readText(page)).join(' '))
  expect(texts.some((text) => text.includes(promise))).toBe(true)
  expect(tests.flatMap(problemsOfTest)).toEqual([])
})

test('a promise without a row, and a row without its test, are found', () => {
  const page =
    'It never ends. It is short.\n\n| promise | checked by |\n| a | [b](../none.test.ts) |\n'
  expect(sentencesOf(page).filter((sentence) => absolute.test(sentence))).toEqual([
    'It never ends.',
  ])
  expect(readPromiseTable(page).flatMap(({ tests }) => tests.flatMap(problemsOfTest))).toEqual([
    'there is no none.test.ts',
  ])
})
