/** What must hold of every history, whatever has happened to the cluster. */
import { forgottenFires } from './fires.ts'
import type { BodyRun, History, Violation, Word, WordChange } from './history.ts'
import { silencedByJava } from './java-silenced.ts'
import { leftovers } from './leftovers.ts'
import { mixedViolations } from './mixed.ts'
import { claimsOfTheAbsent } from './registered.ts'
import type { Span } from './session-log.ts'

/** How late an abort may come after the lease's end: a turn of the loop. */
const turn = 50

export function violationsOf(history: History): Violation[] {
  const words = groupWords(history)
  const silenced = silencedByJava(history)
  const isOurs = ({ jobName = '' }: Violation): boolean => !silenced.has(jobName)
  return [
    ...oneSessionForEachId(history),
    ...claimsOfTheAbsent(history),
    ...atMostOneValidRun(history),
    ...abortedWithTheLease(history),
    ...startedOnce(history, words),
    ...wordsFollowRuns(history, words),
    ...forgottenFires(history),
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

/** 1: no item has two runs whose claiming sessions' leases are both valid. */
function atMostOneValidRun(history: History): Violation[] {
  const found: Violation[] = []
  for (const runs of byItem(monitored(history)).values()) {
    let open: BodyRun[] = []
    for (const run of runs) {
      open = open.filter(({ end }) => (end ?? Infinity) > run.begin)
      for (const other of open) {
        const at = firstCommon(validSpans(history, run), validSpans(history, other))
        if (at === undefined) continue
        const text = `${name(run)} and ${name(other)} run at once, on leases that are both valid`
        found.push({ rule: '1', at, text, jobName: run.jobName, item: run.item })
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
      const { jobName, item } = run
      found.push({ rule: '1', at, text: `${name(run)} ${text}`, jobName, item })
    }
    // A session that is ended by force, before its time, has promised what it could not keep.
    if (history.forced.has(history.sessionOf.get(run.instance) ?? 0n)) continue
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
function startedOnce(history: History, words: WordsOfItems): Violation[] {
  const found: Violation[] = []
  const starts = new Map<string, BodyRun>()
  const bodies = new Map(history.runs.map((run) => [run.runId, run]))
  for (const run of history.runs) {
    const claim = words.claims.get(run.runId)
    if (claim === undefined) continue
    const key = `${keyOf(claim)} #${claim.word.attempt}`
    const other = starts.get(key)
    if (other !== undefined) {
      const text = `${name(run)} and ${name(other)} are the same attempt at the same time`
      found.push({ rule: '2', at: run.begin, text, jobName: run.jobName, item: run.item })
    }
    starts.set(key, run)
  }
  for (const [key, changes] of words.byKey) {
    let ended: WordChange | undefined
    let attempt = 0
    for (const change of changes) {
      const { word, at, jobName, item } = change
      if (isOfJava(word)) {
        // Which time it was that Java ran stands nowhere: it is the last one before Java went.
        ended = undefined
        attempt = word.attempt
      } else if (word.state === 'idle' && isEnd(word)) {
        ended ??= change
      } else if (word.state === 'running') {
        const body = bodies.get(word.run)
        const who = body === undefined ? `run ${word.run} of ${word.instance}` : name(body)
        if (ended !== undefined) {
          const text = `${who} repeats ${key}, whose end was committed at ${ended.at}`
          found.push({ rule: '4', at, text, jobName, item })
        }
        if (word.attempt > attempt + 1) {
          const text = `${who} is attempt ${word.attempt} after ${attempt}`
          found.push({ rule: '2', at, text, jobName, item })
        }
        attempt = Math.max(attempt, word.attempt)
      }
    }
  }
  return found
}

/** Nobody runs it again: it has done its work, failed at it, or an operator wanted it to end. */
function isEnd({ outcome }: Word): boolean {
  return outcome === 'success' || outcome === 'failure' || outcome === 'stopped'
}

/** A run of Java's that has crashed: it never had a word before. */
function isOfJava({ state, run }: Word): boolean {
  return state === 'crashed' && run === ''
}

/** 5: the words agree with what really ran. */
function wordsFollowRuns(history: History, words: WordsOfItems): Violation[] {
  const found: Violation[] = []
  const bodies = new Map<string, BodyRun>()
  for (const run of monitored(history)) {
    const say = (text: string): void => {
      const { jobName, item, begin: at } = run
      found.push({ rule: '5', at, text: `${name(run)} ${text}`, jobName, item })
    }
    if (bodies.has(run.runId)) say('began twice')
    bodies.set(run.runId, run)
    const claim = words.claims.get(run.runId)
    if (claim === undefined) say('began without a claim')
    else if (claim.at > run.begin) say('began before its claim')
    else if (run.token !== BigInt(claim.zxid)) say(`has the token ${run.token} of ${claim.zxid}`)
    else if (claim.word.attempt !== run.attempt) say(`was claimed as attempt ${claim.word.attempt}`)
    else if (claim.word.instance !== run.instance) say(`was claimed by ${claim.word.instance}`)
  }
  for (const changes of words.byItem.values()) {
    let before: Word | undefined
    for (const change of changes) {
      const text = problemOf(history, bodies, before, change)
      const { at, jobName, item } = change
      if (text !== undefined) found.push({ rule: '5', at, text, jobName, item })
      before = change.word
    }
  }
  return found
}

function problemOf(
  history: History,
  bodies: ReadonlyMap<string, BodyRun>,
  before: Word | undefined,
  { zxid, at, word, jobName, item }: WordChange,
): string | undefined {
  const body = bodies.get(word.run)
  const subject = `the word of ${jobName}/${item} (run ${word.run})`
  if (before?.state === 'running' && before.run !== word.run) {
    const gone = isGone(history, before.instance, zxid)
    if (!gone) return `${subject} replaces that of ${before.run}, whose instance lives`
  }
  if (word.state === 'crashed' || word.state === 'abandoned') {
    if (word.outcome === 'aborted') {
      if (body?.end === undefined) return `${subject} hands over what has not ended`
    } else if (body === undefined) {
      // Given back by who has taken it over and could not begin.
    } else if (!isGone(history, word.instance, zxid)) {
      return `${subject} says ${word.state}, and ${word.instance} lives`
    }
  }
  if (word.state !== 'idle' || before?.state !== 'running') return undefined
  if (word.outcome === 'not-started') {
    return body === undefined ? undefined : `${subject} says not-started, and it ran`
  }
  if (word.outcome === undefined) return undefined
  if (word.outcome === 'stopped') {
    if (!history.stopped.has(word.run)) return `${subject} says stopped, and nobody wanted it`
    const hasEnded = body === undefined || body.end !== undefined
    return hasEnded ? undefined : `${subject} says stopped too early`
  }
  if (body?.end === undefined || body.end > at) return `${subject} says ${word.outcome} too early`
  if (body.result === 'died') return undefined
  return body.result === word.outcome
    ? undefined
    : `${subject} says ${word.outcome}, and it was ${body.result}`
}

function isGone(history: History, instance: string, zxid: number): boolean {
  const session = history.sessionOf.get(instance)
  const closed = session === undefined ? undefined : history.closed.get(session)
  const left = history.left.get(instance)
  return (closed !== undefined && closed.zxid < zxid) || (left !== undefined && left < zxid)
}

/** 3: after the troubles every fire of every item is run, and nobody waits for ever. */
function calmAgain(history: History): Violation[] {
  const found: Violation[] = history.hanging.map((text) => ({ rule: '3', at: history.end, text }))
  const ran = new Set(
    history.runs.map(({ jobName, item, fireTime }) => `${jobName}/${item} ${fireTime}`),
  )
  for (const { jobName, total, fires } of history.expected) {
    const inJava = history.javaRuns.filter((run) => run.jobName === jobName)
    const step = (fires[1] ?? Infinity) - (fires[0] ?? 0)
    for (let item = 0; item < total; item++) {
      const begun = inJava
        .filter((run) => run.item === item)
        .map((run) => run.begin + history.epoch)
      const missed = fires.filter((time) => {
        const byJava = begun.some((begin) => begin >= time && begin < time + step)
        return !byJava && !ran.has(`${jobName}/${item} ${time}`)
      })
      const [first] = missed
      if (first === undefined) continue
      const text = `${jobName}/${item} did not run at ${missed.length} of its last ${fires.length} times`
      found.push({ rule: '3', at: first - history.epoch, text, jobName, item })
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

interface WordsOfItems {
  /** The transaction that claimed each run. */
  readonly claims: ReadonlyMap<string, WordChange>
  /** All changes, by what is run: a time or a round of an item. */
  readonly byKey: ReadonlyMap<string, readonly WordChange[]>
  readonly byItem: ReadonlyMap<string, readonly WordChange[]>
}

function groupWords({ words }: History): WordsOfItems {
  const claims = new Map<string, WordChange>()
  const byKey = new Map<string, WordChange[]>()
  const byItemName = new Map<string, WordChange[]>()
  for (const change of words) {
    const { word, jobName, item } = change
    if (word.state === 'running' && !claims.has(word.run)) claims.set(word.run, change)
    push(byKey, keyOf(change), change)
    push(byItemName, `${jobName}/${item}`, change)
  }
  return { claims, byKey, byItem: byItemName }
}

function keyOf({ jobName, item, word }: WordChange): string {
  const what = word.source === 'trigger' ? `round ${word.round}` : `time ${word.fireTime}`
  return `${jobName}/${item} at ${what}`
}

function byItem(runs: readonly BodyRun[]): Map<string, BodyRun[]> {
  const items = new Map<string, BodyRun[]>()
  for (const run of runs) push(items, `${run.jobName}/${run.item}`, run)
  return items
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

function name({ jobName, item, runId, process, attempt }: BodyRun): string {
  return `run ${runId} (${jobName}/${item}, attempt ${attempt}, on ${process})`
}
