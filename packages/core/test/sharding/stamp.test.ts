import { describe, expect, it } from 'vitest'

import type { ShardState } from '../../src/job-tree/shard-state.ts'
import type { Versioned } from '../../src/job-tree/job-view.ts'
import { leavingJava, planStamp } from '../../src/sharding/stamp.ts'
import { every } from '../support/fires.ts'
import { java, type JobTree, jobTree, type Situation, viewOf, x, y } from '../tree.ts'

/** Everything in the tree was made at this time, the flag too; it is no time at which the job fires. */
const raised = 1_000_000
const context = { fires: every(30_000), window: 60_000 }
const lastFire = 990_000

const leaving: Situation = {
  instances: [x, java],
  leader: x,
  owners: [java],
  necessary: true,
}

function stamp(
  situation: Partial<Situation> = {},
  changed: Partial<typeof context> | { fires: undefined } = {},
): JobTree {
  const tree = jobTree({ ...leaving, ...situation })
  const plan = planStamp(tree.view, tree.member(x), 0, known(tree), { ...context, ...changed })
  expect(tree.apply(plan, x)).toBe('committed')
  return tree
}

function known(tree: JobTree): Versioned<ShardState> | undefined {
  const value = tree.shardState(0)
  const node = tree.server.get(tree.paths.shardState(0))
  return value && node && { value, version: node.version }
}

describe('leavingJava', () => {
  it('is what was of Java and goes to ours', () => {
    const view = viewOf({ instances: [x, java], owners: [java, java, x, undefined] })
    expect(leavingJava(view, [x, java, java, x])).toEqual([0])
  })

  it('is also what the epoch says of a shard whose node was wiped', () => {
    const tree = jobTree({ instances: [x, java], owners: [java] })
    tree.server.drop(tree.paths.owner(0))
    expect(leavingJava(tree.view, [x])).toEqual([0])
  })
})

describe('the stamp', () => {
  it('is the last time before the flag went up, in a word that is made for it', () => {
    expect(stamp().shardState(0)).toMatchObject({ fireTime: lastFire, state: 'idle', run: '' })
  })

  it('is the last one before, not the one at which the flag went up', () => {
    const fires = every(500_000)
    expect(stamp({}, { fires, window: 600_000 }).shardState(0)?.fireTime).toBe(500_000)
  })

  it('leaves all else in a word as it is', () => {
    const shardState = { fireTime: 900_000, run: 'r', instance: y, end: 900_010, since: 7 }
    const stamped = stamp({ shardStates: { 0: shardState } })
    expect(stamped.shardState(0)).toMatchObject({ ...shardState, fireTime: lastFire })
  })

  it.each([
    ['is turned over', 'crashed'],
    ['nobody has turned over yet', 'running'],
  ] as const)(
    'leaves a crashed run that %s the time and the manual run that are to be made good',
    (_, state) => {
      const shardState = { state, run: 'r', instance: y, fireTime: 900_000, attempt: 1 } as const
      const asked = { lastRound: 8, running: { id: 8, asked: raised - 1 } }
      const cron = stamp({ shardStates: { 0: { ...shardState, source: 'cron' } }, jobState: asked })
      expect(cron.shardState(0)).toMatchObject({ ...shardState, since: lastFire, round: 8 })
      const round = { ...shardState, source: 'trigger', round: 7 } as const
      expect(stamp({ shardStates: { 0: round }, jobState: asked }).shardState(0)).toMatchObject(
        round,
      )
    },
  )

  it('leaves the state of a run of ours alone: its end is written at the version of its claim', () => {
    const shardState = {
      state: 'running',
      run: 'r',
      instance: y,
      fireTime: 900_000,
      attempt: 2,
    } as const
    const tree = jobTree({ ...leaving, instances: [x, y, java], shardStates: { 0: shardState } })
    expect(planStamp(tree.view, tree.member(x), 0, known(tree), context)).toEqual([])
  })

  it('sets the state at the version that was read', () => {
    const tree = jobTree({ ...leaving, shardStates: { 0: { fireTime: 1 } } })
    const plan = planStamp(tree.view, tree.member(x), 0, known(tree), context)
    expect(tree.apply(plan, x)).toBe('committed')
    expect(tree.apply(plan, x)).toBe('BAD_VERSION')
  })

  it('is nothing where the state knows as much, or where nothing was scheduled that could be due', () => {
    const nothing = (situation: Partial<Situation>, fires = context.fires): void => {
      const tree = jobTree({ ...leaving, ...situation })
      const plan = planStamp(tree.view, tree.member(x), 0, known(tree), { ...context, fires })
      expect(plan).toEqual([])
    }
    nothing({ shardStates: { 0: { fireTime: lastFire } } })
    nothing({ shardStates: { 0: { fireTime: lastFire + 1 } } })
    nothing({}, every(600_000))
  })

  it('is what an instance that died could have run: what came after it is for the new owner', () => {
    const absent = { [java]: { since: 970_000, isFinal: true } }
    expect(stamp({ instances: [x], absent }).shardState(0)?.fireTime).toBe(960_000)
  })

  it('is also the last manual run that Java was asked for before the flag went up', () => {
    const manualRun = (id: number, asked: number): { id: number; asked: number } => ({ id, asked })
    const jobState = { lastRound: 9, previous: manualRun(7, 1), running: manualRun(8, raised - 1) }
    expect(stamp({ jobState }).shardState(0)?.round).toBe(8)
    expect(
      stamp({ jobState: { ...jobState, pending: manualRun(9, raised) } }).shardState(0)?.round,
    ).toBe(8)
    expect(stamp({ jobState }, { fires: undefined }).shardState(0)).toMatchObject({
      round: 8,
      fireTime: 0,
    })
  })
})
