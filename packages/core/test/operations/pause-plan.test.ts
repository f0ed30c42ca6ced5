import { describe, expect, it } from 'vitest'

import { resumedOn } from '../../src/job-tree/job-word.ts'
import { planPause, planResume } from '../../src/operations/pause-plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y } from '../tree.ts'

const now = 5000
const ip = '10.0.0.1'
const pause = (tree: JobTree, server?: string): ReturnType<typeof planPause> =>
  carryOut(tree, planPause(tree.view, operatorOf(tree), server))
const resume = (tree: JobTree, server?: string): ReturnType<typeof planResume> =>
  carryOut(tree, planResume(tree.view, operatorOf(tree), now, server))

describe('planPause', () => {
  it('pauses a job, and leaves the rest of its word alone', () => {
    const tree = jobTree({ instances: [x], word: { lastRound: 7 } })
    expect(pause(tree).done).toMatchObject([{ jobName: 'job', text: 'job job is paused' }])
    expect(tree.view.word?.value).toEqual({ lastRound: 7, paused: true })
    const again = pause(tree)
    expect(again).toMatchObject({ operations: [], done: [], unchanged: [{ jobName: 'job' }] })
  })

  it('pauses one server of a job, beside others that are paused', () => {
    const tree = jobTree({ instances: [x, y], word: { pausedServers: ['10.0.0.2'] } })
    expect(pause(tree, ip).done).toMatchObject([{ server: ip }])
    expect(tree.view.word?.value.pausedServers).toEqual([ip, '10.0.0.2'])
    expect(pause(tree, ip).unchanged).toHaveLength(1)
  })

  it('says which Java instances go on', () => {
    const tree = jobTree({ instances: [x, java] })
    expect(pause(tree).skipped).toMatchObject([{ instance: java, server: '10.0.0.9' }])
    expect(pause(tree, ip).skipped).toEqual([])
    expect(pause(tree, '10.0.0.9').skipped).toHaveLength(1)
  })

  it('is remembered in a job that only Java has run so far', () => {
    const tree = jobTree({ instances: [java], word: false })
    tree.server.drop(tree.paths.words)
    pause(tree)
    expect(tree.view.word?.value.paused).toBe(true)
    expect(tree.server.get(tree.paths.words)).toBeDefined()
  })

  it('fails if somebody else has changed the word meanwhile', () => {
    const tree = jobTree({ instances: [x] })
    const late = planPause(tree.view, operatorOf(tree))
    pause(tree, ip)
    expect(tree.apply(late.operations, 'operator')).toBe('BAD_VERSION')
  })

  it('is refused for a job that is being removed', () => {
    const tree = jobTree({ instances: [x], word: { removing: true } })
    expect(() => pause(tree)).toThrow(expect.objectContaining({ code: 'JOB_REMOVED' }))
    expect(() => resume(tree)).toThrow(expect.objectContaining({ code: 'JOB_REMOVED' }))
  })
})

describe('planResume', () => {
  it('lifts every pause of a job, and says from when on it fires', () => {
    const tree = jobTree({ word: { lastRound: 3, paused: true, pausedServers: [ip] } })
    expect(resume(tree).done).toMatchObject([{ jobName: 'job' }, { server: ip }])
    expect(tree.view.word?.value).toEqual({ lastRound: 3, resumed: now })
    expect(resume(tree)).toMatchObject({ operations: [], unchanged: [{ jobName: 'job' }] })
  })

  it('lifts the pause of one server: nothing changes for the others', () => {
    const tree = jobTree({ word: { pausedServers: [ip, '10.0.0.2'], resumedServers: { z: 1 } } })
    resume(tree, ip)
    const word = tree.view.word?.value
    expect(word?.pausedServers).toEqual(['10.0.0.2'])
    expect(word && resumedOn(word, ip)).toBe(now)
    expect(word && resumedOn(word, '10.0.0.3')).toBe(0)
    resume(tree, '10.0.0.2')
    expect(tree.view.word?.value).not.toHaveProperty('pausedServers')
    expect(resume(tree, '10.0.0.2').unchanged).toHaveLength(1)
  })

  it('does not pretend to resume a server of a job that is paused as a whole', () => {
    const tree = jobTree({ word: { paused: true, pausedServers: [ip] } })
    const draft = resume(tree, ip)
    expect(draft.skipped).toMatchObject([{ server: ip }])
    expect(draft.done).toMatchObject([
      { jobName: 'job', server: ip, text: `the pause of server ${ip} is lifted` },
    ])
    expect(tree.view.word?.value).toMatchObject({ paused: true })
    expect(resume(tree, ip)).toMatchObject({ done: [], unchanged: [], skipped: [{ server: ip }] })
  })
})
