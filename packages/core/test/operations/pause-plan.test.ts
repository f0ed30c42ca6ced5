import { describe, expect, it } from 'vitest'

import { resumedOn } from '../../src/job-tree/job-state.ts'
import { planPause, planResume } from '../../src/operations/pause-plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y } from '../tree.ts'

const now = 5000
const pausedAt = 4000
const ip = '10.0.0.1'
const pause = (tree: JobTree, server?: string): ReturnType<typeof planPause> =>
  carryOut(tree, planPause(tree.view, operatorOf(tree), pausedAt, server))
const resume = (tree: JobTree, server?: string): ReturnType<typeof planResume> =>
  carryOut(tree, planResume(tree.view, operatorOf(tree), now, server))

describe('planPause', () => {
  it('pauses a job, and leaves the rest of its state alone', () => {
    const tree = jobTree({ instances: [x], jobState: { lastRound: 7 } })
    expect(pause(tree).done).toMatchObject([{ jobName: 'job', text: 'job job is paused' }])
    expect(tree.view.jobState?.value).toEqual({
      lastRound: 7,
      paused: true,
      off: [{ why: 'paused', from: pausedAt }],
    })
    const again = pause(tree)
    expect(again).toMatchObject({ operations: [], done: [], unchanged: [{ jobName: 'job' }] })
  })

  it('pauses one server of a job, beside others that are paused', () => {
    const tree = jobTree({ instances: [x, y], jobState: { pausedServers: ['10.0.0.2'] } })
    expect(pause(tree, ip).done).toMatchObject([{ server: ip }])
    expect(tree.view.jobState?.value.pausedServers).toEqual([ip, '10.0.0.2'])
    expect(pause(tree, ip).unchanged).toHaveLength(1)
  })

  it('says which Java instances go on', () => {
    const tree = jobTree({ instances: [x, java] })
    expect(pause(tree).skipped).toMatchObject([{ instance: java, server: '10.0.0.9' }])
    expect(pause(tree, ip).skipped).toEqual([])
    expect(pause(tree, '10.0.0.9').skipped).toHaveLength(1)
  })

  it('is remembered in a job that only Java has run so far', () => {
    const tree = jobTree({ instances: [java], jobState: false })
    tree.server.drop(tree.paths.shardStates)
    pause(tree)
    expect(tree.view.jobState?.value.paused).toBe(true)
    expect(tree.server.get(tree.paths.shardStates)).toBeDefined()
  })

  it('fails if somebody else has changed the state meanwhile', () => {
    const tree = jobTree({ instances: [x] })
    const late = planPause(tree.view, operatorOf(tree), pausedAt)
    pause(tree, ip)
    expect(tree.apply(late.operations, 'operator')).toBe('BAD_VERSION')
  })

  it('is refused for a job that is being removed', () => {
    const tree = jobTree({ instances: [x], jobState: { removing: true } })
    expect(() => pause(tree)).toThrow(expect.objectContaining({ code: 'JOB_REMOVED' }))
    expect(() => resume(tree)).toThrow(expect.objectContaining({ code: 'JOB_REMOVED' }))
  })
})

describe('planResume', () => {
  it('lifts every pause of a job, and says from when on it fires', () => {
    const tree = jobTree({ jobState: { lastRound: 3, paused: true, pausedServers: [ip] } })
    expect(resume(tree).done).toMatchObject([{ jobName: 'job' }, { server: ip }])
    expect(tree.view.jobState?.value).toEqual({ lastRound: 3, resumed: now })
    expect(resume(tree)).toMatchObject({ operations: [], unchanged: [{ jobName: 'job' }] })
  })

  it('lifts the pause of one server: nothing changes for the others', () => {
    const tree = jobTree({
      jobState: { pausedServers: [ip, '10.0.0.2'], resumedServers: { z: 1 } },
    })
    resume(tree, ip)
    const jobState = tree.view.jobState?.value
    expect(jobState?.pausedServers).toEqual(['10.0.0.2'])
    expect(jobState && resumedOn(jobState, ip)).toBe(now)
    expect(jobState && resumedOn(jobState, '10.0.0.3')).toBe(0)
    resume(tree, '10.0.0.2')
    expect(tree.view.jobState?.value).not.toHaveProperty('pausedServers')
    expect(resume(tree, '10.0.0.2').unchanged).toHaveLength(1)
  })

  it('resumes a job that is paused on servers only there: what is due elsewhere stays due', () => {
    const tree = jobTree({ jobState: { pausedServers: [ip], resumedServers: { z: 1 } } })
    resume(tree)
    const jobState = tree.view.jobState?.value
    expect(jobState).toEqual({ lastRound: 0, resumedServers: { z: 1, [ip]: now } })
    expect(jobState && resumedOn(jobState, '10.0.0.2')).toBe(0)
  })

  it('does not pretend to resume a server of a job that is paused as a whole', () => {
    const tree = jobTree({ jobState: { paused: true, pausedServers: [ip] } })
    const actionPlan = resume(tree, ip)
    expect(actionPlan.skipped).toMatchObject([{ server: ip }])
    expect(actionPlan.done).toMatchObject([
      { jobName: 'job', server: ip, text: `the pause of server ${ip} is lifted` },
    ])
    expect(tree.view.jobState?.value).toMatchObject({ paused: true })
    expect(resume(tree, ip)).toMatchObject({ done: [], unchanged: [], skipped: [{ server: ip }] })
  })
})
