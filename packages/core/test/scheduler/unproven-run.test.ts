import { systemClock, systemRandom } from '@elasticjob/core/internal'
import { expect, it } from 'vitest'

import { runLimitsOf } from '../../src/config/run-limits.ts'
import { RunAbort } from '../../src/execution/run-abort.ts'
import type { ClaimedRun } from '../../src/execution/run.ts'
import type { JobContext } from '../../src/scheduler/job-context.ts'
import { perform } from '../../src/scheduler/perform.ts'

it.each([
  [true, 'success'],
  [false, 'not-started'],
] as const)(
  'a run that waited for others starts only with a session that is proven to live: %s',
  async (isProven, outcome) => {
    let hasStarted = false
    const run = { abort: new RunAbort(), reference: {} } as ClaimedRun
    const context = {
      services: { clock: systemClock, random: systemRandom },
      session: { client: { lease: { valid: isProven } } },
      emit: () => true,
    } as unknown as JobContext
    const performed = await perform(context, [run], runLimitsOf({}), () => {
      hasStarted = true
      return Promise.resolve()
    })
    expect(performed.outcome).toBe(outcome)
    expect(hasStarted).toBe(isProven)
  },
)
