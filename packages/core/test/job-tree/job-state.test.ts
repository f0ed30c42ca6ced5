import { describe, expect, it } from 'vitest'

import {
  decodeJobState,
  encodeJobState,
  isPaused,
  resumedOn,
  type JobState,
  noJobState,
} from '../../src/job-tree/job-state.ts'
import { x } from '../tree.ts'
import { readable } from '../support/readable.ts'

describe('the state of a job', () => {
  it('comes back as it was written', () => {
    const jobState: JobState = {
      schedule: { digest: 'd', since: 1 },
      lastRound: 3,
      previous: { id: 1, asked: 1 },
      running: { id: 2, asked: 2, parameter: 'p', instances: [x] },
      pending: { id: 3, asked: 3, shards: [0, 5] },
      paused: true,
      pausedServers: ['10.0.0.1'],
      resumed: 9,
      removing: true,
    }
    expect(readable(decodeJobState(encodeJobState(jobState), 'node'))).toEqual(jobState)
  })

  it('of a job that has none says nothing', () => {
    expect(readable(decodeJobState('', 'node'))).toEqual(noJobState)
    expect(readable(decodeJobState('{"paused":true}', 'node'))).toEqual({
      lastRound: 0,
      paused: true,
    })
  })
})

describe('isPaused', () => {
  it('is the whole job, or a server of exactly that address', () => {
    expect(isPaused(noJobState, '10.0.0.1')).toBe(false)
    expect(isPaused({ lastRound: 0, paused: true }, '10.0.0.1')).toBe(true)
    const jobState: JobState = { lastRound: 0, pausedServers: ['10.0.0.1'] }
    expect(isPaused(jobState, '10.0.0.1')).toBe(true)
    expect(isPaused(jobState, '10.0.0.12')).toBe(false)
  })
})

describe('resumedOn', () => {
  it('is the later of a pause of the whole job and one of the server', () => {
    expect(resumedOn(noJobState, '10.0.0.1')).toBe(0)
    const jobState = { lastRound: 0, resumed: 5, resumedServers: { '10.0.0.1': 7, '10.0.0.2': 3 } }
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((ip) => resumedOn(jobState, ip))).toEqual([
      7, 5, 5,
    ])
  })
})
