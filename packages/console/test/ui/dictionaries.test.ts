import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { help as englishHelp } from '../../ui/src/i18n/en/help.ts'
import { en as english } from '../../ui/src/i18n/en.ts'
import { help as chineseHelp } from '../../ui/src/i18n/zh/help.ts'
import { zh as chinese } from '../../ui/src/i18n/zh.ts'

const en = { ...english, ...englishHelp }
const zh = { ...chinese, ...chineseHelp }

const root = fileURLToPath(new URL('../../ui/src/', import.meta.url))

function sources(): string {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/u.test(path) && !path.startsWith('i18n'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
}

describe('the dictionaries', () => {
  it('have the same keys', () => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted())
  })

  it('have words for every key', () => {
    const all = [...Object.entries(en), ...Object.entries(zh)]
    expect(all.filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('put the same values into the same texts', () => {
    const names = (text: string): string[] => [
      ...new Set([...text.matchAll(/\{(\w+)/gu)].map(([, name = '']) => name)),
    ]
    const differences = Object.entries(zh).filter(([key, text]) => {
      const expected = names(en[key as keyof typeof en])
      // Chinese has no plural, so a number that only chooses one may be missing; never one that is shown.
      return names(text).some((name) => !expected.includes(name))
    })
    expect(differences).toEqual([])
  })

  it('hold no key that nobody uses', () => {
    const text = sources()
    const prefixes = [...text.matchAll(/`([a-zA-Z.]+\.)\$\{/gu)].map(([, prefix = '']) => prefix)
    const unused = Object.keys(en).filter(
      (key) => !text.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).toEqual([])
  })

  it('are Chinese in Chinese', () => {
    const same = Object.entries(zh).filter(
      ([key, text]) => text === en[key as keyof typeof en] && !/Java|API|^host/u.test(text),
    )
    expect(same).toEqual([])
  })
})
