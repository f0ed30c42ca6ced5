/** What an instance remembers of a job, so that the job can be made again if the registry loses it. */
import type { JobView } from '../job-tree/job-view.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'

export interface RememberedJob {
  readonly jobState: JobState
  /** What an operator has switched off. */
  readonly disabledServers: readonly string[]
  readonly disabledShards: readonly number[]
}

export const nothingRemembered: RememberedJob = {
  jobState: noJobState,
  disabledServers: [],
  disabledShards: [],
}

/** Wishes of operators and numbers that go on counting. What ran, and who was there, is not among them. */
export function rememberedJob({ jobState, servers, shards }: JobView): RememberedJob {
  const { lastRound, paused, pausedServers, disabled: isDisabled } = jobState?.value ?? noJobState
  return {
    jobState: {
      lastRound,
      ...(paused === undefined ? {} : { paused }),
      ...(pausedServers === undefined ? {} : { pausedServers }),
      ...(isDisabled === undefined ? {} : { disabled: isDisabled }),
    },
    disabledServers: [...servers].filter(([, stored]) => stored === 'DISABLED').map(([ip]) => ip),
    disabledShards: [...shards].filter(([, { disabled }]) => disabled).map(([shard]) => shard),
  }
}
