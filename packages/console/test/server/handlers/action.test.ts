import { ElasticJobError } from '@elasticjob/core'
import type { OperationResult } from '@elasticjob/core/operations'
import { expect, it } from 'vitest'

import { operationResult } from '../../../src/contract/results.ts'
import { resultOf } from '../../../src/server/handlers/action.ts'

const messageParts = { text: 'job a is paused', code: 'job-paused', parameters: { jobName: 'a' } }
const nothing: OperationResult = {
  action: 'pause',
  done: [],
  unchanged: [],
  skipped: [],
  failed: [],
}

it('sends what was done, with the parts of its sentence', () => {
  const result = resultOf({
    ...nothing,
    done: [{ jobName: 'a', text: messageParts.text, messageParts }],
  })
  expect(operationResult.parse(result).done).toEqual([
    {
      jobName: 'a',
      text: 'job a is paused',
      messageParts: { code: 'job-paused', parameters: { jobName: 'a' } },
    },
  ])
})

it('sends what failed with its code, and never the error itself', () => {
  const known = new ElasticJobError('JOB_REMOVED', messageParts)
  const { failed } = resultOf({
    ...nothing,
    failed: [
      { jobName: 'a', reason: known.message, messageParts, error: known },
      { jobName: 'b', reason: 'no', error: new Error('no') },
    ],
  })
  expect(JSON.parse(JSON.stringify(failed))).toEqual([
    {
      jobName: 'a',
      reason: 'job a is paused',
      messageParts: { code: 'job-paused', parameters: { jobName: 'a' } },
      code: 'JOB_REMOVED',
    },
    { jobName: 'b', reason: 'no' },
  ])
})
