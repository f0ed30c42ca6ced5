import { describe, expect, it } from 'vitest'

import {
  callOf,
  decodeBarrierState,
  encodeBarrierState,
  isForgotten,
  type BarrierKey,
  withCall,
} from '../../src/barrier/barrier-state.ts'
import { readable } from '../support/readable.ts'

const none = readable(decodeBarrierState('', 'node'))
const done = { state: 'done' } as const
const at = (time: number, id?: number): BarrierKey => ({
  time,
  manualRun: id === undefined ? undefined : { id, asked: time },
})

describe('the barrier state', () => {
  it('is empty where nobody has written it', () => {
    expect(none.rounds).toEqual([])
  })

  it('comes back as it was written', () => {
    const state = withCall(none, at(5, 2), 'started', { state: 'calling', by: 'x' })
    expect(readable(decodeBarrierState(encodeBarrierState(state), 'node'))).toEqual(state)
  })

  it('knows the phases of a run apart, and a time from a trigger of the same moment', () => {
    const state = withCall(none, at(5), 'started', done)
    expect(callOf(state, at(5), 'started')).toEqual(done)
    expect(callOf(state, at(5), 'completed')).toBeUndefined()
    expect(callOf(state, at(5, 1), 'started')).toBeUndefined()
    expect(callOf(state, at(6), 'started')).toBeUndefined()
  })

  it('keeps what it knows of a run when more is said of it', () => {
    const state = withCall(withCall(none, at(5), 'started', done), at(5), 'completed', done)
    expect(state.rounds).toEqual([{ time: 5, started: done, completed: done }])
  })

  it('keeps the latest runs, and knows that the others are forgotten', () => {
    let state = none
    for (const time of [30, 10, 20]) state = withCall(state, at(time), 'started', done)
    expect(state.rounds.map(({ time }) => time)).toEqual([10, 20, 30])
    expect(isForgotten(state, at(5))).toBe(false)
    for (let time = 31; time < 50; time++) state = withCall(state, at(time), 'started', done)
    expect(callOf(state, at(10), 'started')).toBeUndefined()
    expect(isForgotten(state, at(10))).toBe(true)
    expect(isForgotten(state, at(60))).toBe(false)
    // It stays small, however long the job runs.
    expect(encodeBarrierState(state).length).toBeLessThan(1000)
  })
})
