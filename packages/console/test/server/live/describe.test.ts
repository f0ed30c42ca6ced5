import type { Message } from '@elasticjob/core'
import type { JobDetail } from '@elasticjob/core/operations'
import { expect, it } from 'vitest'

import { detailOf, entryOf } from '../../../src/server/live/describe.ts'
import { FollowedJobs } from '../../support/followed.ts'

const job = new FollowedJobs(1).jobs.get('job-0') as JobDetail

function broken(reason: string): JobDetail {
  const problemParts: Message = {
    text: `it is broken: ${reason}`,
    code: 'broken-node',
    parameters: { problem: reason },
  }
  return { ...job, problem: problemParts.text, problemParts }
}

it('says what is wrong with a job in English and with its parts', () => {
  expect(entryOf(broken('no jobName'), [])).toMatchObject({
    problem: 'it is broken: no jobName',
    problemParts: { code: 'broken-node', parameters: { problem: 'no jobName' } },
  })
  expect(entryOf(job, []).problemParts).toBeUndefined()
})

it('names the instances whose clocks are refused', () => {
  const refusedClocks = [
    { instance: '10.0.0.1@-@1-abcdefgh', server: '10.0.0.1', difference: 5000 },
  ]
  expect(entryOf({ ...job, refusedClocks }, [])).toMatchObject({ refusedClocks })
})

it('cuts a long text of the registry, and sends it once', () => {
  const { problem, problemParts } = entryOf(broken('x'.repeat(5000)), [])
  expect(problem).toHaveLength(2001)
  expect(problemParts).toBeUndefined()
})

it('says what is in the way of a shard with its parts, without sending its English twice', () => {
  const obstacle = 'it is disabled: enable it'
  const shard: JobDetail['shards'][number] = {
    shard: 0,
    parameter: undefined,
    status: 'DISABLED',
    legacyStatus: 'PENDING',
    state: 'disabled',
    obstacle,
    obstacleParts: { text: obstacle, code: 'obstacle-disabled', parameters: {} },
    owner: undefined,
    server: undefined,
    ownerOnline: false,
    movesTo: undefined,
    disabled: true,
    failover: undefined,
    run: undefined,
    completed: false,
    lastBeginTime: undefined,
    lastCompleteTime: undefined,
    nextFireTime: undefined,
  }
  expect(detailOf({ ...job, shards: [shard] }, []).shards[0]).toMatchObject({
    obstacle,
    obstacleParts: { code: 'obstacle-disabled', parameters: {} },
  })
  expect(JSON.stringify(detailOf({ ...job, shards: [shard] }, []))).not.toContain('"text"')
})
