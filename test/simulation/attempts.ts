/** 2: a run that crashes its processes is begun so often and not more. */
import type { History, Violation } from './history.ts'

/** `failover.max.attempts`, as no job says otherwise. */
const mostAttempts = 3

export function tooManyAttempts({ states }: History): Violation[] {
  return states.flatMap(({ shardState, at, jobName, shard, isRestored }): Violation[] => {
    // One that was handed over has crashed nobody, and of Java's nobody counts the attempts.
    const isCrash =
      shardState.state === 'crashed' && shardState.outcome === undefined && shardState.run !== ''
    if (!isCrash || isRestored === true || shardState.attempt < mostAttempts) return []
    const text = `run ${shardState.run} (${jobName}/${shard}) crashed in attempt ${shardState.attempt} and waits to be taken over`
    return [{ rule: '2', at, text, jobName, shard }]
  })
}
