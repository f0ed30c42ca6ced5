/** The first fire after an instance has joined: the shards have to be reassigned for it. */
import { setTimeout as pass } from 'node:timers/promises'
import { eventually } from '../../../test/zookeeper/harness/eventually.ts'
import { progress } from '../../measure/progress.ts'
import { compare, type Goal, type Section } from '../../report/report.ts'
import { job, onServer, type Part, shards } from '../part.ts'
import { comparison, java, ours, type Side, type Sides } from '../sides.ts'
import type { Run, Worker } from '../worker.ts'

interface Size {
  readonly shards: number
  /** The seconds from one fire to the next. In the middle between two the other instance joins. */
  readonly period: number
  readonly goal?: Goal
}

const hundred: Size = { shards: 100, period: 5 }
const thousand: Size = { shards: 1_000, period: 10, goal: { atMost: 1 / 30 } }

interface Joined {
  /** Milliseconds from the scheduled second to the first line of the first and the last shard's code. */
  readonly first: number
  readonly last: number
  /** What it took the second instance to join, in milliseconds. */
  readonly join: number
}

/** When the shards of a fire began; undefined while some have not. */
export function begunOf(
  runs: readonly Run[],
  fire: number,
  shardingItems: number,
): Pick<Joined, 'first' | 'last'> | undefined {
  const begun = new Map(runs.filter((run) => run.fire === fire).map(({ shard, at }) => [shard, at]))
  if (begun.size < shardingItems) return undefined
  const times = [...begun.values()]
  return { first: Math.min(...times) - fire, last: Math.max(...times) - fire }
}

export const resharding: Part = {
  title: 'Resharding: the fire after a join',
  async measure(sides, quick) {
    const sizes = quick ? [hundred] : [hundred, thousand]
    const repetitions = quick ? 1 : 3
    return onServer(async ({ connectString }) => {
      const crews = await Promise.all(sides.map((side) => startCrew(side, connectString)))
      const sections: Section[] = []
      for (const size of sizes) {
        sections.push(await measureSize(sides, crews, size, repetitions))
      }
      await Promise.all(crews.flat().map((worker) => worker.end()))
      return sections
    })
  },
}

type Crew = readonly [first: Worker, second: Worker]

async function startCrew(side: Side, servers: string): Promise<Crew> {
  const namespace = side.name === ours ? 'resharding-ours' : 'resharding-java'
  const start = (ip: string): Promise<Worker> =>
    side.start({ servers, namespace, sessionTimeout: 0, ips: [ip] })
  return [await start('10.1.0.1'), await start('10.1.0.2')]
}

async function measureSize(
  sides: Sides,
  crews: readonly Crew[],
  size: Size,
  repetitions: number,
): Promise<Section> {
  const { shards: shardingItems, goal } = size
  const all: Record<string, Joined[]> = { [java]: [], [ours]: [] }
  // The first one meets code that has never run: it is not counted.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [index, side] of sides.entries()) {
      progress(`resharding of ${shardingItems}, ${repetition} of ${repetitions}: ${side.name}`)
      const one = await measureOne(crews[index] as Crew, `job-${shardingItems}-${repetition}`, size)
      if (repetition > 0) all[side.name]?.push(one)
    }
  }
  const rounds = (of: (one: Joined) => number): Record<string, readonly number[]> =>
    Object.fromEntries(Object.entries(all).map(([name, each]) => [name, each.map(of)]))
  return {
    title: `Resharding: the fire after a join, ${shards(shardingItems)}`,
    names: [java, ours],
    rows: [
      compare(
        { what: 'from its second to the first shard', unit: 'ms' },
        rounds(({ first }) => first),
        comparison,
      ),
      compare(
        {
          what: 'from its second to the last shard',
          unit: 'ms',
          ...(goal === undefined ? {} : { goal }),
        },
        rounds(({ last }) => last),
        comparison,
      ),
      compare(
        { what: 'the join before it (ours assigns then)', unit: 'ms' },
        rounds(({ join }) => join),
        comparison,
      ),
    ],
    notes: [
      'The second instance joins in the middle between two fires. Java assigns the shards within the fire that follows; ours does so at the join, which is over when it has its share.',
    ],
  }
}

async function measureOne(
  [first, second]: Crew,
  name: string,
  { shards: shardingItems, period }: Size,
): Promise<Joined> {
  const wanted = job(name, { cron: `0/${period} * * * * ?`, shards: shardingItems })
  await first.startJobs([wanted])
  const alone = nextFire(period)
  await pass(alone - Date.now() + period * 400)
  await untilBegun([first], alone, shardingItems)
  const { milliseconds: join } = await second.startJobs([wanted])
  const together = nextFire(period)
  // Asked when there is nothing left to be disturbed.
  await pass(together - Date.now() + period * 700)
  const begun = await untilBegun([first, second], together, shardingItems)
  await second.stopJob(name)
  await first.stopJob(name)
  await Promise.all([first.clear(), second.clear()])
  return { ...begun, join }
}

function nextFire(period: number): number {
  const step = period * 1000
  return Math.ceil(Date.now() / step) * step
}

async function untilBegun(
  workers: readonly Worker[],
  fire: number,
  shardingItems: number,
): Promise<Pick<Joined, 'first' | 'last'>> {
  return eventually(
    async () => {
      const runs = (await Promise.all(workers.map((worker) => worker.runs()))).flat()
      return begunOf(runs, fire, shardingItems)
    },
    { what: `${shardingItems} shards that have begun`, timeoutMs: 30_000, intervalMs: 500 },
  )
}
