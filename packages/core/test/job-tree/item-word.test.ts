import { describe, expect, it } from 'vitest'

import {
  decodeItemWord,
  encodeItemWord,
  type ItemWord,
  neverRun,
} from '../../src/job-tree/item-word.ts'
import { x } from '../tree.ts'

describe('the word of an item', () => {
  it('comes back as it was written', () => {
    const word: ItemWord = {
      state: 'running',
      run: 'r',
      instance: x,
      fireTime: 1_767_225_600_000,
      source: 'cron',
      attempt: 2,
      round: 3,
      begin: 4,
      end: 5,
      outcome: 'failure',
      error: 'Error: "quoted"\nand more',
      nextFireTime: 6,
      since: 7,
    }
    expect(decodeItemWord(encodeItemWord(word))).toEqual(word)
    expect(decodeItemWord(encodeItemWord(neverRun))).toEqual(neverRun)
  })

  it('of an item that has none is that it never ran', () => {
    expect(decodeItemWord('')).toEqual(neverRun)
  })

  it('that says less than we know is understood: others may have written it', () => {
    expect(decodeItemWord('{"state":"idle","fireTime":9}')).toEqual({ ...neverRun, fireTime: 9 })
  })
})
