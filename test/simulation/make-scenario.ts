/** From a seed to a scenario. */
import { SeededRandom } from '@elasticjob/zookeeper/testing'

import { withExtras } from './extras.ts'
import { rareSituation } from './guidance.ts'
import { makeAction, weightedKinds } from './make-action.ts'
import {
  calmTimes,
  type Event,
  type JobPlan,
  type Scenario,
  endAfter,
  periods,
  strategies,
} from './scenario.ts'

/** How long the troubles last, in milliseconds: short of what makes the earliest end a half minute later. */
const lengths = [58_000, 118_000, 118_000, 178_000, 298_000]
/** So many runs may fall into the troubles: what runs more often meets as much in less time. */
const mostRuns = 500

export function makeScenario(seed: number): Scenario {
  return withExtras(basicScenario(seed))
}

function basicScenario(seed: number): Scenario {
  const random = new SeededRandom(seed)
  const between = (low: number, high: number): number => low + random.below(high - low + 1)
  const instances = random.pick([1, 2, 2, 3, 3, 3, 4, 5, 6, 8])
  const jobs = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 4]) }, (_, index) =>
    makeJob(index, random),
  )
  const troubles = troublesOf(seed, jobs)
  const servers = random.pick([1, 3] as const)
  const kinds = weightedKinds(random)
  const count = random.pick([0, 2, 4, 8, 16, 30, 60])
  // Where faults come whenever chance wants, they hardly ever meet a job without a leader or a crashed shard.
  const guided = random.pick([0, 0, 0.3, 1])
  const events = Array.from({ length: count }, (): Event => {
    const kind = random.pick(kinds)
    const action = makeAction(kind, random, { instances, jobs, servers })
    const at = between(1000, troubles - 1000)
    const when = random.happens(guided) ? situation(kind, jobs, random) : {}
    return { at: random.happens(0.4) ? aroundFire(at, jobs, random) : at, ...action, ...when }
  }).toSorted((a, b) => a.at - b.at)
  const sessionTimeout = random.pick([10_000, 15_000, 15_000, 15_000, 15_000, 30_000])
  const tickTime = random.pick([1000, 2000, 2000, 2000])
  const longestWork = Math.max(...jobs.map(({ work }) => work[1]))
  const longestPeriod = longestPeriodOf(jobs, events)
  // What was cut off has to be noticed, what was begun has to end, and what was left has to be repaired.
  const repairing = 2 * sessionTimeout + longestWork + 30_000
  const calm = troubles + repairing + calmTimes * longestPeriod
  return {
    seed,
    servers,
    instances,
    java: 0,
    clocks: Array.from({ length: instances }, () => ({
      ahead: random.happens(0.7) ? 0 : between(-30_000, 30_000),
      // As far as a lease allows for.
      rate: random.happens(0.7) ? 1 : 1 + between(-5, 5) / 10_000,
    })),
    sessionTimeout,
    tickTime,
    jobs,
    events,
    calmFrom: troubles,
    end: endAfter(calm),
  }
}

function troublesOf(seed: number, jobs: readonly JobPlan[]): number {
  const wanted = new SeededRandom(seed ^ 0x7e57).pick(lengths)
  const runsPerSecond = jobs.reduce((sum, { total, period }) => sum + total / period, 0)
  const longest = (mostRuns / runsPerSecond) * 1000
  return (
    lengths.findLast((length) => length <= wanted && length <= longest) ?? (lengths[0] as number)
  )
}

function situation(
  kind: Event['kind'],
  jobs: readonly JobPlan[],
  random: SeededRandom,
): Pick<Event, 'when'> {
  const job = random.below(jobs.length)
  return { when: { job, ...rareSituation(kind, random.fraction()) } }
}

/** Whatever the jobs' periods become, in milliseconds. */
function longestPeriodOf(jobs: readonly JobPlan[], events: readonly Event[]): number {
  const later = events.map((event) => (event.kind === 'set-period' ? event.period : 0))
  return Math.max(...jobs.map(({ period }) => period), ...later) * 1000
}

/** Most of what can go wrong does so while claims are on their way. */
function aroundFire(at: number, jobs: readonly JobPlan[], random: SeededRandom): number {
  const period = random.pick(jobs).period * 1000
  return Math.max(period, Math.floor(at / period) * period) + random.below(600) - 50
}

function makeJob(index: number, random: SeededRandom): JobPlan {
  const period = random.pick(periods)
  const most = random.pick([0, 100, 0.5, 0.9, 1.5, 3])
  const longest = most === 100 ? 100 : Math.round(most * period * 1000)
  return {
    jobName: `job-${index}`,
    period,
    total: random.pick([1, 1, 2, 3, 3, 5, 7, 10, 20]),
    failover: random.happens(0.6),
    misfire: random.happens(0.6),
    staticSharding: random.happens(0.1),
    strategy: random.pick(strategies),
    monitorExecution: true,
    isMixed: false,
    work: [random.happens(0.5) ? 0 : Math.round(longest / 2), longest],
    failing: random.pick([0, 0, 0.1]),
    deaf: random.pick([0, 0, 0.3]),
    saving: random.pick([0, 0, 0.5, 1]),
    timeout: 0,
    catchUp: 'skip',
    timeZone: undefined,
    hasListener: false,
  }
}
