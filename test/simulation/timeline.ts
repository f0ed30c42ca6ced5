/** A failing seed as a story: who held what, who ran what, what ZooKeeper saw. */
import type { History, Violation } from './history.ts'
import type { Transaction } from './registry.ts'
import type { Result } from './simulate.ts'

/** So long before a violation the story begins, and so long after it it ends. */
const before = 10_000
const after = 5000
const mostLines = 250

export function timelineOf({ scenario, history, violations }: Result): string {
  const [violation] = violations
  if (violation === undefined) return ''
  const { events, jobs, ...rest } = scenario
  const lines = [...linesOf(history, violation)].toSorted(
    (a, b) => a.at - b.at || a.order - b.order,
  )
  const from = lastRunOf(history, violation) - before
  const told = lines.filter(
    ({ at, isAction }) => isAction || (at >= from && at <= violation.at + after),
  )
  return [
    `seed ${scenario.seed}: ${JSON.stringify(rest)}`,
    ...jobs.map((job) => `  job ${JSON.stringify(job)}`),
    ...events.map((event) => `  event ${JSON.stringify(event)}`),
    ...violations
      .slice(0, 10)
      .map(({ rule, at, text }) => `  VIOLATION of ${rule} at ${at}: ${text}`),
    ...told
      .slice(0, mostLines)
      .map(({ at, text }) => `${String(Math.round(at)).padStart(8)}  ${text}`),
  ].join('\n')
}

/** When a shard that runs no more last began. */
function lastRunOf({ runs }: History, { jobName, shard, at }: Violation): number {
  const last = runs.findLast(
    (run) => run.jobName === jobName && run.shard === shard && run.begin <= at,
  )
  return last?.begin ?? at
}

interface Line {
  readonly at: number
  readonly order: number
  readonly text: string
  readonly isAction?: boolean
}

/** What concerns the violation's shard and job, and what concerns everybody. */
function* linesOf(history: History, violation: Violation): Generator<Line> {
  const { jobName, shard } = violation
  const short = shortener(history)
  const isMeant = (name: string, number: number): boolean =>
    (jobName === undefined || name === jobName) && (shard === undefined || number === shard)
  for (const { at, text } of history.done)
    yield { at, order: 0, text: `*** ${text}`, isAction: true }
  for (const [index, transaction] of history.transactions.entries()) {
    const text = changesOf(transaction, jobName, shard)
    const at = history.committedAt[index] ?? 0
    if (text !== '') yield { at, order: 1, text: `zk  ${transaction.zxid} ${short(text)}` }
  }
  for (const { at, process, name, text } of history.told) {
    if (jobName !== undefined && /"jobName":/.test(text) && !text.includes(`"${jobName}"`)) continue
    const number = /"shardingItem":(\d+)/.exec(text)?.[1]
    if (shard !== undefined && number !== undefined && Number(number) !== shard) continue
    yield { at, order: 3, text: `${process.padEnd(4)} says ${name} ${short(text).slice(0, 300)}` }
  }
  yield* javaLinesOf(history, isMeant)
  for (const run of history.runs) {
    if (!isMeant(run.jobName, run.shard)) continue
    const what = `${run.jobName}/${run.shard} ${run.source} T=${run.fireTime - history.assignment} #${run.attempt} ${run.runId.slice(0, 5)}`
    yield { at: run.begin, order: 2, text: `${run.process.padEnd(4)} >>> begins ${what}` }
    if (run.abortedAt !== undefined) {
      yield { at: run.abortedAt, order: 2, text: `${run.process.padEnd(4)} --- aborted ${what}` }
    }
    if (run.end !== undefined) {
      yield { at: run.end, order: 2, text: `${run.process.padEnd(4)} <<< ${run.result} ${what}` }
    }
  }
}

/** What Java's code did, with when it had last looked. */
function* javaLinesOf(
  history: History,
  isMeant: (name: string, number: number) => boolean,
): Generator<Line> {
  for (const { process, jobName, shard, checkedAt, begin, end } of history.javaRuns) {
    if (!isMeant(jobName, shard)) continue
    const what = `${jobName}/${shard} in Java`
    const text = `${process.padEnd(4)} >>> begins ${what}, free at ${checkedAt}`
    yield { at: begin, order: 2, text }
    if (end !== undefined)
      yield { at: end, order: 2, text: `${process.padEnd(4)} <<< ended ${what}` }
  }
}

function changesOf(
  { body, sessionId }: Transaction,
  jobName: string | undefined,
  shard: number | undefined,
): string {
  if (body.kind === 'closeSession')
    return `closes session ${sessionId.toString(16)}: ${body.ephemerals.join(' ')}`
  if (body.kind === 'createSession') return `opens session ${sessionId.toString(16)}`
  const changes = body.kind === 'multi' ? body.changes : body.kind === 'none' ? [] : [body]
  return changes
    .filter(({ path }) => isOfInterest(path, jobName, shard))
    .map((change) => {
      const data =
        'data' in change && change.data !== null ? Buffer.from(change.data).toString() : ''
      const text = change.path.endsWith('/config') ? data.replaceAll('\n', '; ').slice(0, 60) : data
      return `${change.kind} ${change.path} ${text.slice(0, 400)}`
    })
    .join('; ')
}

function isOfInterest(
  path: string,
  jobName: string | undefined,
  shard: number | undefined,
): boolean {
  const [, root = '', name, folder, number] = path.split('/')
  if (root.endsWith('.state')) {
    if (name === 'lease') return false
    if (name === 'alive') return true
    if (jobName !== undefined && folder !== jobName) return false
    return name !== 'execution' || shard === undefined || number === String(shard)
  }
  if (jobName !== undefined && name !== jobName) return false
  return folder !== 'sharding' || shard === undefined || number === String(shard)
}

/** Instances by the processes that they were, times since the beginning. */
function shortener(history: History): (text: string) => string {
  const names = new Map<string, string>()
  for (const { name, process, text } of history.told) {
    if (name !== 'job:registered') continue
    const { instance } = JSON.parse(text) as { instance: string }
    const known = [...names.values()].filter(
      (one) => one === process || one.startsWith(`${process}'`),
    )
    if (!names.has(instance)) names.set(instance, process + "'".repeat(known.length))
  }
  for (const { instance, process } of history.javaRuns) names.set(instance, process)
  return (text) => {
    let result = text.replaceAll(
      /\b1767\d{9}\b/g,
      (time) => `+${Number(time) - history.assignment}`,
    )
    for (const [instance, process] of names) result = result.replaceAll(instance, process)
    return result.replaceAll('/sim.state/execution/', 'word ').replaceAll('/sim/', '')
  }
}
