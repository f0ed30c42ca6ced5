import { ElasticJobError } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import {
  type Circumstances,
  endingOf,
  endOf,
  formerOf,
  lostOf,
  lostStatusOf,
  startOf,
} from '../../src/recorder/records-of.ts'
import { assignment, someCrash, someRun } from '../support/runs.ts'

const around: Circumstances = {
  hostname: 'worker-1',
  startedAt: assignment + 250,
  newId: () => 'an-id',
}

const success = { outcome: 'success', error: undefined, duration: 1_499.6, retries: 0 } as const

describe('startOf', () => {
  const run = someRun({ runId: 'r1', claimedAt: assignment + 10 })
  const { execution, run: details, statuses } = startOf(run, around)

  test('is a row as Java writes it', () => {
    expect(execution).toEqual({
      id: 'r1',
      jobName: 'sync-orders',
      taskId: 'sync-orders@-@3@-@READY@-@10.0.1.1@-@17-abc',
      hostname: 'worker-1',
      ip: '10.0.1.1',
      shardingItem: 3,
      source: 'NORMAL_TRIGGER',
      startTime: assignment + 250,
      completeTime: undefined,
      isSuccess: false,
      failureCause: undefined,
    })
  })

  test('is staged at the claim and running at the start of the code', () => {
    expect(
      statuses.map(({ state, message, creationTime }) => [state, message, creationTime]),
    ).toEqual([
      ['TASK_STAGING', "Job 'sync-orders' execute begin.", assignment + 10],
      ['TASK_RUNNING', '', assignment + 250],
    ])
    expect(statuses[0]).toMatchObject({
      originalTaskId: '',
      taskId: 'sync-orders@-@3@-@READY@-@10.0.1.1@-@17-abc',
      slaveId: '10.0.1.1',
      executionType: 'READY',
      shardingItems: [3],
    })
  })

  test('includes details that Java has no column for', () => {
    expect(details).toMatchObject({
      runId: 'r1',
      instance: '10.0.1.1@-@17-abc',
      source: 'cron',
      fireTime: assignment,
      attempt: 1,
      manualRun: undefined,
      fencingToken: 42n,
      lateness: 250,
      outcome: undefined,
    })
  })

  test('never shows a claim after the start of the code, even if the clock was corrected', () => {
    const [staging] = startOf(someRun({ claimedAt: assignment + 900 }), around).statuses
    expect(staging?.creationTime).toBe(assignment + 250)
  })

  test('has no lateness for failover, and is never early', () => {
    expect(startOf(someRun({ source: 'failover' }), around).run.lateness).toBeUndefined()
    expect(startOf(someRun({ fireTime: assignment + 300 }), around).run.lateness).toBe(0)
  })
})

describe('endOf', () => {
  test('is complete in itself', () => {
    const { execution, run, statuses } = endOf(someRun(), around, endingOf(success))
    expect(execution).toMatchObject({
      startTime: assignment + 250,
      completeTime: assignment + 1_750,
    })
    expect(execution).toMatchObject({ isSuccess: true, failureCause: undefined })
    expect(run).toMatchObject({
      outcome: 'success',
      duration: 1_500,
      completeTime: assignment + 1_750,
    })
    expect(statuses).toMatchObject([{ state: 'TASK_FINISHED', message: '' }])
  })

  test('contains the error with the stack, as Java prints it', () => {
    const error = new Error('no room', { cause: new TypeError('disk') })
    const ending = { outcome: 'failure', error, duration: 5, retries: 2 } as const
    const { execution, run, statuses } = endOf(someRun(), around, endingOf(ending))
    expect(execution.isSuccess).toBe(false)
    expect(execution.failureCause).toMatch(/^Error: no room\n +at .*\nCaused by: TypeError: disk/s)
    expect(run).toMatchObject({ outcome: 'failure', retries: 2 })
    expect(statuses).toMatchObject([
      { state: 'TASK_ERROR', message: `{3=${execution.failureCause}}` },
    ])
  })

  test('after the timeout is a timeout', () => {
    const error = new ElasticJobError('JOB_RUN_TIMEOUT', 'the run took longer than 5 ms')
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).run.outcome).toBe('timeout')
  })

  test.for(['aborted', 'stopped', 'not-started'] as const)('%s needs no error', (outcome) => {
    const ending = { outcome, error: undefined, duration: 5, retries: 0 }
    const { execution, run } = endOf(someRun(), around, endingOf(ending))
    expect(execution.failureCause).toMatch(/^The run was |^An operator /)
    expect(run.outcome).toBe(outcome)
  })

  test.for([
    ['a text', 'a text'],
    [null, 'null'],
    [Symbol('x'), 'Symbol(x)'],
    [Object.create(null) as unknown, '[Object: null prototype] {}'],
  ] as const)('by something that is no error: %s', ([error, text]) => {
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).execution.failureCause).toBe(text)
  })

  test("truncates a huge cause to the length of Java's column", () => {
    const error = 'x'.repeat(3_000_000)
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).execution.failureCause).toBe('x'.repeat(4000))
  })
})

describe('lostOf', () => {
  test('closes the run with its known data', () => {
    expect(lostOf(someCrash({ attempt: 2, source: 'misfire' }), assignment + 9)).toEqual({
      runId: 'gone',
      jobName: 'sync-orders',
      shardingItem: 3,
      instance: '10.0.1.9@-@3-xyz',
      source: 'failover',
      fireTime: assignment,
      attempt: 2,
      manualRun: undefined,
      startTime: assignment + 5,
      time: assignment + 9,
    })
  })

  test('of a manual run keeps its number, and not the scheduled fire time before it', () => {
    const lost = lostOf(someCrash({ source: 'trigger' }), assignment + 9)
    expect(lost).toMatchObject({ source: 'trigger', manualRun: 7, fireTime: assignment + 5 })
  })

  test('is undefined for a run of Java', () => {
    expect(lostOf(someCrash({ runId: '' }), assignment)).toBeUndefined()
  })

  test('formerOf returns the run that an attempt repeats', () => {
    const takenOver = { runId: 'gone', instance: '10.0.1.9@-@3-xyz', claimedAt: assignment + 5 }
    const run = someRun({ source: 'failover', attempt: 2, takenOver })
    expect(formerOf(run, assignment + 9)).toEqual(lostOf(someCrash(), assignment + 9))
    expect(formerOf(someRun(), assignment)).toBeUndefined()
  })

  test("lostStatusOf is a last status with Java's names", () => {
    const lost = lostOf(someCrash(), assignment + 9)
    expect(lost && lostStatusOf(lost, around.newId)).toMatchObject({
      taskId: 'sync-orders@-@3@-@READY@-@10.0.1.9@-@3-xyz',
      state: 'TASK_LOST',
      message: 'Instance 10.0.1.9@-@3-xyz is gone.',
      creationTime: assignment + 9,
    })
  })
})
