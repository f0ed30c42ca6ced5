/**
 * What some scenarios have beyond the common: instances of Java's, runs that nobody writes down, and what
 * operators do rarely. From a stream of chance of its own, so that all else stays as the seed has it.
 */
import { SeededRandom } from '@elasticjob/zookeeper'

import { type Deed, type Event, type JobPlan, minute, type Scenario, troubles } from './scenario.ts'

/** What share of scenarios has a job that is shared with Java, one that is not monitored, rare deeds. */
const mixedShare = 0.2
const unmonitoredShare = 0.1
const rareShare = 0.3
/** A Java leader that is stuck is replaced after a minute, and what it has left is dealt out after that. */
const mixedMending = 2 * minute

export function withExtras(scenario: Scenario): Scenario {
  const random = new SeededRandom(scenario.seed ^ 0xe47a)
  const isMixed = random.happens(mixedShare)
  const isUnmonitored = random.happens(unmonitoredShare)
  const isRare = random.happens(rareShare)
  let result = scenario
  if (isMixed) result = withJava(result, random)
  else if (isUnmonitored) result = { ...result, jobs: result.jobs.map((job) => unmonitored(job)) }
  if (isRare) result = withRareDeeds(result, random)
  return result
}

function unmonitored(job: JobPlan): JobPlan {
  return { ...job, monitorExecution: false, failover: false }
}

/** The first job is shared with Java, and what befalls processes befalls Java's as well. */
function withJava(scenario: Scenario, random: SeededRandom): Scenario {
  const java = random.pick([1, 1, 2, 3])
  const places = scenario.instances + java
  const events = scenario.events.map((event): Event => {
    // How a machine's clock is set, Java does not survive any better alone.
    if (!('slot' in event) || event.kind === 'clock-jump') return event
    return random.happens(0.5) ? { ...event, slot: random.below(places) } : event
  })
  const jobs = scenario.jobs.map((job, index) => (index === 0 ? shared(job) : job))
  const skews = [...scenario.skews, ...Array.from({ length: java }, () => 0)]
  return { ...scenario, java, jobs, events, skews, end: scenario.end + mixedMending }
}

/** With a strategy that Java knows. */
function shared(job: JobPlan): JobPlan {
  const strategy = job.strategy === 'STICKY' ? 'AVG_ALLOCATION' : job.strategy
  return { ...job, isMixed: true, staticSharding: false, strategy }
}

function withRareDeeds(scenario: Scenario, random: SeededRandom): Scenario {
  const count = random.pick([1, 2, 4, 8])
  const rare = Array.from({ length: count }, (): Event => {
    const at = 1000 + random.below(troubles - 2000)
    return { at, ...rareDeed(scenario, random) }
  })
  return { ...scenario, events: [...scenario.events, ...rare].toSorted((a, b) => a.at - b.at) }
}

function rareDeed({ jobs, instances, java }: Scenario, random: SeededRandom): Deed {
  const job = random.below(jobs.length)
  const slot = random.below(instances)
  const span = random.pick([1000, 5000, 20_000, 60_000])
  // Java fires by the clocks of its machines, we by the registry's: together they need them to agree.
  const clock = java > 0 ? [] : (['registry-clock-jump'] as const)
  const kind = random.pick([
    'pause-job',
    'pause-server',
    'trigger-items',
    'stop-run',
    'stop-run',
    'ask-shutdown',
    ...clock,
  ] as const)
  switch (kind) {
    case 'pause-job':
      return { kind, job, for: span }
    case 'pause-server':
      return { kind, job, slot, for: span }
    case 'trigger-items': {
      const total = jobs[job]?.total ?? 1
      return { kind, job, slot, items: [random.below(total), random.below(total)] }
    }
    case 'stop-run':
      return { kind, job, item: random.below(jobs[job]?.total ?? 1) }
    case 'ask-shutdown':
      return { kind, job, slot }
    case 'registry-clock-jump':
      // By less than the product takes for an error: what was run would have to be run once more.
      return { kind, by: random.pick([-1000, -400, 400, 4000, 60_000]) }
  }
}
