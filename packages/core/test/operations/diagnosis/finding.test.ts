import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  byWeight,
  causes,
  type Finding,
  itemsInWords,
} from '../../../src/operations/diagnosis/finding.ts'

describe('the causes', () => {
  it('are all told of in docs/doctor.md, and no other', () => {
    const page = readFileSync(new URL('../../../../../docs/doctor.md', import.meta.url), 'utf8')
    const told = [...page.matchAll(/^\| `([a-z-]+)`/gm)].map(([, cause]) => cause)
    expect(told).toEqual([...causes])
  })
})

describe('byWeight', () => {
  it('puts what stops before what hinders, and leaves equals in their order', () => {
    const finding = (what: string, severity: Finding['severity']): Finding => ({
      cause: 'failed',
      severity,
      what,
      remedy: '',
    })
    const found = [
      finding('a', 'note'),
      finding('b', 'stops'),
      finding('c', 'hinders'),
      finding('d', 'stops'),
    ]
    expect(byWeight(found).map(({ what }) => what)).toEqual(['b', 'd', 'c', 'a'])
  })
})

describe('itemsInWords', () => {
  it.each([
    [[3], 'item 3'],
    [[0, 2], 'items 0 and 2'],
    [[0, 1, 2, 3, 4], 'items 0, 1, 2, 3 and 4'],
    [[0, 1, 2, 3, 4, 5, 9], 'items 0, 1, 2, 3, 4 and 2 more'],
  ])('%j is "%s"', (items, words) => {
    expect(itemsInWords(items)).toBe(words)
  })
})
