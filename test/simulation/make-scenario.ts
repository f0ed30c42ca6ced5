/** From a seed to a scenario. */
import { SeededRandom } from '@elasticjob/zookeeper'

import { withExtras } from './extras.ts'
import {
  type Deed,
  type Event,
  type JobPlan,
  minute,
  type Scenario,
  sessionTimeout,
  troubles,
} from './scenario.ts'

const periods = [2, 3, 5, 10, 15, 20, 30]

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
  const servers = random.pick([1, 3] as const)
  const kinds = weightedKinds(random)
  const count = random.pick([0, 2, 4, 8, 16, 30, 60])
  const events = Array.from({ length: count }, (): Event => {
    const kind = random.pick(kinds)
    const deed = makeDeed(kind, random, { instances, jobs, servers })
    const at = between(1000, troubles - 1000)
    return { at: random.happens(0.4) ? aroundFire(at, jobs, random) : at, ...deed }
  }).toSorted((a, b) => a.at - b.at)
  const longestWork = Math.max(...jobs.map(({ work }) => work[1]))
  const longestPeriod = 30_000
  // What was cut off has to be noticed, what was begun has to end, and what was left has to be mended.
  const mending = 2 * sessionTimeout + longestWork + 30_000
  const calm = troubles + mending + 3 * longestPeriod
  return {
    seed,
    servers,
    instances,
    java: 0,
    skews: Array.from({ length: instances }, () =>
      random.happens(0.7) ? 0 : between(-30_000, 30_000),
    ),
    jobs,
    events,
    calmFrom: troubles,
    // Shortly before a full minute nothing has just fired, whatever the period, and nothing runs.
    end: Math.ceil(calm / minute) * minute - 500,
  }
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
    strategy: random.pick(['AVG_ALLOCATION', 'AVG_ALLOCATION', 'ODEVITY', 'ROUND_ROBIN', 'STICKY']),
    monitorExecution: true,
    isMixed: false,
    work: [random.happens(0.5) ? 0 : Math.round(longest / 2), longest],
    failing: random.pick([0, 0, 0.1]),
    deaf: random.pick([0, 0, 0.3]),
  }
}

/** What every scenario may have; the rest is for those with extras. */
type BasicKind = Exclude<
  Deed['kind'],
  | 'pause-job'
  | 'pause-server'
  | 'trigger-items'
  | 'stop-run'
  | 'ask-shutdown'
  | 'registry-clock-jump'
>

const weights: Readonly<Record<BasicKind, number>> = {
  cut: 6,
  'lose-reply': 6,
  expire: 4,
  partition: 6,
  freeze: 6,
  slow: 6,
  crash: 8,
  stop: 4,
  join: 2,
  'clock-jump': 2,
  'server-pause': 2,
  'server-restart': 3,
  'server-cut': 3,
  'server-lag': 2,
  'set-total': 4,
  'set-period': 2,
  'set-failover': 2,
  'disable-server': 3,
  'disable-shard': 3,
  trigger: 4,
  'delete-instance': 2,
}

/** Some scenarios know few kinds of trouble, so that one is not always hidden behind another. */
function weightedKinds(random: SeededRandom): BasicKind[] {
  const all = (Object.keys(weights) as BasicKind[]).flatMap((kind) =>
    Array.from({ length: weights[kind] }, () => kind),
  )
  if (random.happens(0.5)) return all
  return Array.from({ length: 3 }, () => random.pick(all))
}

function makeDeed(
  kind: BasicKind,
  random: SeededRandom,
  size: { instances: number; jobs: readonly JobPlan[]; servers: number },
): Deed {
  const slot = random.below(size.instances)
  const job = random.below(size.jobs.length)
  const host = random.below(size.servers)
  const span = random.pick([200, 1000, 3000, 8000, 11_000, 13_000, 15_000, 20_000, 40_000])
  const back = random.pick([100, 1000, 5000, 20_000, 60_000])
  switch (kind) {
    case 'cut':
    case 'lose-reply':
    case 'expire':
      return { kind, slot }
    case 'partition':
    case 'freeze':
      return { kind, slot, for: span }
    case 'slow': {
      const to = random.pick(['server', 'client'] as const)
      const delay = random.pick([20, 200, 1000, 4000, 8000])
      return { kind, slot, to, delay, for: span }
    }
    case 'crash':
      return { kind, slot, silent: random.happens(0.5), back }
    case 'stop':
      return { kind, slot, back }
    case 'join':
      return { kind, count: 1 + random.below(4) }
    case 'clock-jump':
      return { kind, slot, by: random.pick([-3_600_000, -5000, -700, 700, 5000, 86_400_000]) }
    case 'server-pause':
      return { kind, host, for: span }
    case 'server-restart':
      return { kind, host }
    case 'server-cut':
      return { kind, host, other: (host + 1) % size.servers, for: span }
    case 'server-lag':
      // Below the servers' tick: a leader that learns later than that whom a follower has heard of may end
      // a session right after a write of it, which no lease allows for.
      return { kind, host, by: random.pick([50, 500, 1000]), for: span }
    case 'set-total':
      return { kind, job, total: random.pick([1, 2, 3, 5, 10, 20]) }
    case 'set-period':
      return { kind, job, period: random.pick(periods) }
    case 'set-failover':
      return { kind, job, failover: random.happens(0.5) }
    case 'disable-server':
      return { kind, job, slot, for: span }
    case 'disable-shard':
      return { kind, job, item: random.below(size.jobs[job]?.total ?? 1), for: span }
    case 'trigger':
      return { kind, job, slot, as: random.pick(['round', 'node'] as const) }
    case 'delete-instance':
      return { kind, job, slot }
  }
}
