import { describe, expect, it } from 'vitest'

import type { JobState } from '../../src/job-tree/job-state.ts'
import { countingFrom } from '../../src/job-tree/timeline.ts'

const jobState: JobState = {
  lastRound: 3,
  schedule: { digest: 'd', since: 500 },
  timeline: [
    { from: 100, cron: '0/5 * * * * ?', total: 2 },
    { from: 500, cron: '0/9 * * * * ?', total: 2 },
  ],
}

describe('countingFrom', () => {
  it('leaves out spans that were over, and shortens the one that was not', () => {
    expect(countingFrom(jobState, 700)).toEqual({
      lastRound: 3,
      schedule: { digest: 'd', since: 700 },
      timeline: [{ from: 700, cron: '0/9 * * * * ?', total: 2 }],
    })
    expect(countingFrom(jobState, 300)).toEqual({
      ...jobState,
      timeline: [{ ...jobState.timeline?.[0], from: 300 }, jobState.timeline?.[1]],
    })
  })

  it('changes nothing about what begins later, nor about a state that says nothing of it', () => {
    expect(countingFrom(jobState, 50)).toEqual(jobState)
    expect(countingFrom({ lastRound: 1 }, 700)).toEqual({ lastRound: 1 })
  })
})
