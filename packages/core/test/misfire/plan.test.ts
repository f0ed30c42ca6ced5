import { describe, expect, it } from 'vitest'

import { neverRun } from '../../src/job-tree/shard-state.ts'
import { isMissed, reasonFor, silentShards } from '../../src/misfire/plan.ts'
import { java, type Situation, viewOf, x, y, z } from '../tree.ts'

const T = 900_000
const job: Situation = { instances: [y, z], leader: y, owners: [y, z, y] }

describe('silentShards', () => {
  const silent = (situation: Situation, marked: [number, number][] = []): number[] =>
    silentShards(viewOf(situation), 3, T, new Map(marked))

  it('are those of which no mark was seen since their time, or so long before it as they may be claimed', () => {
    expect(silent(job)).toEqual([0, 1, 2])
    expect(
      silent(job, [
        [0, T + 5],
        [1, T - 100],
        [2, T - 101],
      ]),
    ).toEqual([2])
  })

  it('are not disabled, and do not run', () => {
    expect(silent({ ...job, marks: { 0: { disabled: '' }, 1: { running: z } } })).toEqual([2])
  })

  it('are not paused, and were not then', () => {
    expect(silent({ ...job, jobState: { pausedServers: ['10.0.0.2'] } })).toEqual([1])
    expect(silent({ ...job, jobState: { resumedServers: { '10.0.0.2': T } } })).toEqual([1])
    expect(silent({ ...job, jobState: { resumedServers: { '10.0.0.2': T - 1 } } })).toEqual([
      0, 1, 2,
    ])
    expect(silent({ ...job, jobState: { resumed: T } })).toEqual([])
  })

  it('are not what Java owns: nobody knows what it has run', () => {
    expect(silent({ ...job, instances: [y, z, java], owners: [y, java, y] })).toEqual([0, 2])
  })

  it('are what Java owns if it was away then: it has run nothing', () => {
    const shared = { ...job, instances: [y, z, java], owners: [y, java, y] }
    const away = { ...shared, gaps: { [java]: { since: T - 1000, until: T } } }
    expect(silent(away, [[1, T + 4000]])).toEqual([0, 1, 2])
    expect(reasonFor(viewOf(away), 1, T)).toBe(`its owner ${java} was away then`)
    const before = { ...shared, gaps: { [java]: { since: T - 1000, until: T - 1 } } }
    expect(silent(before)).toEqual([0, 2])
  })
})

describe('isMissed', () => {
  it('is a shard that has never run, or not since', () => {
    expect(isMissed(undefined, T)).toBe(true)
    expect(isMissed({ ...neverRun, fireTime: T - 1, begin: T - 1, end: T - 1 }, T)).toBe(true)
  })

  it('is not one that has run it, or a later one', () => {
    expect(isMissed({ ...neverRun, fireTime: T, begin: T, end: T }, T)).toBe(false)
    expect(isMissed({ ...neverRun, fireTime: T + 1, begin: T, end: T }, T)).toBe(false)
  })

  it('is false for a shard that ran the fire time late', () => {
    const late = { ...neverRun, fireTime: T, begin: T + 8000 }
    expect(isMissed({ ...late, state: 'running' }, T)).toBe(false)
    expect(isMissed({ ...late, end: T + 9000 }, T)).toBe(false)
  })

  it('is not one that was running then: that is a misfire', () => {
    const before = { ...neverRun, fireTime: T - 5000, begin: T - 5000 }
    expect(isMissed({ ...before, state: 'running' }, T)).toBe(false)
    expect(isMissed({ ...before, end: T + 1 }, T)).toBe(false)
  })

  it('is not one that was switched on after it', () => {
    expect(isMissed({ ...neverRun, since: T }, T)).toBe(false)
  })
})

describe('reasonFor', () => {
  it.each<[string, Situation, string]>([
    ['nobody there', { ...job, instances: [] }, 'no instance takes part in the job'],
    [
      'all disabled',
      { ...job, servers: { '10.0.0.2': 'DISABLED', '10.0.0.3': 'DISABLED' } },
      'all servers are disabled',
    ],
    ['crashed', { ...job, waitingForFailover: [0] }, 'its crashed run waits to be taken over'],
    ['not assigned', { ...job, owners: [undefined] }, 'it has no owner yet'],
    ['owner dead', { ...job, owners: [x] }, `its owner ${x} is gone`],
    ['owner leaving', { ...job, owners: [x], leaving: [x] }, `its owner ${x} is leaving`],
    [
      'owner disabled',
      { ...job, servers: { '10.0.0.2': 'DISABLED' } },
      `its owner ${y} is disabled`,
    ],
    ['flag up', { ...job, necessary: true }, 'a resharding is in progress'],
    ['none of these', job, `its owner ${y} has not claimed it`],
  ])('%s', (_, situation, reason) => {
    expect(reasonFor(viewOf(situation), 0, T)).toBe(reason)
  })
})
