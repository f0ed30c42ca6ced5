/** An instance is killed while its shards run: how soon the survivor runs them, and what it runs besides. */
import { setTimeout as pass } from 'node:timers/promises'
import { eventually } from '../../../test/zookeeper/harness/eventually.ts'
import { progress } from '../../measure/progress.ts'
import { compare, type Goal, type Row } from '../../report/report.ts'
import { type Mark, marked, Observer } from '../marks.ts'
import { job, onServer, type Part } from '../part.ts'
import { comparison, java, ours, type Side } from '../sides.ts'
import type { Run, Worker } from '../worker.ts'

/** Half of them are the victim's. */
const shards = 100
/** Expiry is looked for at this pace, and the victim's session is short: neither is what is measured. */
const tickTime = 200
const victimTimeout = 1_000
/** Two instances start and the shards are assigned within it. */
const secondsToFire = 8
/** How long runs too many are looked for. */
const watched = 12_000

export interface Failover {
  /** Milliseconds from the deletion of the victim's node to the first line of a shard's code. */
  readonly first: number
  readonly last: number
  /** What the survivor ran that nobody had to run. */
  readonly tooMany: number
}

/** What a survivor made of the shards that a crashed instance had been running. */
export function failoverOf(
  runs: readonly Run[],
  crashed: ReadonlySet<number>,
  deleted: number,
): Failover {
  const again = new Map<number, number>()
  for (const { shard, at } of runs) {
    if (crashed.has(shard)) again.set(shard, Math.min(again.get(shard) ?? Infinity, at))
  }
  if (again.size < crashed.size) {
    throw new Error(`only ${again.size} of ${crashed.size} crashed shards ran again`)
  }
  const times = [...again.values()]
  return {
    first: Math.min(...times) - deleted,
    last: Math.max(...times) - deleted,
    tooMany: runs.length - crashed.size,
  }
}

export const failover: Part = {
  title: 'Failover: kill -9 of an instance with 50 running shards',
  async measure(sides, quick) {
    // The first one meets code that has never run: it is not counted.
    const repetitions = quick ? 1 : 3
    const all: Record<string, Failover[]> = { [java]: [], [ours]: [] }
    await onServer(async ({ connectString }) => {
      const observer = await Observer.connect(connectString)
      const survivors = await Promise.all(
        sides.map((side) => start(side, connectString, '10.1.0.1', 0)),
      )
      for (let repetition = 0; repetition <= repetitions; repetition++) {
        for (const [index, side] of sides.entries()) {
          progress(`failover, ${repetition} of ${repetitions}: ${side.name}`)
          const survivor = survivors[index] as Worker
          const one = await measureOne({ side, connectString, observer, survivor, repetition })
          if (repetition > 0) all[side.name]?.push(one)
        }
      }
      await Promise.all(survivors.map((survivor) => survivor.end()))
      await observer.close()
    }, tickTime)
    const row = (what: string, unit: string, of: (one: Failover) => number, goal: Goal): Row =>
      compare(
        { what, unit, goal },
        Object.fromEntries(Object.entries(all).map(([name, each]) => [name, each.map(of)])),
        comparison,
      )
    return [
      {
        title: failover.title,
        names: [java, ours],
        rows: [
          row('the first runs again', 'ms', ({ first }) => first, { atMost: 1 / 4 }),
          row('the last runs again', 'ms', ({ last }) => last, { atMost: 1 / 10 }),
          row(`runs too many within ${watched / 1000} s`, 'runs', ({ tooMany }) => tooMany, {
            ownAtMost: 0,
          }),
        ],
        notes: [
          `${shards} shards on two instances, fired once; the survivor is done with its half. What is measured begins when a third client is told that the node of the killed instance is deleted: how long a session takes to expire is not part of it.`,
          'Too many are runs of the survivor beyond one for each crashed shard: nothing else was due.',
        ],
      },
    ]
  },
}

function namespaceOf({ name }: Side): string {
  return name === ours ? 'failover-ours' : 'failover-java'
}

function start(side: Side, servers: string, ip: string, sessionTimeout: number): Promise<Worker> {
  return side.start({ servers, namespace: namespaceOf(side), sessionTimeout, ips: [ip] })
}

interface Repetition {
  readonly side: Side
  readonly connectString: string
  readonly observer: Observer
  readonly survivor: Worker
  readonly repetition: number
}

async function measureOne(one: Repetition): Promise<Failover> {
  const { side, connectString, observer, survivor, repetition } = one
  const namespace = namespaceOf(side)
  const victim = await start(side, connectString, '10.9.0.1', victimTimeout)
  const name = `job-${repetition}`
  const wanted = job(name, { cron: onceAnHour(secondsToFire), shards, failover: true })
  await survivor.startJobs([wanted])
  const marks = await observer.marksOf(namespace, name)
  const { instances } = await victim.startJobs([{ ...wanted, lingers: true }])
  await eventually(() => isHalfDone(marks) || undefined, {
    what: 'an instance that is done and one that is not',
    timeoutMs: 60_000,
  })
  const crashed = marked(marks)
  await survivor.clear()
  const deletion = await observer.deletionOf(namespace, name, instances[0] ?? '')
  await victim.crash()
  const deleted = await deletion.at
  await pass(watched)
  const runs = await survivor.runs()
  await survivor.stopJob(name)
  return failoverOf(runs, crashed, deleted)
}

/** All have begun, and those of one of two have ended. */
function isHalfDone(marks: readonly Mark[]): boolean {
  const begun = new Set(marks.filter(({ what }) => what === 'created').map(({ shard }) => shard))
  return begun.size === shards && marked(marks).size === shards / 2
}

/** A time that comes in so many seconds, and not again while anybody measures. */
function onceAnHour(ahead: number): string {
  const at = new Date(Date.now() + ahead * 1000)
  return `${at.getSeconds()} ${at.getMinutes()} * * * ?`
}
