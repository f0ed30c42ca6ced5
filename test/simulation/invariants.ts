/** What must hold of every history, whatever has happened to the cluster. */
import { assignmentViolations } from './assignments.ts'
import { tooManyAttempts } from './attempts.ts'
import { byShard } from './by-shard.ts'
import { comesAgain, needlessCorrections } from './corrections.ts'
import { forgottenFires } from './fires.ts'
import { forbiddenRuns } from './forbidden.ts'
import type { BodyRun, History, Violation, SeenState, StateChange } from './history.ts'
import { jobLogsOf } from './job-log.ts'
import { silencedByJava } from './java-silenced.ts'
import { lateRuns } from './lateness.ts'
import { leftovers } from './leftovers.ts'
import { incompleteManualRuns } from './manual-runs.ts'
import { mixedViolations } from './mixed.ts'
import { offsetViolations } from './offsets.ts'
import { besideItself } from './orphans.ts'
import { claimsOfTheAbsent } from './registered.ts'
import { listenerViolations } from './once-listener.ts'
import { timeoutViolations } from './timeouts.ts'
import { falseReports } from './reports.ts'
import type { Span } from './session-log.ts'

/** How late an abort may come after the lease's end: a turn of the loop. */
const turn = 50

export function violationsOf(history: History): Violation[] {
  const states = groupStates(history)
  const silenced = silencedByJava(history)
  const isOurs = ({ jobName = '' }: Violation): boolean => !silenced.has(jobName)
  return [
    ...oneSessionForEachId(history),
    ...claimsOfTheAbsent(history),
    ...atMostOneValidRun(history, states),
    ...abortedWithTheLease(history),
    ...startedOnce(history, states),
    ...statesFollowRuns(history, states),
    ...needlessCorrections(history),
    ...forgottenFires(history),
    ...falseReports(history),
    ...offsetViolations(history),
    ...forbiddenRuns(history),
    ...besideItself(monitored(history)),
    ...tooManyAttempts(history),
    ...lateRuns(history),
    ...assignmentViolations(history),
    ...timeoutViolations(history),
    ...listenerViolations(history),
    ...incompleteManualRuns(history),
    ...calmAgain(history).filter(isOurs),
    ...leftovers(history).filter(isOurs),
    ...mixedViolations(history),
  ].toSorted((a, b) => a.at - b.at)
}

/** 1: "this instance is gone" never becomes untrue. Whatever else is found follows from it. */
function oneSessionForEachId({ reused }: History): Violation[] {
  return reused.map((instance) => ({
    rule: '1',
    at: 0,
    text: `${instance} is the name of more than one session`,
  }))
}

/** 1: no shard has two runs whose claiming sessions' leases are both valid. */
function atMostOneValidRun(history: History, { claims }: StatesOfShards): Violation[] {
  const found: Violation[] = []
  const eraOf = ({ runId }: BodyRun): number | undefined => claims.get(runId)?.era
  for (const runs of byShard(monitored(history)).values()) {
    let open: BodyRun[] = []
    for (const run of runs) {
      open = open.filter(({ end }) => (end ?? Infinity) > run.begin)
      for (const other of open) {
        // Of a run whose claim it has lost, a registry keeps nobody away.
        if (eraOf(run) !== eraOf(other)) continue
        const at = firstCommon(validSpans(history, run), validSpans(history, other))
        if (at === undefined) continue
        const text = `${name(run)} and ${name(other)} run at once, on leases that are both valid`
        found.push({ rule: '1', at, text, jobName: run.jobName, shard: run.shard })
      }
      open.push(run)
    }
  }
  return found
}

/** 1: code begins on a valid lease, and is told to stop when the lease ends. */
function abortedWithTheLease(history: History): Violation[] {
  const found: Violation[] = []
  for (const run of history.runs) {
    const say = (at: number, text: string): void => {
      const { jobName, shard } = run
      found.push({ rule: '1', at, text: `${name(run)} ${text}`, jobName, shard })
    }
    const forcedAt = history.forced.get(history.sessionOf.get(run.instance) ?? 0n)
    if (forcedAt !== undefined) {
      // A session that is ended by force, before its time, cannot know it until its lease ends.
      const { deadline } = lapseOf(history, run, [], forcedAt + history.sessionTimeout)
      const stopped = Math.min(run.abortedAt ?? Infinity, run.end ?? Infinity, history.end)
      if (run.begin > deadline) say(run.begin, 'begins long after its session')
      else if (stopped > deadline) say(deadline, 'was not aborted after its session')
      continue
    }
    const spans = leaseOf(history, run)
    const span = spans.find(([begin, end]) => begin <= run.begin && run.begin < end)
    if (span === undefined) {
      say(run.begin, 'begins without a valid lease')
      continue
    }
    const { lapse, deadline } = lapseOf(history, run, spans, span[1])
    const stopped = Math.min(run.abortedAt ?? Infinity, run.end ?? Infinity, history.end)
    if (stopped > deadline) say(lapse, 'was not aborted when its lease ended')
  }
  return found
}

/**
 * When a lease that was valid ended, and by when that has to be known. One that stood still may find, when
 * it wakes, that a write of before has been answered: then the lease goes on.
 */
function lapseOf(
  { freezes }: History,
  { process }: BodyRun,
  spans: readonly Span[],
  end: number,
): { lapse: number; deadline: number } {
  let lapse = end
  for (;;) {
    const frozen = (freezes.get(process) ?? []).find(
      ([from, to]) => from <= lapse + turn && lapse < to + turn,
    )
    const deadline = Math.max(lapse, frozen?.[1] ?? 0) + turn
    const next = spans.find(([from]) => from > lapse && from <= deadline)
    if (next === undefined) return { lapse, deadline }
    lapse = next[1]
  }
}

/** 2 and 4: once for a time and attempt; a further attempt only after a crash, never after an end. */
function startedOnce(history: History, states: StatesOfShards): Violation[] {
  const found: Violation[] = []
  const starts = new Map<string, BodyRun>()
  const bodies = new Map(history.runs.map((run) => [run.runId, run]))
  for (const run of history.runs) {
    const claim = states.claims.get(run.runId)
    if (claim === undefined) continue
    const key = `${keyOf(history, claim)} #${claim.shardState.attempt}`
    const other = starts.get(key)
    if (other !== undefined) {
      const text = `${name(run)} and ${name(other)} are the same attempt at the same time`
      found.push({ rule: '2', at: run.begin, text, jobName: run.jobName, shard: run.shard })
    }
    starts.set(key, run)
  }
  for (const [key, changes] of states.byKey) {
    let ended: StateChange | undefined
    let attempt = 0
    for (const change of changes) {
      const { shardState, at, jobName, shard } = change
      if (isOfJava(shardState)) {
        // Which time it was that Java ran stands nowhere: it is the last one before Java went.
        ended = undefined
        attempt = shardState.attempt
      } else if (shardState.state === 'idle' && isEnd(shardState)) {
        ended ??= change
      } else if (change.isRestored === true) {
        attempt = shardState.attempt
      } else if (shardState.state === 'running') {
        const body = bodies.get(shardState.run)
        const who =
          body === undefined ? `run ${shardState.run} of ${shardState.instance}` : name(body)
        if (ended !== undefined) {
          const text = `${who} repeats ${key}, whose end was committed at ${ended.at}`
          found.push({ rule: '4', at, text, jobName, shard })
        }
        if (shardState.attempt > attempt + 1) {
          const text = `${who} is attempt ${shardState.attempt} after ${attempt}`
          found.push({ rule: '2', at, text, jobName, shard })
        }
        attempt = Math.max(attempt, shardState.attempt)
      }
    }
  }
  return found
}

/** Nobody runs it again: it has done its work, failed at it, or an operator wanted it to end. */
function isEnd({ outcome }: SeenState): boolean {
  return outcome === 'success' || outcome === 'failure' || outcome === 'stopped'
}

/** A run of Java's that has crashed: it never had a state before. */
function isOfJava({ state, run }: SeenState): boolean {
  return state === 'crashed' && run === ''
}

/** 5: the states agree with what really ran. */
function statesFollowRuns(history: History, states: StatesOfShards): Violation[] {
  const found: Violation[] = []
  const bodies = new Map<string, BodyRun>()
  for (const run of monitored(history)) {
    const say = (text: string): void => {
      const { jobName, shard, begin: at } = run
      found.push({ rule: '5', at, text: `${name(run)} ${text}`, jobName, shard })
    }
    if (bodies.has(run.runId)) say('began twice')
    bodies.set(run.runId, run)
    const claim = states.claims.get(run.runId)
    if (claim === undefined) say('began without a claim')
    else if (claim.at > run.begin) say('began before its claim')
    else if (run.token !== BigInt(claim.zxid)) say(`has the token ${run.token} of ${claim.zxid}`)
    else if (claim.shardState.attempt !== run.attempt)
      say(`was claimed as attempt ${claim.shardState.attempt}`)
    else if (claim.shardState.instance !== run.instance)
      say(`was claimed by ${claim.shardState.instance}`)
  }
  for (const changes of states.byShard.values()) {
    let before: StateChange | undefined
    for (const change of changes) {
      const text =
        change.isRestored === true
          ? undefined
          : (problemOf(history, bodies, before?.shardState, change) ??
            forgotten(history, before, change))
      const { at, jobName, shard } = change
      if (text !== undefined) found.push({ rule: '5', at, text, jobName, shard })
      before = change
    }
  }
  return found
}

function problemOf(
  history: History,
  bodies: ReadonlyMap<string, BodyRun>,
  before: SeenState | undefined,
  change: StateChange,
): string | undefined {
  const { at, shardState, jobName, shard } = change
  const body = bodies.get(shardState.run)
  const subject = `the state of ${jobName}/${shard} (run ${shardState.run})`
  if (before?.state === 'running' && before.run !== shardState.run) {
    const gone = isGone(history, before.instance, change)
    if (!gone) return `${subject} replaces that of ${before.run}, whose instance lives`
  }
  if (shardState.state === 'crashed' || shardState.state === 'abandoned') {
    if (shardState.outcome === 'aborted') {
      if (body?.end === undefined) return `${subject} hands over what has not ended`
    } else if (body === undefined) {
      // Given back by who has taken it over and could not begin.
    } else if (!isGone(history, shardState.instance, change)) {
      return `${subject} says ${shardState.state}, and ${shardState.instance} lives`
    }
  }
  if (shardState.state !== 'idle' || before?.state !== 'running') return undefined
  if (shardState.outcome === 'not-started') {
    return body === undefined ? undefined : `${subject} says not-started, and it ran`
  }
  if (shardState.outcome === undefined) return undefined
  if (shardState.outcome === 'stopped') {
    if (!history.stopped.has(shardState.run)) return `${subject} says stopped, and nobody wanted it`
    const hasEnded = body === undefined || body.end !== undefined
    return hasEnded ? undefined : `${subject} says stopped too early`
  }
  if (body?.end === undefined || body.end > at)
    return `${subject} says ${shardState.outcome} too early`
  if (body.result === 'died') return undefined
  return body.result === shardState.outcome
    ? undefined
    : `${subject} says ${shardState.outcome}, and it was ${body.result}`
}

/** A writer that has not read the state which it replaces loses what that says of fire times. */
function forgotten(
  history: History,
  before: StateChange | undefined,
  change: StateChange,
): string | undefined {
  const { shardState, jobName, shard } = change
  const since = before?.shardState.since ?? 0
  if (before === undefined || since <= (shardState.since ?? 0)) return undefined
  const isUndone = shardState.outcome === 'not-started'
  const isCorrected =
    before.shardState.run === shardState.run && before.shardState.state === shardState.state
  // The state of a shard beyond a lowered shard count is deleted.
  const isNew = jobLogsOf(history)
    .get(jobName)
    ?.shards.get(shard)
    ?.some(({ begun }) => before.order < begun.order && begun.order < change.order)
  if (isUndone || isCorrected || isNew === true) return undefined
  return `the state of ${jobName}/${shard} (run ${shardState.run}) forgets that fire times were closed up to ${since}`
}

function isGone(history: History, instance: string, { era, order }: StateChange): boolean {
  const session = history.sessionOf.get(instance)
  const closed = session === undefined ? undefined : history.closed.get(session)
  const left = history.left.get(instance)
  const isClosed = closed?.some((one) => one.era === era && one.order < order) === true
  return isClosed || (left !== undefined && left < order)
}

/** 3: after the troubles every fire of every shard is run, and nobody waits for ever. */
function calmAgain(history: History): Violation[] {
  const found: Violation[] = history.hanging.map((text) => ({ rule: '3', at: history.end, text }))
  const ran = new Set(
    history.runs.map(({ jobName, shard, fireTime }) => `${jobName}/${shard} ${fireTime}`),
  )
  for (const { jobName, total, fires } of history.expected) {
    const inJava = history.javaRuns.filter((run) => run.jobName === jobName)
    const step = (fires[1] ?? Infinity) - (fires[0] ?? 0)
    for (let shard = 0; shard < total; shard++) {
      const begun = inJava
        .filter((run) => run.shard === shard)
        .map((run) => run.begin + history.assignment)
      const missed = fires.filter((time) => {
        const byJava = begun.some((begin) => begin >= time && begin < time + step)
        return !byJava && !ran.has(`${jobName}/${shard} ${time}`)
      })
      const [first] = missed
      if (first === undefined) continue
      const text = `${jobName}/${shard} did not run at ${missed.length} of its last ${fires.length} times`
      found.push({ rule: '3', at: first - history.assignment, text, jobName, shard })
    }
  }
  for (const problem of history.problems) {
    found.push({ rule: '3', at: history.end, text: `an unexpected failure: ${problem}` })
  }
  return found
}

/** Runs of which something is written down: of others nothing is promised. */
function monitored({ runs, expected }: History): readonly BodyRun[] {
  const free = new Set(expected.filter((job) => !job.monitorExecution).map((job) => job.jobName))
  return free.size === 0 ? runs : runs.filter(({ jobName }) => !free.has(jobName))
}

interface StatesOfShards {
  /** The transaction that claimed each run. */
  readonly claims: ReadonlyMap<string, StateChange>
  /** All changes, by what is run: a time or a manual run of a shard. */
  readonly byKey: ReadonlyMap<string, readonly StateChange[]>
  readonly byShard: ReadonlyMap<string, readonly StateChange[]>
}

function groupStates(history: History): StatesOfShards {
  const claims = new Map<string, StateChange>()
  const byKey = new Map<string, StateChange[]>()
  const byShardName = new Map<string, StateChange[]>()
  for (const change of history.states) {
    const { shardState, jobName, shard } = change
    if (shardState.state === 'running' && !claims.has(shardState.run))
      claims.set(shardState.run, change)
    push(byKey, keyOf(history, change), change)
    push(byShardName, `${jobName}/${shard} ${change.era}`, change)
  }
  return { claims, byKey, byShard: byShardName }
}

/** After a loss the registry does not know what was run before; a clock that is set back brings times again. */
function keyOf(history: History, change: StateChange): string {
  const { jobName, shard, shardState, era } = change
  const inEra = era === 0 ? '' : ` in era ${era}`
  if (shardState.source === 'trigger')
    return `${jobName}/${shard} at manual run ${shardState.round}${inEra}`
  const times = comesAgain(history, change)
  const again = times === 0 ? '' : `, which came again (${times})`
  return `${jobName}/${shard} at time ${shardState.fireTime}${again}${inEra}`
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function leaseOf(history: History, { instance }: BodyRun): readonly Span[] {
  const session = history.sessionOf.get(instance)
  return session === undefined ? [] : (history.leases.get(session) ?? [])
}

/** When the run went on and its lease was valid. */
function validSpans(history: History, run: BodyRun): Span[] {
  const end = run.end ?? Infinity
  return leaseOf(history, run)
    .map(([from, to]): Span => [Math.max(from, run.begin), Math.min(to, end)])
    .filter(([from, to]) => from < to)
}

function firstCommon(one: readonly Span[], other: readonly Span[]): number | undefined {
  for (const [a, b] of one) {
    for (const [c, d] of other) if (Math.max(a, c) < Math.min(b, d)) return Math.max(a, c)
  }
  return undefined
}

function name({ jobName, shard, runId, process, attempt }: BodyRun): string {
  return `run ${runId} (${jobName}/${shard}, attempt ${attempt}, on ${process})`
}
