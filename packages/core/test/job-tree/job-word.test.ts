import { describe, expect, it } from 'vitest'

import {
  decodeJobWord,
  encodeJobWord,
  isPaused,
  resumedOn,
  type JobWord,
  noJobWord,
} from '../../src/job-tree/job-word.ts'
import { x } from '../tree.ts'

describe('the word of a job', () => {
  it('comes back as it was written', () => {
    const word: JobWord = {
      schedule: { digest: 'd', since: 1 },
      lastRound: 3,
      previous: { id: 1, asked: 1 },
      running: { id: 2, asked: 2, parameter: 'p', instances: [x] },
      pending: { id: 3, asked: 3, items: [0, 5] },
      paused: true,
      pausedServers: ['10.0.0.1'],
      resumed: 9,
      removing: true,
    }
    expect(decodeJobWord(encodeJobWord(word))).toEqual(word)
  })

  it('of a job that has none says nothing', () => {
    expect(decodeJobWord('')).toEqual(noJobWord)
    expect(decodeJobWord('{"paused":true}')).toEqual({ lastRound: 0, paused: true })
  })
})

describe('isPaused', () => {
  it('is the whole job, or a server of exactly that address (I-33)', () => {
    expect(isPaused(noJobWord, '10.0.0.1')).toBe(false)
    expect(isPaused({ lastRound: 0, paused: true }, '10.0.0.1')).toBe(true)
    const word: JobWord = { lastRound: 0, pausedServers: ['10.0.0.1'] }
    expect(isPaused(word, '10.0.0.1')).toBe(true)
    expect(isPaused(word, '10.0.0.12')).toBe(false)
  })
})

describe('resumedOn', () => {
  it('is the later of a pause of the whole job and one of the server', () => {
    expect(resumedOn(noJobWord, '10.0.0.1')).toBe(0)
    const word = { lastRound: 0, resumed: 5, resumedServers: { '10.0.0.1': 7, '10.0.0.2': 3 } }
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((ip) => resumedOn(word, ip))).toEqual([7, 5, 5])
  })
})
