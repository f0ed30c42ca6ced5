/**
 * What some scenarios have beyond the common: instances of Java's, and runs that nobody writes down. From a stream of chance of its own, so that all else stays as the seed has it.
 */
import { SeededRandom } from '@elasticjob/zookeeper/testing'

import { makeAction } from './make-action.ts'
import { exactClock } from './process.ts'
import { type Event, type JobPlan, minute, type Scenario } from './scenario.ts'

/** What share of scenarios has a job that is shared with Java, one that is not monitored. */
const mixedShare = 0.2
const unmonitoredShare = 0.1
/** What share of the others has jobs with a timeout, with catch-up, in a zone of their own. */
const timeoutShare = 0.15
const catchUpShare = 0.15
const zoneShare = 0.1
const listenerShare = 0.08
/** What share has a configuration that nobody can read for a while, nodes that nobody may read. */
const corruptShare = 0.08
const deniedShare = 0.08
/** What share has processes that crash while a command of an operator holds for their job. */
const crashesInCommandsShare = 0.5
/** What share has a job with more shards than a batch has room for, many jobs, hours of simulated time. */
const manyShardsShare = 0.01
const manyJobsShare = 0.02
const hoursShare = 0.01
/** A Java leader that is stuck is replaced after a minute, and what it has left is assigned after that. */
const mixedRepairing = 2 * minute

const isOfClock: ReadonlySet<Event['kind']> = new Set(['clock-jump', 'suspend'])
const isCommand: ReadonlySet<Event['kind']> = new Set([
  'pause-job',
  'pause-server',
  'disable-server',
  'disable-shard',
])
const notWithJava: ReadonlySet<Event['kind']> = new Set(['registry-clock-jump', 'wipe', 'restore'])

export function withExtras(scenario: Scenario): Scenario {
  const random = new SeededRandom(scenario.seed ^ 0xe47a)
  const isMixed = random.happens(mixedShare)
  const isUnmonitored = random.happens(unmonitoredShare)
  if (isMixed) return withJava(scenario, random)
  const result = withFeatures(scenario)
  return isUnmonitored ? withJobs(result, unmonitored) : result
}

/** Each from a stream of chance of its own, so that none moves another. */
function withFeatures(scenario: Scenario): Scenario {
  const { seed } = scenario
  const features: readonly (readonly [
    share: number,
    (one: Scenario, random: SeededRandom) => Scenario,
  ])[] = [
    [timeoutShare, withTimeouts],
    [catchUpShare, withCatchUp],
    [zoneShare, withZones],
    [corruptShare, (one, random) => withEvents(one, 'corrupt-config', random)],
    [deniedShare, withDenials],
    [manyShardsShare, withManyShards],
    [manyJobsShare, withManyJobs],
    [hoursShare, withHours],
    [listenerShare, (one) => withJobs(one, (job) => ({ ...job, hasListener: true }))],
    [crashesInCommandsShare, withCrashesInCommands],
  ]
  return features.reduce((result, [share, add], index) => {
    const random = new SeededRandom(seed ^ (0xfea7 + index * 0x1_0001))
    return random.happens(share) ? add(result, random) : result
  }, scenario)
}

function withJobs(scenario: Scenario, change: (job: JobPlan, index: number) => JobPlan): Scenario {
  return { ...scenario, jobs: scenario.jobs.map(change) }
}

function withTimeouts(scenario: Scenario, random: SeededRandom): Scenario {
  return withJobs(scenario, (job) => ({ ...job, timeout: random.pick([300, 2000, 10_000]) }))
}

function withCatchUp(scenario: Scenario, random: SeededRandom): Scenario {
  return withJobs(scenario, (job) => ({ ...job, catchUp: random.pick(['once', 'all'] as const) }))
}

/** Minutes are the same everywhere; what differs is how fire times are computed. */
function withZones(scenario: Scenario, random: SeededRandom): Scenario {
  return withJobs(scenario, (job) => ({
    ...job,
    timeZone: random.pick(['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu']),
  }))
}

function withEvents(scenario: Scenario, kind: Event['kind'], random: SeededRandom): Scenario {
  const { calmFrom, instances, jobs, servers } = scenario
  const added = Array.from({ length: 1 + random.below(3) }, (): Event => ({
    at: 1000 + random.below(calmFrom - 2000),
    ...makeAction(kind, random, { instances, jobs, servers }),
  }))
  const events = [...scenario.events, ...added].toSorted((a, b) => a.at - b.at)
  return { ...scenario, events }
}

/** A crash alone seldom meets a job that is paused or disabled somewhere, and that runs. */
function withCrashesInCommands(scenario: Scenario, random: SeededRandom): Scenario {
  const { calmFrom, instances, jobs, servers } = scenario
  const added = scenario.events.flatMap((event): Event[] => {
    if (!isCommand.has(event.kind) || !('for' in event) || !('job' in event)) return []
    const at = event.at + random.below(Math.ceil(event.for / 2))
    const action = makeAction('crash', random, { instances, jobs, servers })
    const when = { job: event.job, shard: 'running', leader: 'settled' } as const
    return at < calmFrom - 1000 ? [{ at, ...action, when }] : []
  })
  const events = [...scenario.events, ...added].toSorted((a, b) => a.at - b.at)
  return { ...scenario, events }
}

/** A backup would bring denials back that nobody lifts. */
function withDenials(scenario: Scenario, random: SeededRandom): Scenario {
  const events = scenario.events.filter(({ kind }) => kind !== 'restore')
  return withEvents({ ...scenario, events }, 'deny-access', random)
}

function withManyShards(scenario: Scenario, random: SeededRandom): Scenario {
  const total = random.pick([130, 200, 300])
  return withJobs(scenario, (job, index) =>
    index === 0 ? { ...job, total, period: 30, work: [0, 100] } : job,
  )
}

function withManyJobs(scenario: Scenario, random: SeededRandom): Scenario {
  const { jobs } = scenario
  const more = Array.from({ length: 4 + random.below(12) }, (_, index): JobPlan => {
    const jobName = `job-${jobs.length + index}`
    return {
      ...(jobs[index % jobs.length] as JobPlan),
      jobName,
      total: 1 + random.below(3),
      period: 10,
    }
  })
  return { ...scenario, jobs: [...jobs, ...more] }
}

/** A small cluster for so long that whatever is done every few minutes is done often. */
function withHours(scenario: Scenario, random: SeededRandom): Scenario {
  const jobs = scenario.jobs
    .slice(0, 1)
    .map((job) => ({ ...job, period: 30, total: Math.min(job.total, 3) }))
  const calmFrom = random.pick([1, 2, 3]) * 60 * minute - 2000
  const stretch = calmFrom / scenario.calmFrom
  const events = scenario.events
    .filter((event) => event.kind !== 'set-period' && (!('job' in event) || event.job === 0))
    .filter(({ when }) => when === undefined || when.job === 0)
    .map((event): Event => ({ ...event, at: Math.round(event.at * stretch) }))
  return { ...scenario, jobs, events, calmFrom, end: calmFrom + scenario.end - scenario.calmFrom }
}

function unmonitored(job: JobPlan): JobPlan {
  return { ...job, monitorExecution: false, failover: false, hasListener: false }
}

/** The first job is shared with Java, and what befalls processes befalls Java's as well. */
function withJava(scenario: Scenario, random: SeededRandom): Scenario {
  const java = random.pick([1, 1, 2, 3])
  const places = scenario.instances + java
  // Java fires by the clocks of its machines, we by the registry's: together they need them to agree. What a
  // registry has lost Java does not survive.
  const events = scenario.events
    .filter(({ kind }) => !notWithJava.has(kind))
    .map((event): Event => {
      // How a machine's clock is set, Java does not survive any better alone.
      if (!('slot' in event) || isOfClock.has(event.kind)) return event
      return random.happens(0.5) ? { ...event, slot: random.below(places) } : event
    })
  const jobs = scenario.jobs.map((job, index) => (index === 0 ? shared(job) : job))
  const clocks = [...scenario.clocks, ...Array.from({ length: java }, () => exactClock)]
  return { ...scenario, java, jobs, events, clocks, end: scenario.end + mixedRepairing }
}

/** With a strategy that Java knows. */
function shared(job: JobPlan): JobPlan {
  const strategy = job.strategy === 'STICKY' ? 'AVG_ALLOCATION' : job.strategy
  return { ...job, isMixed: true, staticSharding: false, strategy }
}
