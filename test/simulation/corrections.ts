/**
 * 5: a shard state goes back to an earlier fire time only after the registry's clock was set back. The fire times in
 * between come a second time, and count a second time.
 */
import { byShard } from './by-shard.ts'
import type { History, Violation, StateChange } from './history.ts'

/** How far behind its fire time the clock was at least: an instance knows it no better over a slow network. */
const least = 1000

/** Fire times after `after`, up to and with `until`, count again from the transaction on. */
export interface Correction {
  readonly change: StateChange
  readonly after: number
  readonly until: number
}

const known = new WeakMap<History, ReadonlyMap<string, readonly Correction[]>>()

/** The corrections of each shard. */
export function correctionsOf(history: History): ReadonlyMap<string, readonly Correction[]> {
  const before = known.get(history)
  if (before !== undefined) return before
  const all = new Map<string, readonly Correction[]>()
  for (const [shard, changes] of byShard(history.states)) {
    const found = changes.flatMap((change, index) => correctionBy(change, changes[index - 1]))
    if (found.length > 0) all.set(shard, found)
  }
  known.set(history, all)
  return all
}

/** A claim that is undone brings the fire time before it back; a correction leaves the run alone. */
function correctionBy(change: StateChange, before: StateChange | undefined): Correction[] {
  if (before?.era !== change.era || change.isRestored === true) return []
  const { shardState } = change
  const isSameRun =
    before.shardState.run === shardState.run && before.shardState.state === shardState.state
  const [after, until] = [accountedUntil(shardState), accountedUntil(before.shardState)]
  return !isSameRun || until <= after ? [] : [{ change, after, until }]
}

/** Fire times up to this one ran, or were reported. */
function accountedUntil({ fireTime, since = 0 }: StateChange['shardState']): number {
  return Math.max(fireTime, since)
}

/** How often a fire time has come again when the shard state was changed. */
export function comesAgain(history: History, change: StateChange): number {
  const { jobName, shard, order, shardState, era } = change
  const corrections = correctionsOf(history).get(`${jobName}/${shard}`) ?? []
  return corrections.filter(
    (one) =>
      one.change.era === era && one.change.order <= order && covers(one, shardState.fireTime),
  ).length
}

export function covers({ after, until }: Correction, fireTime: number): boolean {
  return after < fireTime && fireTime <= until
}

export function needlessCorrections(history: History): Violation[] {
  return [...correctionsOf(history).values()].flat().flatMap((correction): Violation[] => {
    const { change, after, until } = correction
    const { jobName, shard, at } = change
    if (earliestTime(history, correction) < until - least) return []
    const times = `${until - history.assignment} to ${after - history.assignment}`
    const text = `the state of ${jobName}/${shard} goes back from ${times}, and no clock was set back`
    return [{ rule: '5', at, text, jobName, shard }]
  })
}

/** The earliest that the registry's clock has shown since the fire time was accounted for. */
function earliestTime(history: History, { change, until }: Correction): number {
  const { jobName, shard, at: correctedAt } = change
  const claim = history.states.find(
    (one) =>
      one.jobName === jobName && one.shard === shard && accountedUntil(one.shardState) === until,
  )
  const claimedAt = claim?.at ?? correctedAt
  const jumps = history.clockJumps.filter(({ at }) => claimedAt < at && at <= correctedAt)
  const ahead = history.clockJumps.findLast(({ at }) => at <= claimedAt)?.ahead ?? 0
  const shown = [{ at: claimedAt, ahead }, ...jumps].map((jump) => jump.at + jump.ahead)
  return history.assignment + Math.min(...shown)
}
