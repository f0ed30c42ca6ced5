/** Facts written by hand, for the tests of what judges them. */
import type { Facts, Run, ToldEvent } from './facts.ts'

/** One lease of a session that lives throughout. */
const always: Run['lease'] = [[0, 100_000]]

/** A run of shard 0 of a job, one second long, that begins when its time comes; its token is its time. */
export function run(fireTime: number, changes: Partial<Run> = {}): Run {
  const { begin = fireTime, attempt = 1 } = changes
  const end = changes.end ?? begin + 1000
  return {
    job: 'job',
    shard: 0,
    run: `run-${fireTime}-${attempt}`,
    fireTime,
    claimedAt: begin,
    attempt,
    source: 'cron',
    instance: '10.0.0.1@-@1-a',
    token: BigInt(fireTime),
    process: 0,
    begin,
    ticks: [],
    aborted: undefined,
    end,
    lease: always,
    written: { begin, end },
    offset: 0,
    saved: [],
    ...changes,
  }
}

export function facts(runs: readonly Run[], changes: Partial<Facts> = {}): Facts {
  return {
    runs: runs.toSorted((a, b) => a.begin - b.begin),
    events: [],
    asked: [],
    still: [],
    ...changes,
  }
}

export function event(
  at: number,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): ToldEvent {
  return { at, event: name, process: 0, payload: { jobName: 'job', shardingItem: 0, ...payload } }
}
