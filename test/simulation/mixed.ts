/**
 * What must hold of a job that is shared with Java. Java's own races are not ours to judge; we must add
 * none that a job of Java's alone does not have.
 */
import type { BodyRun, History, JavaRun, Violation } from './history.ts'
import { type Flag, JavaTree, type OurMark } from './mixed-tree.ts'

/** A Java instance looks at a shard, then begins it: so long the barrier of ours waits for it. */
const settle = 1900
/** After its time Java begins within so many milliseconds, if nothing holds it up. */
const prompt = 700

export function mixedViolations(history: History): Violation[] {
  return history.expected
    .filter(({ isMixed }) => isMixed)
    .flatMap(({ jobName }) => {
      const tree = new JavaTree(history, jobName)
      return [
        ...overJavaMarks(jobName, tree.marks),
        ...underFlags(history, jobName, tree),
        ...movedTooEarly(history, jobName, tree),
        ...repeated(history, jobName),
      ]
    })
}

/** Nothing of ours begins where the mark of a Java instance stands that is there. */
function overJavaMarks(jobName: string, marks: readonly OurMark[]): Violation[] {
  return marks
    .filter(({ replaced }) => replaced !== undefined)
    .map(({ at, shard, instance, replaced }) => {
      const text = `${instance} marks ${jobName}/${shard} as running over the mark of ${replaced}, who lives`
      return { rule: 'mixed', at, text, jobName, shard }
    })
}

/** Nothing of ours begins while Java's leader waits for a moment in which nothing runs. */
function underFlags(history: History, jobName: string, tree: JavaTree): Violation[] {
  const marks = new Map(tree.marks.map((mark) => [String(mark.zxid), mark]))
  const found: Violation[] = []
  for (const run of history.runs) {
    const mark = run.jobName === jobName ? marks.get(String(run.token)) : undefined
    // Without Java nobody waits for it.
    if (mark?.isShared !== true) continue
    const isUp = ({ from, to }: Flag): boolean => from < mark.index && to >= run.begin
    const flag = tree.flags.find(isUp)
    if (flag === undefined) continue
    const text = `${nameOf(run)} begins while ${flag.name} is up`
    found.push({ rule: 'mixed', at: run.begin, text, jobName, shard: run.shard })
  }
  return found
}

/** What a leader of ours takes from Java has no run of Java's before it that was about to begin. */
function movedTooEarly(history: History, jobName: string, tree: JavaTree): Violation[] {
  const found: Violation[] = []
  const ours = history.runs.filter((run) => run.jobName === jobName)
  for (const java of history.javaRuns) {
    if (java.jobName !== jobName || isHeldUp(java)) continue
    const run = ours.find((one) => one.shard === java.shard && overlap(one, java))
    const mark = run && tree.marks.find(({ zxid }) => String(zxid) === String(run.token))
    if (run === undefined || mark?.isMovedByOurs !== true) continue
    if (mark.at < java.checkedAt || mark.at > java.begin) continue
    const text = `${nameOf(run)} was taken from Java, where ${java.process} was about to begin it`
    found.push({ rule: 'mixed', at: run.begin, text, jobName, shard: run.shard })
  }
  return found
}

/** What Java ran when it fired is not run again by ours for the same time. */
function repeated(history: History, jobName: string): Violation[] {
  const found: Violation[] = []
  const java = history.javaRuns.filter((one) => one.jobName === jobName)
  for (const run of history.runs) {
    if (run.jobName !== jobName || run.source !== 'cron') continue
    const time = run.fireTime - history.assignment
    const before = java.find(
      (one) => one.shard === run.shard && isOf(one, time) && one.begin < run.begin,
    )
    if (before === undefined) continue
    const text = `${nameOf(run)} repeats what ${before.process} ran in Java at ${before.begin}`
    found.push({ rule: 'mixed', at: run.begin, text, jobName, shard: run.shard })
  }
  return found
}

/** Whether it was that time that made it begin. */
function isOf({ begin, isFire }: JavaRun, time: number): boolean {
  return isFire && begin >= time && begin < time + prompt
}

/** It took so long from the look to the beginning that nobody could have waited for it. */
function isHeldUp({ checkedAt, begin }: JavaRun): boolean {
  return begin - checkedAt > settle
}

function overlap(one: BodyRun, java: JavaRun): boolean {
  return one.begin < (java.end ?? Infinity) && java.begin < (one.end ?? Infinity)
}

function nameOf({ runId, jobName, shard, process }: BodyRun): string {
  return `run ${runId} (${jobName}/${shard}, on ${process})`
}
