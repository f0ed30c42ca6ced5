import { ElasticJobError } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import {
  type Circumstances,
  endingOf,
  endOf,
  formerOf,
  javaSourceOf,
  lostOf,
  lostStatusOf,
  startOf,
} from '../../src/recorder/records-of.ts'
import { epoch, someCrash, someRun } from '../support/runs.ts'

const around: Circumstances = {
  hostname: 'worker-1',
  startedAt: epoch + 250,
  newId: () => 'an-id',
}

const success = { outcome: 'success', error: undefined, duration: 1_499.6, retries: 0 } as const

describe('the beginning of a run', () => {
  const run = someRun({ runId: 'r1', claimedAt: epoch + 10 })
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
      startTime: epoch + 250,
      completeTime: undefined,
      isSuccess: false,
      failureCause: undefined,
    })
  })

  test('is staged when it was claimed and runs when its code began', () => {
    expect(
      statuses.map(({ state, message, creationTime }) => [state, message, creationTime]),
    ).toEqual([
      ['TASK_STAGING', "Job 'sync-orders' execute begin.", epoch + 10],
      ['TASK_RUNNING', '', epoch + 250],
    ])
    expect(statuses[0]).toMatchObject({
      originalTaskId: '',
      taskId: 'sync-orders@-@3@-@READY@-@10.0.1.1@-@17-abc',
      slaveId: '10.0.1.1',
      executionType: 'READY',
      shardingItems: [3],
    })
  })

  test('has beside it what Java has no column for', () => {
    expect(details).toMatchObject({
      runId: 'r1',
      instance: '10.0.1.1@-@17-abc',
      source: 'cron',
      fireTime: epoch,
      attempt: 1,
      round: undefined,
      fencingToken: 42n,
      lateness: 250,
      outcome: undefined,
    })
  })

  test('was never claimed after its code began, whatever a clock that was corrected says', () => {
    const [staging] = startOf(someRun({ claimedAt: epoch + 900 }), around).statuses
    expect(staging?.creationTime).toBe(epoch + 250)
  })

  test('of failover says nothing of lateness, and one before its time is not late', () => {
    expect(startOf(someRun({ source: 'failover' }), around).run.lateness).toBeUndefined()
    expect(startOf(someRun({ fireTime: epoch + 300 }), around).run.lateness).toBe(0)
  })
})

describe('the end of a run', () => {
  test('is complete in itself', () => {
    const { execution, run, statuses } = endOf(someRun(), around, endingOf(success))
    expect(execution).toMatchObject({ startTime: epoch + 250, completeTime: epoch + 1_750 })
    expect(execution).toMatchObject({ isSuccess: true, failureCause: undefined })
    expect(run).toMatchObject({ outcome: 'success', duration: 1_500, completeTime: epoch + 1_750 })
    expect(statuses).toMatchObject([{ state: 'TASK_FINISHED', message: '' }])
  })

  test('tells why it failed, with the stack, as Java prints it', () => {
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

  test('that came too late is a timeout', () => {
    const error = new ElasticJobError('JOB_RUN_TIMEOUT', 'the run took longer than 5 ms')
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).run.outcome).toBe('timeout')
  })

  test.for(['aborted', 'stopped', 'not-started'] as const)('%s needs no error', (outcome) => {
    const ending = { outcome, error: undefined, duration: 5, retries: 0 }
    const { execution, run } = endOf(someRun(), around, endingOf(ending))
    expect(execution.failureCause).toMatch(/^It was |^An operator /)
    expect(run.outcome).toBe(outcome)
  })

  test.for([
    ['a text', 'a text'],
    [null, 'null'],
    [Symbol('x'), 'Symbol(x)'],
    [Object.create(null) as unknown, 'It failed with something that has no text.'],
  ] as const)('by something that is no error: %s', ([error, text]) => {
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).execution.failureCause).toBe(text)
  })

  test('with a cause of megabytes keeps what Java’s column takes', () => {
    const error = 'x'.repeat(3_000_000)
    const ending = { outcome: 'failure', error, duration: 5, retries: 0 } as const
    expect(endOf(someRun(), around, endingOf(ending)).execution.failureCause).toBe('x'.repeat(4000))
  })
})

describe('a run that a dead instance has left', () => {
  test('is closed as what it was', () => {
    expect(lostOf(someCrash({ attempt: 2, source: 'misfire' }), epoch + 9)).toEqual({
      runId: 'gone',
      jobName: 'sync-orders',
      shardingItem: 3,
      instance: '10.0.1.9@-@3-xyz',
      source: 'failover',
      fireTime: epoch,
      attempt: 2,
      round: undefined,
      startTime: epoch + 5,
      time: epoch + 9,
    })
  })

  test('of a trigger keeps the round, and not the scheduled time before it', () => {
    const lost = lostOf(someCrash({ source: 'trigger' }), epoch + 9)
    expect(lost).toMatchObject({ source: 'trigger', round: 7, fireTime: epoch + 5 })
  })

  test('is Java’s to close if it was Java’s', () => {
    expect(lostOf(someCrash({ runId: '' }), epoch)).toBeUndefined()
  })

  test('is known to whoever makes it good', () => {
    const takenOver = { runId: 'gone', instance: '10.0.1.9@-@3-xyz', claimedAt: epoch + 5 }
    const run = someRun({ source: 'failover', attempt: 2, takenOver })
    expect(formerOf(run, epoch + 9)).toEqual(lostOf(someCrash(), epoch + 9))
    expect(formerOf(someRun(), epoch)).toBeUndefined()
  })

  test('has a last status in Java’s words', () => {
    const lost = lostOf(someCrash(), epoch + 9)
    expect(lost && lostStatusOf(lost, around.newId)).toMatchObject({
      taskId: 'sync-orders@-@3@-@READY@-@10.0.1.9@-@3-xyz',
      state: 'TASK_LOST',
      message: 'Instance 10.0.1.9@-@3-xyz is gone.',
      creationTime: epoch + 9,
    })
  })
})

test.for([
  ['cron', 'NORMAL_TRIGGER'],
  ['trigger', 'NORMAL_TRIGGER'],
  ['misfire', 'MISFIRE'],
  ['failover', 'FAILOVER'],
] as const)('%s is %s in Java', ([source, java]) => {
  expect(javaSourceOf(source)).toBe(java)
})
