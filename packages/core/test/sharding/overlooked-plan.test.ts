import { describe, expect, it } from 'vitest'

import {
  type OverlookedSettings,
  overlookedNeed,
  planReminder,
} from '../../src/sharding/overlooked-plan.ts'
import { java, jobTree, type Situation, viewOf, x, y } from '../tree.ts'

const settings: OverlookedSettings = { total: 2, strategy: 'AVG_ALLOCATION', staticSharding: false }
const settled: Situation = { instances: [x, java], leader: java, owners: [java, x] }

function reasonOf(
  situation: Partial<Situation>,
  changed: Partial<OverlookedSettings> = {},
): string | undefined {
  return overlookedNeed(viewOf({ ...settled, ...situation }), { ...settings, ...changed })?.reason
}

describe('what a Java leader has overlooked', () => {
  it('is nothing where everybody has something and everything somebody', () => {
    expect(reasonOf({})).toBeUndefined()
  })

  it('is a shard whose owner is not there, or that has none, or that does not exist', () => {
    expect(reasonOf({ owners: [y, x] })).toBe('shard without owner')
    expect(reasonOf({ owners: [undefined, x] })).toBe('shard without owner')
    expect(reasonOf({}, { total: 3 })).toBe('shard without owner')
  })

  it('is no shard whose owner is away for a moment', () => {
    const absent = { [java]: { since: 0, isFinal: false } }
    expect(reasonOf({ instances: [x], absent })).toBeUndefined()
    expect(reasonOf({ instances: [x], absent: { [java]: { since: 0, isFinal: true } } })).toBe(
      'shard without owner',
    )
  })

  it('is an instance that has got nothing although there is enough', () => {
    expect(reasonOf({ owners: [java, java] })).toBe('instance without shards')
    expect(reasonOf({ instances: [x, y, java] })).toBeUndefined()
  })

  it('is no instance without shards where that is meant', () => {
    const alone = { owners: [java, java] }
    expect(reasonOf(alone, { staticSharding: true })).toBeUndefined()
    expect(reasonOf(alone, { strategy: 'com.example.Mine' })).toBeUndefined()
    expect(reasonOf({ ...alone, servers: { '10.0.0.1': 'DISABLED' } })).toBeUndefined()
  })

  it('is the other flag, left by a leader that was deposed in the middle', () => {
    expect(reasonOf({ processing: true })).toBe('flag left behind')
    expect(reasonOf({ processing: true, necessary: true })).toBeUndefined()
  })

  it('is nothing once the flag is up, nor under a leader of ours, nor without a leader', () => {
    const wrong = { owners: [y, x] }
    expect(reasonOf({ ...wrong, necessary: true })).toBeUndefined()
    expect(reasonOf({ ...wrong, leader: x })).toBeUndefined()
    const { leader: _, ...vacant } = settled
    expect(overlookedNeed(viewOf({ ...vacant, ...wrong }), settings)).toBeUndefined()
  })

  it('is another situation when somebody comes or goes', () => {
    const keyOf = (instances: string[]): string | undefined =>
      overlookedNeed(viewOf({ ...settled, instances, owners: [java, java, java] }), {
        ...settings,
        total: 3,
      })?.key
    expect(keyOf([x, java])).not.toBe(keyOf([x, y, java]))
  })
})

describe('the reminder', () => {
  const now = 50_000

  it('comes after five seconds, by one of ours after the other', () => {
    const tree = jobTree({ ...settled, instances: [x, y, java] })
    const { view } = tree
    expect(planReminder(view, tree.member(x), now, now)).toEqual({ do: 'wait', until: now + 5000 })
    expect(planReminder(view, tree.member(y), now, now)).toEqual({ do: 'wait', until: now + 5200 })
    expect(planReminder(view, tree.member(x), now + 5000, now)?.do).toBe('flag')
  })

  it('raises the flag once', () => {
    const tree = jobTree({ ...settled, instances: [x, y, java] })
    const flagOf = (instance: string): ReturnType<typeof tree.apply> => {
      const decision = planReminder(tree.view, tree.member(instance), now + 9000, now)
      return tree.apply(decision?.do === 'flag' ? decision.operations : [], instance)
    }
    expect(flagOf(x)).toBe('committed')
    expect(tree.view.necessary).toBeDefined()
    expect(flagOf(y)).toBe('NODE_EXISTS')
  })

  it('is not the business of who is not registered', () => {
    const tree = jobTree(settled)
    expect(planReminder(tree.view, tree.member(y), now + 9000, now)).toBeUndefined()
  })

  it('comes from one that is disabled after those who are not', () => {
    const servers = { '10.0.0.1': 'DISABLED' }
    const alone = jobTree({ ...settled, servers })
    expect(planReminder(alone.view, alone.member(x), now + 5000, now)?.do).toBe('flag')
    const two = jobTree({ ...settled, instances: [x, y, java], servers })
    expect(planReminder(two.view, two.member(y), now + 5000, now)?.do).toBe('flag')
    expect(planReminder(two.view, two.member(x), now + 5000, now)?.do).toBe('wait')
  })
})
