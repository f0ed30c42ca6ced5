import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { effective } from '../../src/config/effective.ts'
import { jobDefaults, type JobConfiguration } from '../../src/config/job-configuration.ts'
import { planStanding } from '../../src/election/plan.ts'
import { type Due, dueOf } from '../../src/execution/due.ts'
import {
  type ClaimPlan,
  type ClaimSettings,
  type Ending,
  type OwnedItem,
  planClaim,
  planEnd,
  planOffset,
} from '../../src/execution/plan.ts'
import { noCatchUp } from '../../src/execution/catch-up.ts'
import { obstacleTo } from '../../src/execution/obstacles.ts'
import { planCrash, planTake } from '../../src/failover/plan.ts'
import { type ItemWord, neverRun } from '../../src/job-tree/item-word.ts'
import { type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const now = 60_000
const cron: Due = { source: 'cron', fireTime: now }

function claim(
  tree: JobTree,
  instance: string,
  item = 0,
  due = cron,
  settings: Partial<ClaimSettings> = {},
): ClaimPlan {
  return planClaim(tree.view, tree.member(instance), tree.owned(item), due, {
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
  { word }: ClaimPlan,
  ending: Partial<Ending> = {},
  owned: OwnedItem = tree.owned(0),
): ClaimPlan {
  return planEnd(
    tree.view,
    tree.member(word.instance),
    { ...owned, word },
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

const idle: Situation = { instances: [x, y], owners: [x, x], words: { 0: { fireTime: 1 } } }

describe('planClaim', () => {
  it('marks the item as running, by whom, and says so in its word', () => {
    const tree = jobTree(idle)
    const { operations, word } = claim(tree, x)
    expect(tree.apply(operations, x)).toBe('committed')
    expect(tree.server.get(tree.paths.mark(0, 'running'))?.text).toBe(x)
    expect(tree.itemWord(0)).toEqual(word)
    expect(word).toMatchObject({
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

  it('sets the word last, so that its stat is the answer: the fencing token', () => {
    for (const words of [{}, { 0: { fireTime: 1 } }]) {
      const tree = jobTree({ ...idle, words })
      expect(claim(tree, x).operations.at(-1)).toMatchObject({
        type: 'set',
        path: tree.paths.itemWord(0),
      })
    }
  })

  it('makes the mark go with the session, and stay with failover, as Java does', () => {
    for (const failover of [false, true]) {
      const tree = jobTree(idle)
      tree.apply(claim(tree, x, 0, cron, { failover }).operations, x)
      tree.server.expire(x)
      expect(tree.view.items.get(0)?.running).toBe(failover)
    }
  })

  it('F21: failover that is read as off because nothing is monitored leaves no mark behind', () => {
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
    expect(tree.view.items.get(0)?.running).toBe(false)
  })

  it('F19: deletes a misfire mark, whoever has left it', () => {
    const tree = jobTree({ ...idle, marks: { 0: { misfire: '' } } })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
    expect(tree.view.items.get(0)?.misfire).toBe(false)
  })

  it('takes the place of a mark that a dead instance has left', () => {
    const words = { 0: { state: 'running', instance: z, fireTime: 1 } } as const
    const tree = jobTree({ ...idle, words, marks: { 0: { running: z } } })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
    expect(tree.server.get(tree.paths.mark(0, 'running'))?.text).toBe(x)
  })

  it('fails for an instance that is not registered any more', () => {
    const tree = jobTree(idle)
    const { operations } = claim(tree, x)
    tree.server.drop(tree.paths.instance(x))
    expect(tree.apply(operations, x)).toBe('NO_NODE')
    expect(tree.view.items.get(0)?.running).toBe(false)
  })

  it('fails when the item has moved meanwhile', () => {
    const tree = jobTree(idle)
    const { operations } = claim(tree, x)
    tree.server.apply([
      { type: 'set', path: tree.paths.owner(0), data: Buffer.from(y), version: -1 },
    ])
    expect(tree.apply(operations, x)).toBe('BAD_VERSION')
  })

  it('keeps what says that nothing before a moment is due', () => {
    const tree = jobTree({ ...idle, words: { 0: { since: 77 } } })
    expect(claim(tree, x).word.since).toBe(77)
  })

  it('of a round, says what is not due any more because it is told to be missed', () => {
    const tree = jobTree({ ...idle, words: { 0: { since: 77 } } })
    const round: Due = { source: 'trigger', round: { id: 3, asked: now } }
    const gone = [{ first: 80, last: 90 }]
    expect(claim(tree, x, 0, round, { gone }).word.since).toBe(90)
    expect(claim(tree, x, 0, round).word.since).toBe(77)
  })

  it('I-01: says nothing of what came of the run before', () => {
    const tree = jobTree({ ...idle, words: { 0: { outcome: 'failure', error: 'no', end: 9 } } })
    expect(claim(tree, x).word).not.toMatchObject({ outcome: 'failure' })
    expect(claim(tree, x).word).not.toHaveProperty('error')
  })

  describe('F12: the key of a run', () => {
    const round = { id: 8, asked: now }

    it('is the scheduled time of a cron run or misfire, and its round is left alone', () => {
      const tree = jobTree({ ...idle, words: { 0: { fireTime: 1, round: 7 } } })
      const misfire: Due = { source: 'misfire', fireTime: 44 }
      expect(claim(tree, x, 0, misfire).word).toMatchObject({ fireTime: 44, round: 7 })
    })

    it('is the id of a triggered round, and the scheduled time is left alone', () => {
      const tree = jobTree({ ...idle, words: { 0: { fireTime: 50_000, round: 7 } } })
      const { word } = claim(tree, x, 0, { source: 'trigger', round })
      expect(word).toMatchObject({ fireTime: 50_000, round: 8, attempt: 1 })
    })

    it('from a clock one day ahead is replaced by the next claim, of whatever kind', () => {
      const ahead = { 0: { fireTime: now + 86_400_000 } }
      expect(claim(jobTree({ ...idle, words: ahead }), x).word.fireTime).toBe(now)
      const triggered = claim(jobTree({ ...idle, words: ahead }), x, 0, {
        source: 'trigger',
        round,
      })
      expect(triggered.word.fireTime).toBe(0)
    })

    it('one day ahead: once the clock is right, every further time runs', () => {
      const tree = jobTree({ ...idle, words: {} })
      const day = 86_400_000
      const wrong = claim(tree, x, 0, { source: 'cron', fireTime: now + day }, { now: now + day })
      tree.apply(wrong.operations, x)
      tree.apply(end(tree, wrong, { now: now + day + 5 }).operations, x)
      const fired: number[] = []
      for (let time = now; time < now + 5000; time += 1000) {
        const due = dueOf(tree.itemWord(0) as ItemWord, 0, x, 0, {
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
        fired.push(run.word.fireTime)
      }
      expect(fired).toEqual([0, 1000, 2000, 3000, 4000].map((offset) => now + offset))
    })
  })
})

describe('F3: two transactions about one item exclude each other', () => {
  /** What comes of both, in both orders: the first is carried out and the second is not. */
  function outcomesOf(
    tree: JobTree,
    plans: readonly (readonly [ClaimPlan['operations'], string])[],
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

  it('two claims of an item that has a word', () => {
    const tree = jobTree(idle)
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('two claims of an item that never ran', () => {
    const tree = jobTree({ ...idle, words: {} })
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('two claims over the mark of a dead instance, which both would delete', () => {
    const words = { 0: { state: 'running', instance: z } } as const
    const tree = jobTree({ ...idle, words, marks: { 0: { running: z } } })
    const outcomes = outcomesOf(tree, [
      [claim(tree, x).operations, x],
      [claim(tree, y).operations, y],
    ])
    expect(outcomes).toEqual(exclusive)
  })

  it('a claim that arrives after the same item was claimed and ended, with its marks as they were', () => {
    const tree = jobTree(idle)
    const late = claim(tree, x)
    const run = claim(tree, x, 0, cron, { runId: 'another' })
    tree.apply(run.operations, x)
    tree.apply(end(tree, run).operations, x)
    expect(tree.view.items.get(0)?.running).toBe(false)
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
    words: { 0: { state: 'running', instance: z, run: 'crashed', fireTime: 1, attempt: 1 } },
    marks: { 0: { running: z } },
  }

  it('a crash that is turned over late, when the run was taken over and runs again', () => {
    const tree = jobTree(crashed)
    const settings = { maximumAttempts: 3, now }
    const versioned = (): { value: ItemWord; version: number } => {
      const { word, wordVersion } = tree.owned(0)
      return { value: word as ItemWord, version: wordVersion }
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
    expect(tree.view.failoverItems.size).toBe(0)
  })

  it('a claim of the owner and the turning over of the crash before it', () => {
    const tree = jobTree(crashed)
    const { word, wordVersion } = tree.owned(0)
    const versioned = { value: word as ItemWord, version: wordVersion }
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
    expect(tree.itemWord(0)?.instance).toBe(y)
  })

  it('any two claims that were planned on the same word', () => {
    const words = fc.option(
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
      fc.property(words, marks, claims, claims, (word, { running, misfire }, one, other) => {
        const tree = jobTree({
          ...idle,
          words: word === undefined ? {} : { 0: word },
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

describe('F4: an instance that comes back comes as another', () => {
  const reborn = '10.0.0.1@-@11-wwwwwwww'

  it('so that who was dead stays dead, and what it ran is judged by that', () => {
    const tree = jobTree({ ...idle, instances: [x, y], leader: y })
    const run = claim(tree, x, 0, cron, { failover: true })
    tree.apply(run.operations, x)
    tree.server.expire(x)
    const { word, wordVersion } = tree.owned(0)
    const versioned = { value: word as ItemWord, version: wordVersion }
    const settings = { maximumAttempts: 3, now }
    const crash = planCrash(tree.view, tree.member(y), 0, versioned, settings)
    tree.join(reborn)
    const waits = { mixed: false, failover: true }
    expect(obstacleTo(tree.view, tree.owned(0), waits)).toBe('waiting for failover')
    expect(tree.apply(crash.operations, y)).toBe('committed')
    expect(obstacleTo(tree.view, tree.owned(0), waits)).toBe('waiting for failover')
    expect([...tree.view.failoverItems]).toEqual([0])
  })

  it('and what its former self has under way fails', () => {
    const tree = jobTree({ ...idle, leader: x, words: {} })
    const late = claim(tree, x)
    tree.server.expire(x)
    tree.join(reborn)
    tree.apply(planStanding(tree.view, tree.member(reborn)), reborn)
    expect(tree.apply(late.operations, x)).toBe('NO_NODE')
  })
})

describe('planEnd', () => {
  it.each(['success', 'failure', 'aborted'] as const)(
    'I-01: clears the mark whatever came of the run: %s',
    (outcome) => {
      const tree = jobTree(idle)
      const run = claim(tree, x)
      tree.apply(run.operations, x)
      const { operations, word } = end(tree, run, { outcome, error: 'because' })
      expect(tree.apply(operations, x)).toBe('committed')
      expect(tree.view.items.get(0)?.running).toBe(false)
      expect(tree.itemWord(0)).toEqual(word)
      expect(word).toMatchObject({
        state: 'idle',
        outcome,
        error: 'because',
        end: now + 100,
        begin: now,
      })
    },
  )

  it('a run that never started leaves its time and its round due', () => {
    const tree = jobTree({ ...idle, words: { 0: { fireTime: 7, round: 2, begin: 7, end: 8 } } })
    const before = tree.itemWord(0) as ItemWord
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { operations, word } = end(tree, run, { outcome: 'not-started', before })
    expect(tree.apply(operations, x)).toBe('committed')
    expect(tree.view.items.get(0)?.running).toBe(false)
    expect(word).toMatchObject({ state: 'idle', fireTime: 7, round: 2, begin: 7, end: 8 })
    expect(tree.apply(claim(tree, x).operations, x)).toBe('committed')
  })

  it('a round that never started has told of no time: what was due then still is', () => {
    const tree = jobTree({ ...idle, words: { 0: { fireTime: 7, begin: 7, end: 8 } } })
    const before = tree.itemWord(0) as ItemWord
    const round: Due = { source: 'trigger', round: { id: 3, asked: now } }
    const run = claim(tree, x, 0, round, { gone: [{ first: 9, last: 11 }] })
    expect(end(tree, run).word.since).toBe(11)
    expect(end(tree, run, { outcome: 'not-started', before }).word.since).toBeUndefined()
  })

  it('sets the word last: its version is what the next claim goes by', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    expect(end(tree, run).operations.at(-1)?.path).toBe(tree.paths.itemWord(0))
  })

  it('keeps a long error short', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    expect(end(tree, run, { error: 'e'.repeat(10_000) }).word.error?.length).toBeLessThan(1000)
  })

  it("deletes marks of a take-over that are its own, and nobody else's", () => {
    const own = jobTree({ ...idle, marks: { 0: { running: x, failover: x, failovering: x } } })
    const run = claim(own, x)
    expect(own.apply(end(own, run).operations, x)).toBe('committed')
    expect(own.view.items.get(0)).toMatchObject({ failover: undefined, failovering: undefined })
    const foreign = jobTree({ ...idle, marks: { 0: { running: x, failover: y, failovering: y } } })
    expect(foreign.apply(end(foreign, run).operations, x)).toBe('committed')
    expect(foreign.view.items.get(0)).toMatchObject({ failover: y, failovering: y })
  })

  it('F19: nodes that are gone already are no error', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    tree.server.drop(tree.paths.item(0))
    expect(tree.apply(end(tree, run).operations, x)).toBe('committed')
  })

  it('hands a run that was aborted over to whoever takes it', () => {
    const tree = jobTree(idle)
    const run = claim(tree, x, 0, cron, { failover: true })
    tree.apply(run.operations, x)
    const { operations, word } = end(tree, run, { outcome: 'aborted', handOver: true })
    expect(tree.apply(operations, x)).toBe('committed')
    expect(word.state).toBe('crashed')
    expect([...tree.view.failoverItems]).toEqual([0])
    expect(tree.view.items.get(0)?.running).toBe(false)
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
  it('keeps an offset while the run is the last of its item', () => {
    const tree = jobTree(idle)
    tree.server.put(tree.paths.offsets)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { wordVersion } = tree.owned(0)
    const member = tree.member(x)
    expect(tree.apply(planOffset(member, 0, wordVersion, 'a', false), x)).toBe('committed')
    expect(tree.apply(planOffset(member, 0, wordVersion, 'b', true), x)).toBe('committed')
    expect(tree.server.get(tree.paths.offset(0))?.text).toBe('b')
  })

  it('fails when another run has taken the item over', () => {
    const tree = jobTree(idle)
    tree.server.put(tree.paths.offsets)
    const run = claim(tree, x)
    tree.apply(run.operations, x)
    const { wordVersion } = tree.owned(0)
    tree.server.expire(x)
    tree.apply(claim(tree, y).operations, y)
    const late = planOffset(tree.member(x), 0, wordVersion, 'late', false)
    expect(tree.apply(late, x)).toBe('BAD_VERSION')
    expect(tree.server.get(tree.paths.offset(0))).toBeUndefined()
  })
})
