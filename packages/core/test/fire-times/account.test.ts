import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { describe, expect, it } from 'vitest'

import {
  type AccountContext,
  type CountedShard,
  passedByClaim,
  passedForGood,
  sinceReported,
} from '../../src/fire-times/account.ts'
import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import { accountedUntil, type Due, dueOf, timeOf } from '../../src/fire-times/due.ts'
import { FireHistory, type FireSpan } from '../../src/fire-times/fire-history.ts'
import { type ShardState, neverRun, type PassedFires } from '../../src/job-tree/shard-state.ts'
import type { OffPeriod } from '../../src/job-tree/job-state.ts'
import { every } from '../support/fires.ts'
import { x } from '../tree.ts'

/** A job that fires at every ten. */
const fires = every(10)
const context: AccountContext = {
  now: 1005,
  oldest: 900,
  misfire: true,
  catchUp: noCatchUp,
  paused: false,
  history: new FireHistory([{ from: 0, fires, total: 1 }]),
}

const cron = (fireTime: number): Due => ({ source: 'cron', fireTime })
const misfire = (fireTime: number): Due => ({ source: 'misfire', fireTime })
const triggered: Due = { source: 'trigger', round: { id: 1, asked: 1000 } }

function ran(fireTime: number, end: number, changes: Partial<ShardState> = {}): ShardState {
  return { ...neverRun, run: 'r', instance: x, fireTime, begin: fireTime, end, ...changes }
}

function shard(shardState: ShardState, changes: Partial<CountedShard> = {}): CountedShard {
  return { shard: 0, shardState, server: '10.0.0.1', created: 0, left: [], ...changes }
}

/** Without their reasons: `first-last`, and `skipped` behind what was left out on purpose. */
function told(rows: readonly PassedFires[]): string[] {
  return rows.map(
    ({ first, last, isSkipped = false }) => `${first}-${last}${isSkipped ? ' skipped' : ''}`,
  )
}

const claimed = (
  shardState: ShardState,
  due: Due,
  changes: Partial<AccountContext> = {},
  counted: Partial<CountedShard> = {},
): string[] => told(passedByClaim(shard(shardState, counted), due, { ...context, ...changes }))

describe('passedByClaim', () => {
  it('passes over nothing when the next fire time is claimed', () => {
    expect(claimed(ran(990, 992), cron(1000))).toEqual([])
  })

  it('passes over all between the last run and the one that is claimed', () => {
    expect(claimed(ran(950, 951), cron(1000))).toEqual(['960-990'])
    expect(claimed(ran(980, 981), cron(1000))).toEqual(['990-990'])
  })

  it('begins when the shard came into being, or when the schedule was made', () => {
    expect(claimed(neverRun, cron(1000), {}, { created: 970 })).toEqual(['980-990'])
    const history = new FireHistory([{ from: 985, fires, total: 1 }])
    expect(claimed(neverRun, cron(1000), { history })).toEqual(['990-990'])
    expect(claimed(ran(900, 901, { since: 995 }), cron(1000))).toEqual([])
  })

  it('counts the fire times of a shard whose node was made again', () => {
    expect(claimed(ran(960, 961), cron(1000), {}, { created: 995 })).toEqual(['970-990'])
  })

  it('merges what passed while the shard ran into its misfire run', () => {
    expect(claimed(ran(950, 999), misfire(990))).toEqual([])
    expect(claimed(ran(900, 955, { begin: 935 }), misfire(950))).toEqual(['910-930'])
  })

  it('reports what passed while the shard ran if a later fire time is claimed first', () => {
    expect(claimed(ran(950, 999), cron(1000))).toEqual(['960-990'])
    expect(claimed(ran(950, 975), cron(1000))).toEqual(['960-970', '980-990'])
    const [overrun] = passedByClaim(shard(ran(950, 975)), cron(1000), context)
    expect(overrun?.reason).toContain('while the shard ran')
  })

  it('skips what passed while the shard ran with misfire off', () => {
    expect(claimed(ran(950, 975), cron(1000), { misfire: false })).toEqual([
      '960-970 skipped',
      '980-990',
    ])
  })

  it('reports all since a run that never ended', () => {
    expect(claimed(ran(950, 0, { state: 'running' }), cron(1000))).toEqual(['960-990'])
    expect(claimed(ran(950, 950, { state: 'abandoned' }), cron(1000))).toEqual(['960-990'])
  })

  it('reports fire times of an earlier schedule that nobody ran', () => {
    const spans = [
      { from: 0, fires: every(7), total: 1 },
      { from: 965, fires, total: 1 },
    ]
    const rows = passedByClaim(shard(ran(945, 946)), cron(1000), {
      ...context,
      history: new FireHistory(spans),
    })
    expect(told(rows)).toEqual(['952-959', '970-990'])
    expect(rows[0]?.reason).toContain('schedule was changed')
  })

  it('reports what nobody ran before a pause, and nothing of the pause itself', () => {
    const paused = (off: ConstructorParameters<typeof FireHistory>[1]): string[] =>
      claimed(ran(950, 951), cron(1000), {
        history: new FireHistory([{ from: 0, fires, total: 1 }], off),
      })
    expect(paused([{ why: 'paused', from: 965, to: 995 }])).toEqual(['960-960'])
    expect(paused([{ why: 'paused', from: 965, to: 980, server: '10.0.0.1' }])).toEqual([
      '960-960',
      '990-990',
    ])
    expect(paused([{ why: 'paused', from: 965, to: 995, server: '10.0.0.2' }])).toEqual(['960-990'])
  })

  describe('of a shard that moved to a server on which the job is paused', () => {
    const [former, present] = ['10.0.0.1', '10.0.0.2']
    const pausedOn = (server: string): Partial<AccountContext> => ({
      history: new FireHistory(
        [{ from: 0, fires, total: 1 }],
        [{ why: 'paused', from: 900, to: 995, server }],
      ),
    })
    const formerServers = [{ server: former, until: 975 }]
    const shardState = ran(940, 965, { formerServers })
    const moved = { server: present }

    it('reports what passed before the move', () => {
      expect(claimed(shardState, cron(1000), pausedOn(present), moved)).toEqual([
        '950-960',
        '970-970',
      ])
    })

    it('reports nothing of the pause of the server that the shard was on', () => {
      expect(claimed(shardState, cron(1000), pausedOn(former), moved)).toEqual(['980-990'])
    })

    it('reports only what passed on the server between two stays on the paused one', () => {
      const back = ran(940, 945, {
        formerServers: [
          { server: former, until: 955 },
          { server: present, until: 975 },
        ],
      })
      expect(claimed(back, cron(1000), pausedOn(former), { server: former })).toEqual(['960-970'])
      expect(claimed(back, cron(1000), pausedOn(present), { server: former })).toEqual([
        '950-950',
        '980-990',
      ])
    })
  })

  it('reports what nobody ran before the shard count was lowered', () => {
    const spans = [
      { from: 0, fires, total: 2 },
      { from: 965, fires, total: 1 },
      { from: 975, fires, total: 2 },
    ]
    const history = new FireHistory(spans)
    const counted = { shard: 1, created: 985 }
    expect(claimed(ran(940, 941), cron(1000), { history }, counted)).toEqual(['950-960', '990-990'])
  })

  it('reports what a disable of the shard has left open', () => {
    const shardState = ran(940, 941, { since: 985, unreported: [{ after: 940, until: 965 }] })
    const left = [{ after: 965, until: 985 }]
    expect(claimed(shardState, cron(1000), {}, { left })).toEqual(['950-960', '990-990'])
  })

  it('says nothing of what Java may have run', () => {
    const left = [{ after: 0, until: 975 }]
    expect(claimed(ran(940, 941), cron(1000), {}, { left })).toEqual(['980-990'])
  })

  it('of a manual run passes over what is too old to be run after it', () => {
    expect(claimed(ran(870, 0, { state: 'running' }), triggered)).toEqual(['880-900'])
    expect(claimed(ran(900, 901), triggered)).toEqual([])
    const catchUp = { policy: 'once', limit: 1 } as const
    expect(claimed(ran(870, 871), triggered, { catchUp })).toEqual([])
    expect(claimed(ran(870, 871), triggered, { paused: true })).toEqual([])
  })

  it('of a manual run leaves a misfire run due', () => {
    expect(claimed(ran(870, 905), triggered)).toEqual([])
  })

  it('of a manual run skips what misfire off has dropped, for its claim replaces the last run', () => {
    expect(claimed(ran(950, 975), triggered, { misfire: false })).toEqual(['960-970 skipped'])
  })

  it('of a failover passes over what is too old: the fire time itself is claimed already', () => {
    const taken: Due = { source: 'failover', fireTime: 950, round: undefined }
    expect(claimed(ran(950, 951, { state: 'crashed' }), taken)).toEqual([])
    expect(claimed(ran(870, 0, { state: 'crashed' }), taken)).toEqual(['880-900'])
  })

  it('passes over nothing in a job without a schedule', () => {
    const history = new FireHistory([{ from: 0, fires: undefined, total: 1 }])
    expect(claimed(ran(900, 901), triggered, { history })).toEqual([])
  })
})

describe('accounts of random shards', () => {
  /** A shard that lives through a random schedule of runs, restarts, changes and looks of the leader. */
  function live(seed: number): {
    readonly fates: Map<number, string[]>
    readonly off: Set<number>
  } {
    const random = new SeededRandom(seed)
    const next = (below: number): number => Math.floor(random.fraction() * below)
    const window = 25
    const isMisfireOn = next(2) === 0
    const spans: FireSpan[] = [{ from: 0, fires: every(10), total: 1 }]
    const off: OffPeriod[] = []
    const fates = new Map<number, string[]>()
    const tell = (time: number, fate: string): void => {
      fates.set(time, [...(fates.get(time) ?? []), fate])
    }
    const reported = (rows: readonly PassedFires[], at: number): void => {
      for (const { first, last } of rows) {
        for (let time = first; time <= last; time++) {
          if (isScheduled(spans, time)) tell(time, `reported at ${at}`)
        }
      }
    }
    let shardState = neverRun
    let since = 0
    let busyUntil = 0
    let isDown = false
    for (let now = 1; now < 600; now++) {
      const paused = off.at(-1) !== undefined && off.at(-1)?.to === undefined
      const account: AccountContext = {
        now,
        oldest: Math.max(now - window, since),
        misfire: isMisfireOn,
        catchUp: noCatchUp,
        paused,
        history: new FireHistory(spans, off),
      }
      const present = spans.at(-1)?.fires
      if (next(40) === 0) isDown = !isDown
      if (next(60) === 0) {
        spans.push({ from: now, fires: every(5 + next(20)), total: 1 })
        since = now
      } else if (next(50) === 0 && !paused) off.push({ why: 'paused', from: now })
      else if (next(15) === 0 && paused) {
        off.push({ ...(off.pop() as OffPeriod), to: now })
        since = now
      }
      if (shardState.state === 'running') {
        if (now < busyUntil) continue
        // It ends in good order, or its instance dies and the run is given up.
        shardState =
          next(6) === 0
            ? { ...shardState, state: 'abandoned', end: shardState.begin }
            : { ...shardState, state: 'idle', end: now }
        continue
      }
      const counted = shard(shardState)
      if (next(10) === 0) {
        const cut = paused ? now : since
        const rows = passedForGood(counted, cut, account, 'too old')
        reported(rows, now)
        shardState = { ...shardState, since: sinceReported(shardState.since, rows) }
      }
      if (isDown) continue
      const latest = present?.latestAtOrBefore(now, account.oldest)
      const due = dueOf(shardState, 0, x, 0, {
        ...account,
        fires: present,
        latest,
        since,
        round: next(30) === 0 ? { id: shardState.round + 1, asked: now } : undefined,
      })
      if (due === undefined) continue
      const rows = passedByClaim(shard(shardState), due, account)
      reported(rows, now)
      const isTrigger = due.source === 'trigger'
      if (due.source === 'misfire') {
        for (let time = shardState.begin + 1; time < due.fireTime; time++) {
          if (time > accountedUntil(shardState) && isScheduled(spans, time)) tell(time, 'merged')
        }
      }
      if (!isTrigger) tell(timeOf(due), `run at ${now}`)
      shardState = {
        ...shardState,
        state: 'running',
        fireTime: isTrigger ? shardState.fireTime : timeOf(due),
        round: isTrigger ? shardState.round + 1 : shardState.round,
        begin: now,
        end: 0,
        since: isTrigger ? sinceReported(shardState.since, rows) : shardState.since,
      }
      busyUntil = now + next(40)
    }
    // A last look, with everything too old: whatever is still open is told then.
    const account = {
      ...context,
      now: 2000,
      oldest: 1999,
      misfire: isMisfireOn,
      history: new FireHistory(spans, off),
    }
    if (shardState.state === 'running') shardState = { ...shardState, state: 'idle', end: 600 }
    reported(passedForGood(shard(shardState), 2000, account, 'too old'), 2000)
    const excluded = new Set<number>()
    for (let time = 1; time <= 600; time++) {
      if (off.some(({ from, to = Infinity }) => from < time && time <= to)) excluded.add(time)
    }
    for (let time = 1; time <= 600; time++) {
      if (isScheduled(spans, time) && !fates.has(time)) fates.set(time, [])
    }
    return { fates, off: excluded }
  }

  /** Whether a time belongs to the schedule that held then. */
  function isScheduled(spans: readonly FireSpan[], time: number): boolean {
    const span = spans.findLast(({ from }) => from < time)
    return span?.fires?.nextAfter(time - 1) === time
  }

  it('hold every fire time once: it ran, was merged or was reported, unless the job was off', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const { fates, off } = live(seed)
      const wrong = [...fates].filter(([time, all]) =>
        off.has(time) && time <= 600 ? all.length > 1 : time <= 600 && all.length !== 1,
      )
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
    }
  })
})

describe('passedForGood', () => {
  const gone = (
    shardState: ShardState,
    cut = 0,
    changes: Partial<AccountContext> = {},
  ): readonly PassedFires[] =>
    passedForGood(shard(shardState), cut, { ...context, ...changes }, 'its owner is gone')

  it('is what is too old, with the reason', () => {
    expect(gone(ran(870, 871))).toEqual([{ first: 880, last: 900, reason: 'its owner is gone' }])
    expect(gone(ran(900, 901))).toEqual([])
  })

  it('is what was before a cut, however young', () => {
    expect(told(gone(ran(950, 951), 985))).toEqual(['960-980'])
  })

  it('is not what a misfire run may stand for', () => {
    expect(gone(ran(870, 905))).toEqual([])
    expect(told(gone(ran(850, 905, { begin: 870 })))).toEqual(['860-870'])
    expect(told(gone(ran(870, 895)))).toEqual(['880-890', '900-900'])
  })

  it('is not what is made up for', () => {
    expect(gone(ran(870, 871), 0, { catchUp: { policy: 'all', limit: 3 } })).toEqual([])
  })
})
