import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  byWeight,
  causes,
  type Finding,
  finding,
  itemsInWords,
  type Severity,
} from '../../../src/operations/diagnosis/finding.ts'
import { say } from '../../../src/sentence.ts'

describe('the causes', () => {
  it('are all told of in docs/doctor.md, and no other', () => {
    const page = readFileSync(new URL('../../../../../docs/doctor.md', import.meta.url), 'utf8')
    const told = [...page.matchAll(/^\| `([a-z-]+)`/gm)].map(([, cause]) => cause)
    expect(told).toEqual([...causes])
  })
})

describe('byWeight', () => {
  it('puts what stops before what hinders, and leaves equals in their order', () => {
    const of = (what: string, severity: Severity): Finding =>
      finding({ cause: 'failed', severity, what: say`${what}`, remedy: say`mend it` })
    const found = [of('a', 'note'), of('b', 'stops'), of('c', 'hinders'), of('d', 'stops')]
    expect(byWeight(found).map(({ what }) => what)).toEqual(['b', 'd', 'c', 'a'])
  })
})

describe('finding', () => {
  it('says the same in English as with its parts', () => {
    const items = itemsInWords([0, 2])
    const found = finding({
      cause: 'no-owner',
      severity: 'stops',
      what: say`nobody owns ${items} yet`,
      remedy: say`wait for ${3} s`,
    })
    expect(found).toMatchObject({ what: 'nobody owns items 0 and 2 yet', remedy: 'wait for 3 s' })
    expect(found.said.what).toMatchObject({ template: 'nobody owns {} yet', values: [items] })
    expect(found.said.remedy).toEqual({
      text: 'wait for 3 s',
      template: 'wait for {} s',
      values: [3],
    })
  })
})

describe('itemsInWords', () => {
  it.each([
    [[3], 'item 3'],
    [[0, 2], 'items 0 and 2'],
    [[0, 1, 2, 3, 4], 'items 0, 1, 2, 3 and 4'],
    [[0, 1, 2, 3, 4, 5, 9], 'items 0, 1, 2, 3, 4 and 2 more'],
  ])('%j is "%s"', (items, words) => {
    expect(itemsInWords(items).text).toBe(words)
  })
})
