import { expect, test } from 'vitest'

import { scriptEnvironment } from '../../../src/job-types/script/environment.ts'
import { shardContext } from '../support/contexts.ts'

test('all that a run is, beside what was there', () => {
  const context = shardContext({ offset: 'row-7', fencingToken: 2n ** 60n, attempt: 3 })
  expect(scriptEnvironment({ PATH: '/bin' }, context)).toEqual({
    PATH: '/bin',
    ELASTICJOB_JOB_NAME: 'sync-orders',
    ELASTICJOB_TASK_ID: context.taskId,
    ELASTICJOB_RUN_ID: 'run-1',
    ELASTICJOB_SHARDING_ITEM: '0',
    ELASTICJOB_SHARDING_TOTAL_COUNT: '2',
    ELASTICJOB_SHARDING_PARAMETER: 'Beijing',
    ELASTICJOB_JOB_PARAMETER: 'all',
    ELASTICJOB_MONITOR_EXECUTION: 'true',
    ELASTICJOB_FIRE_TIME: '2026-03-01T10:00:00.000Z',
    ELASTICJOB_OFFSET: 'row-7',
    ELASTICJOB_FENCING_TOKEN: '1152921504606846976',
    ELASTICJOB_ATTEMPT: '3',
  })
})

test('what the run has not is not taken from another run', () => {
  const inherited = { ELASTICJOB_OFFSET: 'row-1', ELASTICJOB_FENCING_TOKEN: '1' }
  const environment = scriptEnvironment(inherited, shardContext())
  expect(environment['ELASTICJOB_OFFSET']).toBeUndefined()
  expect(environment['ELASTICJOB_FENCING_TOKEN']).toBeUndefined()
})
