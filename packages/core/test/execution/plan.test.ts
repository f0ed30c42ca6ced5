import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { effective } from '../../src/config/effective.ts'
import { jobDefaults, type JobConfiguration } from '../../src/config/job-configuration.ts'
import { planCandidacy } from '../../src/election/plan.ts'
import { correctedState, type Due, dueOf } from '../../src/fire-times/due.ts'
import {
  type ShardPlan,
  type ClaimSettings,
  type Ending,
  obstacleTo,
  type OwnedShard,
  planClaim,
  planEnd,
} from '../../src/execution/plan.ts'
import { planOffset } from '../../src/execution/offsets.ts'
import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import { planCrash, planTake } from '../../src/failover/plan.ts'
import { encodeShardState, type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const now = 60_000
const cron: Due = { source: 'cron', fireTime: now }

function claim(
  tree: JobTree,
  instance: string,
  shard = 0,
  due = cron,
  settings: Partial<ClaimSettings> = {},
): ShardPlan {
  return planClaim(tree.view, tree.member(instance), tree.owned(shard), due, {
    failover: false,
    now,
    runId: `run of ${instance}`,
    nextFireTime: now + 1000,
    gone: [],
    ...settings,
  })
}

function end(
  tree: JobTree,
  { shardState }: ShardPlan,
  ending: Partial<Ending> = {},
  owned: OwnedShard = tree.owned(0),
): ShardPlan {
  return planEnd(
    tree.view,
    tree.member(shardState.instance),
    { ...owned, shardState },
    {
      outcome: 'success',
      error: undefined,
      handOver: false,
      before: neverRun,
      now: now + 100,
      ...ending,
    },
  )
}

const idle: Situation = { instances: [x, y], owners: [x, x], shardStates: { 0: { fireTime: 1 } } }

describe('planClaim', () => {
  it('marks the shard as running, by whom, and says so in its word', () => {
    const tree = jobTree(idle)
    const { operations, shardState } = claim(tree, x)
    expect(tree.apply(operations, x)).toBe('committed')
    expect(tree.server.get(tree.paths.mark(0, 'running'))?.text).toBe(x)
    expect(tree.shardState(0)).toEqual(shardState)
    expect(shardState).toMatchObject({
      state: 'running',
      run: `run of ${x}`,
      instance: x,
      fireTime: now,
      attempt: 1,
      round: 0,
      begin: now,
      end: 0,
      nextFireTime: now + 1000,
    })
  })

  it('sets the state last, so that its stat is the answer: the fencing token', () => {
    for (const states of [{}, { 0: { fireTime: 1 } }]) {
      const tree = jobTree({ ...idle, shardStates: states })
      expect(claim(tree, x).operations.at(-1)).toMatchObject({
        type: 'set',
        path: tree.paths.shardState(0),
      })
    }
  })

  it('makes the mark go with the session, and stay with failover, as Java does', () => {
    for (const failover of [false, true]) {
      const tree = jobTree(idle)
      tree.apply(claim(tree, x, 0, cron, { failover }).operations, x)
      tree.server.expire(x)
      expect(tree.view.shards.get(0)?.running).toBe(failover)
    }
  })

  it('failover that is read as off because nothing is monitored leaves no mark behind', () => {
    const stored: JobConfiguration = {
      ...jobDefaults,
      jobName: 'job',
      shardingTotalCount: 1,
      failover: true,
      monitorExecution: false,
    }
    const { configuration, warnings } = effective(stored)
    expect(warnings).toHaveLength(1)
    const tree = jobTree(idle)
    tree.apply(claim(tree, x, 0, cron, { failover: configuration.failover }).operations, x)
    tree.server.expire(x)
    expect(tree.view.shards.get(0)?.running).toBe(false)
  })

  it('deletes a misfire mark, whoever has left it', () => {
    const tree = jobTree({ ...idle, marks: { 0: { misfire: '' } } })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
    expect(tree.view.shards.get(0)?.misfire).toBe(false)
  })

  it('takes the place of a mark that a dead instance has left', () => {
    const states = { 0: { state: 'running', instance: z, fireTime: 1 } } as const
    const tree = jobTree({ ...idle, shardStates: states, marks: { 0: { running: z } } })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
    expect(tree.server.get(tree.paths.mark(0, 'running'))?.text).toBe(x)
  })

  it('fails for an instance that is not registered any more', () => {
    const tree = jobTree(idle)
    const { operations } = claim(tree, x)
    tree.server.drop(tree.paths.instance(x))
    expect(tree.apply(operations, x)).toBe('NO_NODE')
    expect(tree.view.shards.get(0)?.running).toBe(false)
  })

  it('fails when the shard has moved meanwhile', () => {
    const tree = jobTree(idle)
    const { operations } = claim(tree, x)
    tree.server.apply([
      { type: 'set', path: tree.paths.owner(0), data: Buffer.from(y), version: -1 },
    ])
    expect(tree.apply(operations, x)).toBe('BAD_VERSION')
  })

  it('keeps what says that nothing before a moment is due', () => {
    const tree = jobTree({ ...idle, shardStates: { 0: { since: 77 } } })
    expect(claim(tree, x).shardState.since).toBe(77)
  })

  it('of a manual run, says what is not due any more because it is told to be missed', () => {
    const tree = jobTree({ ...idle, shardStates: { 0: { since: 77 } } })
    const round: Due = { source: 'trigger', round: { id: 3, asked: now } }
    const gone = [{ first: 80, last: 90, reason: 'too old' }]
    expect(claim(tree, x, 0, round, { gone }).shardState.since).toBe(90)
    expect(claim(tree, x, 0, round).shardState.since).toBe(77)
  })

  it('says nothing of what came of the run before', () => {
    const tree = jobTree({
      ...idle,
      shardStates: { 0: { outcome: 'failure', error: 'no', end: 9 } },
    })
    expect(claim(tree, x).shardState).not.toMatchObject({ outcome: 'failure' })
    expect(claim(tree, x).shardState).not.toHaveProperty('error')
  })

  describe('the key of a run', () => {
    const manualRun = { id: 8, asked: now }

    it('is the scheduled time of a cron run or misfire, and its manual run is left alone', () => {
      const tree = jobTree({ ...idle, shardStates: { 0: { fireTime: 1, round: 7 } } })
      const misfire: Due = { source: 'misfire', fireTime: 44 }
      expect(claim(tree, x, 0, misfire).shardState).toMatchObject({ fireTime: 44, round: 7 })
    })

    it('is the id of a triggered manual run, and the scheduled time is left alone', () => {
      const tree = jobTree({ ...idle, shardStates: { 0: { fireTime: 50_000, round: 7 } } })
      const { shardState } = claim(tree, x, 0, { source: 'trigger', round: manualRun })
      expect(shardState).toMatchObject({ fireTime: 50_000, round: 8, attempt: 1 })
    })

    it('one day ahead: once the state is corrected, every further time runs', () => {
      const tree = jobTree({ ...idle, shardStates: {} })
      const day = 86_400_000
      const wrong = claim(tree, x, 0, { source: 'cron', fireTime: now + day }, { now: now + day })
      tree.apply(wrong.operations, x)
      tree.apply(end(tree, wrong, { now: now + day + 5 }).operations, x)
      const fired: number[] = []
      const corrected = correctedState(tree.shardState(0) as ShardState, now - 1)
      tree.server.put(tree.paths.shardState(0), encodeShardState(corrected))
      for (let time = now; time < now + 5000; time += 1000) {
        const due = dueOf(tree.shardState(0) as ShardState, 0, x, 0, {
          now: time,
          fires: { nextAfter: (after) => after + 1000, latestAtOrBefore: () => undefined },
          latest: time,
          oldest: time - 25_000,
          misfire: false,
          catchUp: noCatchUp,
          paused: false,
          since: 0,
          round: undefined,
        })
        if (due === undefined) continue
        const run = claim(tree, x, 0, due, { now: time })
        expect(tree.apply(run.operations, x)).toBe('committed')
        expect(tree.apply(end(tree, run, { now: time + 5 }).operations, x)).toBe('committed')
        fired.push(run.shardState.fireTime)
      }
      expect(fired).toEqual([0, 1000, 2000, 3000, 4000].map((offset) => now + offset))
    })
  })
})

describe('two transactions about one shard exclude each other', () => {
  /** What comes of both, in both orders: the first is carried out and the second is not. */
  function outcomesOf(
    tree: JobTree,
    plans: readonly (readonly [ShardPlan['operations'], string])[],
  ): boolean[][] {
    return [plans, plans.toReversed()].map((order) => {
      const fork = tree.fork()
      return order.map(([operations, instance]) => fork.apply(operations, instance) === 'committed')
    })
  }

  const exclusive = [
    [true, false],
    [true, false],
  ]

  it('two claims of a shard that has a state', () => {
    const tree = jobTree(idle)
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('two claims of a shard that never ran', () => {
    const tree = jobTree({ ...idle, shardStates: {} })
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('two claims over the mark of a dead instance, which both would delete', () => {
    const states = { 0: { state: 'running', instance: z } } as const
    const tree = jobTree({ ...idle, shardStates: states, marks: { 0: { running: z } } })
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('a claim that arrives after the same shard was claimed and ended, with its marks as they were', () => {
    const tree = jobTree(idle)
    const late = claim(tree, x)
    const run = claim(tree, x, 0, cron, { runId: 'another' })
    tree.apply(run.operations, x)
    tree.apply(end(tree, run).operations, x)
    expect(tree.view.shards.get(0)?.running).toBe(false)
    expect(tree.apply(late.operations, x)).toBe('BAD_VERSION')
  })

  it('two ends of one run', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const outcomes = outcomesOf(tree, [
      [end(tree, run).operations, x],
      [end(tree, run, { outcome: 'failure' }).operations, x],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  const crashed: Situation = {
    instances: [x, y],
    leader: x,
    owners: [x],
    shardStates: { 0: { state: 'running', instance: z, run: 'crashed', fireTime: 1, attempt: 1 } },
    marks: { 0: { running: z } },
  }

  it('a crash that is turned over late, when the run was taken over and runs again', () => {
    const tree = jobTree(crashed)
    const settings = { maximumAttempts: 3, now }
    const versioned = (): { value: ShardState; version: number } => {
      const { shardState, stateVersion } = tree.owned(0)
      return { value: shardState as ShardState, version: stateVersion }
    }
    const late = planCrash(tree.view, tree.member(x), 0, versioned(), settings)
    const first = planCrash(tree.view, tree.member(x), 0, versioned(), settings)
    expect(tree.apply(first.operations, x)).toBe('committed')
    const take = planTake(tree.view, tree.member(y), 0, versioned(), {
      now,
      runId: 'again',
      nextFireTime: undefined,
      gone: [],
    })
    expect(tree.apply(take.operations, y)).toBe('committed')
    expect(tree.apply(late.operations, x)).toBe('BAD_VERSION')
    expect(tree.server.get(tree.paths.mark(0, 'running'))?.text).toBe(y)
    expect(tree.view.failoverShards.size).toBe(0)
  })

  it('a claim of the owner and the turning over of the crash before it', () => {
    const tree = jobTree(crashed)
    const { shardState, stateVersion } = tree.owned(0)
    const versioned = { value: shardState as ShardState, version: stateVersion }
    const crash = planCrash(tree.view, tree.member(x), 0, versioned, { maximumAttempts: 3, now })
    const outcomes = outcomesOf(tree, [
      [crash.operations, x],
      [claim(tree, x).operations, x],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('the end of a run whose session is gone, and the next claim', () => {
    const tree = jobTree(idle)
    const orphan = claim(tree, x)
    tree.apply(orphan.operations, x)
    const late = end(tree, orphan)
    tree.server.expire(x)
    expect(tree.apply(claim(tree, y).operations, y)).toBe('committed')
    expect(tree.apply(late.operations, x)).not.toBe('committed')
    expect(tree.shardState(0)?.instance).toBe(y)
  })

  it('any two claims that were planned on the same word', () => {
    const states = fc.option(
      fc.record({
        fireTime: fc.integer({ min: 0, max: 2 * now }),
        round: fc.integer({ min: 0, max: 3 }),
        state: fc.constantFrom('idle', 'running', 'crashed', 'abandoned'),
        instance: fc.constantFrom(x, y, z),
      }),
      { nil: undefined },
    )
    const dues: fc.Arbitrary<Due> = fc.record({
      source: fc.constantFrom('cron', 'misfire'),
      fireTime: fc.integer({ min: 1, max: now }),
    })
    const rounds: fc.Arbitrary<Due> = fc.record({
      source: fc.constant('trigger'),
      round: fc.record({ id: fc.nat(9), asked: fc.nat() }),
    })
    const claims = fc.record({
      instance: fc.constantFrom(x, y),
      failover: fc.boolean(),
      due: fc.oneof(dues, rounds),
    })
    const marks = fc.record({ running: fc.boolean(), misfire: fc.boolean() })
    fc.assert(
      fc.property(states, marks, claims, claims, (shardState, { running, misfire }, one, other) => {
        const tree = jobTree({
          ...idle,
          shardStates: shardState === undefined ? {} : { 0: shardState },
          marks: { 0: { ...(running ? { running: z } : {}), ...(misfire ? { misfire: '' } : {}) } },
        })
        const plans = [one, other].map(({ instance, failover, due }, index) => {
          const settings = { failover, runId: `run ${index}` }
          return [claim(tree, instance, 0, due, settings).operations, instance] as const
        })
        expect(outcomesOf(tree, plans)).toEqual(exclusive)
      }),
    )
  })
})

describe('an instance that comes back comes as another', () => {
  const reborn = '10.0.0.1@-@11-wwwwwwww'

  it('so that who was dead stays dead, and what it ran is judged by that', () => {
    const tree = jobTree({ ...idle, instances: [x, y], leader: y })
    const run = claim(tree, x, 0, cron, { failover: true })
    tree.apply(run.operations, x)
    tree.server.expire(x)
    const { shardState, stateVersion } = tree.owned(0)
    const versioned = { value: shardState as ShardState, version: stateVersion }
    const settings = { maximumAttempts: 3, now }
    const crash = planCrash(tree.view, tree.member(y), 0, versioned, settings)
    tree.join(reborn)
    const waits = { mixed: false, failover: true }
    expect(obstacleTo(tree.view, tree.owned(0), waits)).toBe('waiting for failover')
    expect(tree.apply(crash.operations, y)).toBe('committed')
    expect(obstacleTo(tree.view, tree.owned(0), waits)).toBe('waiting for failover')
    expect([...tree.view.failoverShards]).toEqual([0])
  })

  it('and what its former self has under way fails', () => {
    const tree = jobTree({ ...idle, leader: x, shardStates: {} })
    const late = claim(tree, x)
    tree.server.expire(x)
    tree.join(reborn)
    tree.apply(planCandidacy(tree.view, tree.member(reborn)), reborn)
    expect(tree.apply(late.operations, x)).toBe('NO_NODE')
  })
})

describe('planEnd', () => {
  it.each(['success', 'failure', 'aborted'] as const)(
    'clears the mark whatever came of the run: %s',
    (outcome) => {
      const tree = jobTree(idle)
      const run = claim(tree, x)
      tree.apply(run.operations, x)
      const { operations, shardState } = end(tree, run, { outcome, error: 'because' })
      expect(tree.apply(operations, x)).toBe('committed')
      expect(tree.view.shards.get(0)?.running).toBe(false)
      expect(tree.shardState(0)).toEqual(shardState)
      expect(shardState).toMatchObject({
        state: 'idle',
        outcome,
        error: 'because',
        end: now + 100,
        begin: now,
      })
    },
  )

  it('a run that never started leaves its time and its manual run due', () => {
    const tree = jobTree({
      ...idle,
      shardStates: { 0: { fireTime: 7, round: 2, begin: 7, end: 8 } },
    })
    const before = tree.shardState(0) as ShardState
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { operations, shardState } = end(tree, run, { outcome: 'not-started', before })
    expect(tree.apply(operations, x)).toBe('committed')
    expect(tree.view.shards.get(0)?.running).toBe(false)
    expect(shardState).toMatchObject({ state: 'idle', fireTime: 7, round: 2, begin: 7, end: 8 })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
  })

  it('a manual run that never started has told of no time: what was due then still is', () => {
    const tree = jobTree({ ...idle, shardStates: { 0: { fireTime: 7, begin: 7, end: 8 } } })
    const before = tree.shardState(0) as ShardState
    const round: Due = { source: 'trigger', round: { id: 3, asked: now } }
    const run = claim(tree, x, 0, round, { gone: [{ first: 9, last: 11, reason: 'too old' }] })
    expect(end(tree, run).shardState.since).toBe(11)
    expect(end(tree, run, { outcome: 'not-started', before }).shardState.since).toBeUndefined()
  })

  it('sets the state last: its version is what the next claim goes by', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    expect(end(tree, run).operations.at(-1)?.path).toBe(tree.paths.shardState(0))
  })

  it('keeps a long error short', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    expect(end(tree, run, { error: 'e'.repeat(10_000) }).shardState.error?.length).toBeLessThan(
      1000,
    )
  })

  it("deletes marks of a take-over that are its own, and nobody else's", () => {
    const own = jobTree({ ...idle, marks: { 0: { running: x, failover: x, failovering: x } } })
    const run = claim(own, x)
    expect(own.apply(end(own, run).operations, x)).toBe('committed')
    expect(own.view.shards.get(0)).toMatchObject({ failover: undefined, failovering: undefined })
    const foreign = jobTree({ ...idle, marks: { 0: { running: x, failover: y, failovering: y } } })
    expect(foreign.apply(end(foreign, run).operations, x)).toBe('committed')
    expect(foreign.view.shards.get(0)).toMatchObject({ failover: y, failovering: y })
  })

  it('nodes that are gone already are no error', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    tree.server.drop(tree.paths.shard(0))
    expect(tree.apply(end(tree, run).operations, x)).toBe('committed')
  })

  it('hands a run that was aborted over to whoever takes it', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x, 0, cron, { failover: true })
    tree.apply(run.operations, x)
    const { operations, shardState } = end(tree, run, { outcome: 'aborted', handOver: true })
    expect(tree.apply(operations, x)).toBe('committed')
    expect(shardState.state).toBe('crashed')
    expect([...tree.view.failoverShards]).toEqual([0])
    expect(tree.view.shards.get(0)?.running).toBe(false)
  })

  it('leaves what is due since then to the next claim', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    tree.apply(end(tree, run).operations, x)
    const next = claim(tree, x, 0, { source: 'cron', fireTime: now + 1000 })
    expect(tree.apply(next.operations, x)).toBe('committed')
  })
})

describe('planOffset', () => {
  it('keeps an offset while the run is the last of its shard', () => {
    const tree = jobTree(idle)
    tree.server.put(tree.paths.offsets)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { stateVersion } = tree.owned(0)
    const member = tree.member(x)
    expect(tree.apply(planOffset(member, 0, stateVersion, 'a', undefined), x)).toBe('committed')
    expect(
      tree.apply(planOffset(member, 0, stateVersion, 'b', { value: 'a', version: 0 }), x),
    ).toBe('committed')
    expect(tree.server.get(tree.paths.offset(0))?.text).toBe('b')
  })

  it('does not replace an offset that was saved after the one it was planned on', () => {
    const tree = jobTree(idle)
    tree.server.put(tree.paths.offsets)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { stateVersion } = tree.owned(0)
    const member = tree.member(x)
    tree.apply(planOffset(member, 0, stateVersion, 'a', undefined), x)
    const held = planOffset(member, 0, stateVersion, 'b', { value: 'a', version: 0 })
    tree.apply(planOffset(member, 0, stateVersion, 'c', { value: 'a', version: 0 }), x)
    expect(tree.apply(held, x)).toBe('BAD_VERSION')
    expect(tree.server.get(tree.paths.offset(0))?.text).toBe('c')
  })

  it('fails when another run has taken the shard over', () => {
    const tree = jobTree(idle)
    tree.server.put(tree.paths.offsets)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { stateVersion } = tree.owned(0)
    tree.server.expire(x)
    tree.apply(claim(tree, y).operations, y)
    const late = planOffset(tree.member(x), 0, stateVersion, 'late', undefined)
    expect(tree.apply(late, x)).toBe('BAD_VERSION')
    expect(tree.server.get(tree.paths.offset(0))).toBeUndefined()
  })
})
