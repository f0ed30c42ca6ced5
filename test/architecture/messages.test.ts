import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { readSentences } from './read-messages.ts'
import { readModules, readText, root } from './repository.ts'
import { pageTexts } from './rules.ts'

type Words = Readonly<Record<string, string>>

function importTexts(path: string): Promise<Readonly<Record<string, Words>>> {
  return import(pathToFileURL(join(root, pageTexts, path)).href)
}

const { messages: sentences = {} } = await importTexts('zh/messages.ts')
/** Those of its schemas, which nobody has written. */
const { input = {} } = await importTexts('zh/messages/input.ts')

/** All whose words reach the page of the console. */
const speakers = ['core', 'tracing', 'console']

const messageParts = speakers.flatMap((name) =>
  readModules(`packages/${name}/src`).flatMap(({ path }) => readSentences(path, readText(path))),
)

/** `{0}`, `{1}`: the values that a translation uses. */
function placesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))
}

describe('what the server says', () => {
  test('is found in its sources', () => {
    expect(messageParts.length).toBeGreaterThan(100)
  })

  test('has Chinese words', () => {
    const missing = messageParts.filter(({ template }) => !Object.hasOwn(sentences, template))
    expect(missing).toEqual([])
  })

  test('has the same values in Chinese', () => {
    const different = messageParts.filter(({ template, values }) => {
      const expected = Array.from({ length: values }, (_, index) => String(index))
      const places = placesIn(sentences[template] ?? '')
      return expected.join() !== [...places].toSorted((a, b) => Number(a) - Number(b)).join()
    })
    expect(different).toEqual([])
  })

  test('is Chinese in Chinese, and for nothing that nobody says', () => {
    const templates = new Set([
      ...messageParts.map(({ template }) => template),
      ...Object.keys(input),
    ])
    expect(Object.keys(sentences).filter((template) => !templates.has(template))).toEqual([])
    // One may be a name: `cron {}: {}`.
    const states = /\p{L}+\P{L}+\p{L}/u
    const english = Object.entries(sentences).filter(
      ([template, text]) => states.test(template) && !/\p{Script=Han}/u.test(text),
    )
    expect(english).toEqual([])
  })

  test('has as many places for values as it has values', () => {
    const odd = messageParts.filter(
      ({ template, values }) => template.split('{}').length !== values + 1,
    )
    expect(odd).toEqual([])
  })
})

test('sentences are read with their words unescaped, and no other template is one', () => {
  const source = 'message`\\`run\\` ${a} for ${message`${n} s`}`; other`${b} words`; `${c}`'
  expect(readSentences('a.ts', source)).toEqual([
    { path: 'a.ts', template: '`run` {} for {}', values: 2 },
    { path: 'a.ts', template: '{} s', values: 1 },
  ])
})
