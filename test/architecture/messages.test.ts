import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { readModules, readText, root } from './repository.ts'
import { pageTexts } from './rules.ts'

type Texts = Readonly<Record<string, string>>

/** The catalogue of each area; its translation is the file with the name of the area. */
const catalogues: Readonly<Record<string, string>> = {
  configuration: 'packages/core/src/messages/configuration.ts',
  console: 'packages/console/src/message.ts',
  cron: 'packages/core/src/messages/cron.ts',
  decoding: 'packages/core/src/messages/decoding.ts',
  doctor: 'packages/core/src/messages/doctor.ts',
  history: 'packages/tracing/src/message.ts',
  operations: 'packages/core/src/messages/operations.ts',
}

async function importTexts(path: string, name: string): Promise<Texts> {
  const module = (await import(pathToFileURL(join(root, path)).href)) as Record<string, Texts>
  return module[name] ?? {}
}

const areas = await Promise.all(
  Object.entries(catalogues).map(async ([area, path]) => ({
    area,
    english: await importTexts(path, `${area}Texts`),
    chinese: await importTexts(`${pageTexts}zh/messages/${area}.ts`, area),
  })),
)

function parametersIn(text: string): string[] {
  const names = [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)
  return [...new Set(names)].toSorted()
}

describe.for(areas)('the messages of $area', ({ english, chinese }) => {
  test('are all translated, and nothing else is', () => {
    expect(Object.keys(english).length).toBeGreaterThan(10)
    expect(Object.keys(chinese).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  test('have the same parameters in the translation', () => {
    const different = Object.entries(english).filter(
      ([code, text]) => parametersIn(text).join() !== parametersIn(chinese[code] ?? '').join(),
    )
    expect(different).toEqual([])
  })

  test('are Chinese in Chinese', () => {
    // One word may be a name: `cron {expression}: {reason}`.
    const hasWords = /\p{L}+\P{L}+\p{L}/u
    const untranslated = Object.entries(english).filter(
      ([code, text]) =>
        hasWords.test(text.replaceAll(/\{\w+\}/gu, '')) &&
        !/\p{Script=Han}/u.test(chinese[code] ?? ''),
    )
    expect(untranslated).toEqual([])
  })

  test('have codes in kebab-case', () => {
    const odd = Object.keys(english).filter((code) => !/^[a-z]+(?:-[a-z0-9]+)*$/u.test(code))
    expect(odd).toEqual([])
  })
})

test('a code is in one catalogue, and is used', () => {
  const codes = areas.flatMap(({ english }) => Object.keys(english))
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  const sources = ['core', 'tracing', 'console'].flatMap((name) =>
    readModules(`packages/${name}/src`).map(({ path }) => readText(path)),
  )
  const calls = sources.join('\n').matchAll(/\bmessage\(\s*'([^']+)'/gu)
  const used = new Set([...calls].map(([, code]) => code))
  expect(codes.filter((code) => !used.has(code))).toEqual([])
})
