import { describe, expect, test } from 'vitest'

import type { History } from './history.ts'
import { isJava } from './leftovers.ts'
import { exactClock } from './process.ts'
import type { Event, JobPlan, Scenario } from './scenario.ts'
import { simulate } from './simulate.ts'
import { timelineOf } from './timeline.ts'

const job: JobPlan = {
  jobName: 'job-0',
  period: 10,
  total: 4,
  failover: true,
  misfire: true,
  staticSharding: false,
  strategy: 'AVG_ALLOCATION',
  monitorExecution: true,
  isMixed: true,
  work: [3000, 3000],
  failing: 0,
  deaf: 0,
  saving: 0,
  timeout: 0,
  catchUp: 'skip',
  timeZone: undefined,
  hasListener: false,
}

/** One instance of ours and two of Java's, to whom something happens. */
async function historyOf(
  events: readonly Event[],
  changes: Partial<JobPlan> = {},
): Promise<History> {
  const scenario: Scenario = {
    seed: 1,
    servers: 1,
    instances: 1,
    java: 2,
    clocks: [0, 0, 0].map(() => exactClock),
    sessionTimeout: 15_000,
    tickTime: 2000,
    jobs: [{ ...job, ...changes }],
    events,
    calmFrom: 100_000,
    end: 299_500,
  }
  const result = await simulate(scenario)
  expect(timelineOf(result)).toBe('')
  return result.history
}

/** What happened to a node of the job, as the server saw it. */
function changesOf(
  { transactions, committedAt }: History,
  path: RegExp,
): [number, string, string][] {
  return transactions.flatMap(({ body }, index) => {
    const changes = body.kind === 'multi' ? body.changes : 'path' in body ? [body] : []
    return changes
      .filter((change) => path.test(change.path))
      .map((change): [number, string, string] => {
        const data = 'data' in change && change.data !== null ? change.data : ''
        return [committedAt[index] ?? 0, change.kind, Buffer.from(data).toString()]
      })
  })
}

describe('instances of Java, as the simulation plays them', () => {
  test('share the shards with ours, and run them when they fire', async () => {
    const { javaRuns, runs, tree } = await historyOf([])
    const owners = [0, 1, 2, 3].map((shard) => tree.get(`/sim/job-0/sharding/${shard}/instance`))
    expect(new Set(owners).size).toBeGreaterThan(2)
    expect(owners.some((owner) => isJava(owner ?? ''))).toBe(true)
    expect(runs.length).toBeGreaterThan(0)
    expect(javaRuns.length).toBeGreaterThan(0)
    // Java fires, then looks at everything, one thing after the other.
    for (const { begin } of javaRuns) expect(begin % 10_000).toBeLessThan(2000)
  })

  test('take their node away for a moment when they reconnect, and the marks of what they run', async () => {
    const history = await historyOf([{ at: 51_000, kind: 'cut', slot: 1 }])
    const around = ([at]: readonly [number, ...unknown[]]): boolean => at > 50_500 && at < 53_000
    const node = changesOf(history, /instances\/10\.0\.3\.1@-@\d+$/).filter(around)
    expect(node.map(([, kind]) => kind)).toEqual(['delete', 'create'])
    const run = history.javaRuns.find(
      ({ begin, instance }) => begin > 50_000 && instance.startsWith('10.0.3.1@'),
    )
    const marks = changesOf(history, new RegExp(`sharding/${run?.shard}/running$`)).filter(around)
    expect(marks.map(([, kind]) => kind)).toEqual(['delete'])
    expect(run?.end).toBeGreaterThan(53_000)
  })

  test('take over what one of them leaves, under the latch and by its marks', async () => {
    const crash: Event = { at: 51_000, kind: 'crash', slot: 1, silent: false, back: 60_000 }
    const history = await historyOf([crash], { work: [1500, 1500] })
    const takers = changesOf(history, /sharding\/\d+\/failovering$/)
      .filter(([, kind]) => kind === 'create')
      .map(([, , taker]) => taker)
    expect(takers.length).toBeGreaterThan(0)
    const latch = changesOf(history, /leader\/failover\/latch\/.+/)
    expect(latch.length).toBeGreaterThan(0)
  })

  test('go when their node is deleted, and stay away', async () => {
    const history = await historyOf([{ at: 45_000, kind: 'delete-instance', job: 0, slot: 1 }])
    const gone = history.javaRuns.filter(
      ({ instance, begin }) => instance.startsWith('10.0.3.1@') && begin > 50_000,
    )
    expect(gone).toEqual([])
    expect(history.javaRuns.some(({ begin }) => begin > 60_000)).toBe(true)
  })

  test('run what fell due while they were busy behind their next run', async () => {
    const history = await historyOf([], { work: [14_000, 14_000], failover: false })
    const misfires = changesOf(history, /sharding\/\d+\/misfire$/)
    expect(misfires.map(([, kind]) => kind)).toContain('create')
    expect(misfires.map(([, kind]) => kind)).toContain('delete')
  })
})
