/** Histories made by hand, for the tests of what must hold of them. */
import type { BodyRun, Expected, History, JavaRun, SeenState, StateChange } from './history.ts'
import type { Transaction } from './registry.ts'

export const a = '10.0.0.1@-@1-a'
export const b = '10.0.0.2@-@1-b'
export const java = '10.0.0.3@-@17'

export const job: Expected = {
  jobName: 'job',
  total: 1,
  failover: true,
  isMixed: false,
  monitorExecution: true,
  fires: [1000],
}

export function run(changes: Partial<BodyRun> = {}): BodyRun {
  return {
    process: 'p0',
    instance: a,
    jobName: 'job',
    shard: 0,
    runId: 'r1',
    source: 'cron',
    fireTime: 1000,
    attempt: 1,
    token: 1n,
    begin: 1000,
    end: 2000,
    result: 'success',
    abortedAt: undefined,
    offset: undefined,
    saved: [],
    ...changes,
  }
}

export function javaRun(changes: Partial<JavaRun> = {}): JavaRun {
  return {
    process: 'p9',
    instance: java,
    jobName: 'job',
    shard: 0,
    checkedAt: 1000,
    isFire: true,
    begin: 1050,
    end: 2000,
    ...changes,
  }
}

export function shardState(
  zxid: number,
  at: number,
  changes: Partial<SeenState> = {},
): StateChange {
  const claim: SeenState = {
    state: 'running',
    run: 'r1',
    instance: a,
    fireTime: 1000,
    source: 'cron',
    attempt: 1,
    round: 0,
    begin: at,
    end: 0,
  }
  const state = { ...claim, ...changes }
  return { zxid, order: zxid, era: 0, at, jobName: 'job', shard: 0, shardState: state }
}

export const ended: StateChange = shardState(2, 2001, {
  state: 'idle',
  end: 2000,
  outcome: 'success',
})

/** One run that was claimed, went well and was written down; then as it is changed. */
export function history(changes: Partial<History> = {}): History {
  return {
    seed: 0,
    assignment: 0,
    sessionTimeout: 15_000,
    end: 100_000,
    registryAhead: 0,
    clockJumps: [],
    runs: [run()],
    javaRuns: [],
    listenerCalls: [],
    states: [shardState(1, 999), ended],
    leases: new Map([
      [1n, [[0, 100_000]]],
      [2n, [[0, 100_000]]],
    ]),
    sessionOf: new Map([
      [a, 1n],
      [b, 2n],
    ]),
    reused: [],
    left: new Map(),
    closed: new Map(),
    era: 0,
    losses: [],
    heard: new Map(),
    sentAt: new Map(),
    forced: new Map(),
    freezes: new Map(),
    expected: [job],
    tree: new Map([
      ['/sim/job/leader/election/instance', a],
      ['/sim/job/sharding/0/instance', a],
    ]),
    stopped: new Set(),
    hanging: [],
    problems: [],
    coverage: {},
    told: [],
    done: [],
    transactions: [],
    committedAt: [],
    orders: [],
    ...changes,
  }
}

/** What the server saw: when, and what was set (text) or deleted (undefined) in one transaction. */
export type Seen = readonly [at: number, changes: Readonly<Record<string, string | undefined>>]

/** The part of a history that the server's transactions are. */
export function seen(
  ...all: readonly Seen[]
): Pick<History, 'transactions' | 'committedAt' | 'orders'> {
  const existing = new Set<string>()
  const transactions = all.map(([time, nodes], index): Transaction => {
    const changes = Object.entries(nodes).map(([path, text]) => {
      if (text === undefined) {
        existing.delete(path)
        return { kind: 'delete', path }
      }
      const kind = existing.has(path) ? 'setData' : 'create'
      existing.add(path)
      return { kind, path, data: Buffer.from(text) }
    })
    // As much of it as anybody looks at.
    return { zxid: index + 1, time, sessionId: 1n, body: { kind: 'multi', changes } } as never
  })
  return {
    transactions,
    committedAt: all.map(([at]) => at),
    orders: all.map((_, index) => index + 1),
  }
}
