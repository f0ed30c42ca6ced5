import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  byWeight,
  causes,
  type Finding,
  finding,
  shardsText,
  type Severity,
} from '../../../src/operations/diagnosis/finding.ts'
import { messageFactory } from '../../../src/message.ts'

const message = messageFactory({
  given: '{text}',
  repair: 'repair it',
  unowned: 'nobody owns {shards} yet',
  wait: 'wait for {seconds} s',
} as const)

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
      finding({
        cause: 'failed',
        severity,
        what: message('given', { text: what }),
        remedy: message('repair'),
      })
    const found = [of('a', 'info'), of('b', 'error'), of('c', 'warning'), of('d', 'error')]
    expect(byWeight(found).map(({ what }) => what)).toEqual(['b', 'd', 'c', 'a'])
  })
})

describe('finding', () => {
  it('says the same in English as with its parts', () => {
    const shards = shardsText([0, 2])
    const found = finding({
      cause: 'no-owner',
      severity: 'error',
      what: message('unowned', { shards }),
      remedy: message('wait', { seconds: 3 }),
    })
    expect(found).toMatchObject({ what: 'nobody owns shards 0 and 2 yet', remedy: 'wait for 3 s' })
    expect(found.messageParts.what).toMatchObject({ code: 'unowned', parameters: { shards } })
    expect(found.messageParts.remedy).toEqual({
      text: 'wait for 3 s',
      code: 'wait',
      parameters: { seconds: 3 },
    })
  })
})

describe('shardsText', () => {
  it.each([
    [[3], 'shard 3'],
    [[0, 2], 'shards 0 and 2'],
    [[0, 1, 2, 3, 4], 'shards 0, 1, 2, 3 and 4'],
    [[0, 1, 2, 3, 4, 5, 9], 'shards 0, 1, 2, 3, 4 and 2 more'],
  ])('%j is "%s"', (shards, states) => {
    expect(shardsText(shards).text).toBe(states)
  })
})
