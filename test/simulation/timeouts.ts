/** 11: a run that takes longer than its job allows is told so, when its time is over and not before. */
import type { History, Violation } from './history.ts'

/** How late it may be told, in milliseconds, and how much a clock may differ, as a share. */
const turn = 50
const drift = 0.001

export function timeoutViolations(history: History): Violation[] {
  return history.runs.flatMap((run): Violation[] => {
    const { timeout = 0, begin, jobName, shard, runId, process } = run
    if (timeout === 0) return []
    const say = (at: number, text: string): Violation[] => [
      { rule: '11', at, text: `run ${runId} (${jobName}/${shard}) ${text}`, jobName, shard },
    ]
    if (run.isTimedOut === true && (run.abortedAt ?? 0) < begin + timeout * (1 - drift) - 1) {
      return say(
        run.abortedAt ?? 0,
        `is timed out ${(run.abortedAt ?? 0) - begin} ms after its start`,
      )
    }
    // A process that stood still learns of the time when it wakes, and the clock of its machine may stand still, too.
    const freezes = history.freezes.get(process) ?? []
    const stood = freezes.reduce(
      (sum, [from, to]) => sum + Math.max(0, Math.min(to, history.end) - Math.max(from, begin)),
      0,
    )
    const deadline = begin + timeout * (1 + drift) + turn + stood
    const stopped = Math.min(run.abortedAt ?? Infinity, run.end ?? Infinity, history.end)
    return stopped > deadline
      ? say(deadline, `was not told that it took longer than ${timeout} ms`)
      : []
  })
}
