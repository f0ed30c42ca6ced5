import { describe, expect, it } from 'vitest'

import {
  callOf,
  decodeRounds,
  encodeRounds,
  isForgotten,
  type RoundKey,
  withCall,
} from '../../src/guarantee/rounds-word.ts'

const none = decodeRounds('')
const done = { state: 'done' } as const
const at = (time: number, id?: number): RoundKey => ({
  time,
  round: id === undefined ? undefined : { id, asked: time },
})

describe("the rounds' word", () => {
  it('is empty where nobody has written it', () => {
    expect(none.rounds).toEqual([])
  })

  it('comes back as it was written', () => {
    const word = withCall(none, at(5, 2), 'started', { state: 'calling', by: 'x' })
    expect(decodeRounds(encodeRounds(word))).toEqual(word)
  })

  it('knows the phases of a round apart, and a time from a trigger of the same moment', () => {
    const word = withCall(none, at(5), 'started', done)
    expect(callOf(word, at(5), 'started')).toEqual(done)
    expect(callOf(word, at(5), 'completed')).toBeUndefined()
    expect(callOf(word, at(5, 1), 'started')).toBeUndefined()
    expect(callOf(word, at(6), 'started')).toBeUndefined()
  })

  it('keeps what it knows of a round when more is said of it', () => {
    const word = withCall(withCall(none, at(5), 'started', done), at(5), 'completed', done)
    expect(word.rounds).toEqual([{ time: 5, started: done, completed: done }])
  })

  it('keeps the latest rounds, and knows that the others are forgotten', () => {
    let word = none
    for (const time of [30, 10, 20]) word = withCall(word, at(time), 'started', done)
    expect(word.rounds.map(({ time }) => time)).toEqual([10, 20, 30])
    expect(isForgotten(word, at(5))).toBe(false)
    for (let time = 31; time < 50; time++) word = withCall(word, at(time), 'started', done)
    expect(callOf(word, at(10), 'started')).toBeUndefined()
    expect(isForgotten(word, at(10))).toBe(true)
    expect(isForgotten(word, at(60))).toBe(false)
    // It stays small, however long the job runs.
    expect(encodeRounds(word).length).toBeLessThan(1000)
  })
})
