import { describe, expect, it } from 'vitest'

import type { Run } from '../../src/execution/run.ts'
import { type LoadedShard, ShardSlot, type SlotState } from '../../src/execution/shard-slot.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'

const loaded: LoadedShard = {
  shard: 0,
  ownerVersion: 3,
  ownerCzxid: 5n,
  created: 800,
  shardState: neverRun,
  stateVersion: 7,
  offset: { value: 'saved', version: 2 },
}
const claimed: ShardState = { ...neverRun, state: 'running', run: 'ours', fireTime: 1000 }

function runOf(released: string[] = []): Run {
  return {
    plan: { shardState: claimed },
    isWritten: true,
    stateVersion: 8,
    lease: { release: () => released.push('lease') },
  } as unknown as Run
}

/** The transitions that lead from a new slot to each state. */
const ways: Readonly<Record<SlotState, (slot: ShardSlot, run: Run) => void>> = {
  unread: () => {},
  reading: (slot) => slot.read(),
  correcting: (slot, run) => {
    ways.idle(slot, run)
    slot.correct()
  },
  foreign: (slot, run) => {
    ways.reading(slot, run)
    slot.find('foreign')
  },
  unreadable: (slot, run) => {
    ways.reading(slot, run)
    slot.find('unreadable')
  },
  idle: (slot, run) => {
    ways.reading(slot, run)
    slot.load(loaded)
  },
  reserved: (slot) => slot.reserve(),
  claiming: (slot, run) => {
    ways.idle(slot, run)
    slot.claim(run)
  },
  running: (slot, run) => {
    ways.claiming(slot, run)
    slot.begin(run)
  },
  ending: (slot, run) => {
    ways.running(slot, run)
    slot.end()
  },
  orphaned: (slot, run) => {
    ways.running(slot, run)
    slot.expire()
  },
  discarded: (slot) => slot.expire(),
}
const states = Object.keys(ways) as SlotState[]

function slotIn(state: SlotState, run: Run = runOf()): ShardSlot {
  const slot = new ShardSlot(0, 500)
  slot.own({ since: 100, byTurn: true })
  ways[state](slot, run)
  expect(slot.state).toBe(state)
  return slot
}

type Row = readonly [
  name: string,
  apply: (slot: ShardSlot) => void,
  targets: Readonly<Partial<Record<SlotState, SlotState>>>,
]

const all = (to: (state: SlotState) => SlotState): Row[2] =>
  Object.fromEntries(states.map((state) => [state, to(state)]))

const outdated: ReadonlySet<SlotState> = new Set(['foreign', 'unreadable', 'idle'])
const rows: readonly Row[] = [
  [
    'invalidate',
    (slot) => slot.invalidate(),
    all((state) => (outdated.has(state) ? 'unread' : state)),
  ],
  ['read', (slot) => slot.read(), { unread: 'reading' }],
  ['load', (slot) => slot.load(loaded), { reading: 'idle' }],
  ['find foreign', (slot) => slot.find('foreign'), { reading: 'foreign' }],
  ['find unreadable', (slot) => slot.find('unreadable'), { reading: 'unreadable' }],
  ['correct', (slot) => slot.correct(), { idle: 'correcting' }],
  [
    'reset',
    (slot) => slot.reset(),
    { reading: 'unread', correcting: 'unread', reserved: 'unread' },
  ],
  [
    'reserve',
    (slot) => slot.reserve(),
    { unread: 'reserved', foreign: 'reserved', unreadable: 'reserved', idle: 'reserved' },
  ],
  ['claim', (slot) => slot.claim(runOf()), { idle: 'claiming', reserved: 'claiming' }],
  ['begin', (slot) => slot.begin(runOf()), { claiming: 'running' }],
  ['end', (slot) => slot.end(), { running: 'ending', orphaned: 'discarded' }],
  ['cut off', (slot) => slot.cutOff(), { claiming: 'claiming', ending: 'ending' }],
  ['settle', (slot) => slot.settle(), { claiming: 'claiming', ending: 'ending' }],
  ['record', (slot) => slot.record(neverRun, 9), { ending: 'idle' }],
  ['release', (slot) => slot.release(), { claiming: 'idle' }],
  ['refuse', (slot) => slot.refuse(), { claiming: 'unread' }],
  ['supersede', (slot) => slot.supersede(), { ending: 'unread' }],
  [
    'expire',
    (slot) => slot.expire(),
    all((state) => (state === 'running' || state === 'orphaned' ? 'orphaned' : 'discarded')),
  ],
]

describe.each(rows)('the transition %s', (_, apply, targets) => {
  const legal = states.filter((state) => state !== 'discarded' && targets[state] !== undefined)
  const illegal = states.filter((state) => state !== 'discarded' && targets[state] === undefined)

  it.each(legal)('leads from %s to its target', (state) => {
    const slot = slotIn(state)
    apply(slot)
    expect(slot.state).toBe(targets[state])
  })

  it.each(illegal)('is an error while %s', (state) => {
    const slot = slotIn(state)
    expect(() => apply(slot)).toThrow(TypeError)
  })

  it('is ignored by a discarded slot', () => {
    const slot = slotIn('discarded')
    apply(slot)
    expect(slot).toMatchObject({ state: 'discarded', isStale: false, isCutOff: false })
  })
})

describe('a slot', () => {
  it('is busy from the reservation or claim to the recorded end', () => {
    const busy = states.filter((state) => slotIn(state).isBusy)
    expect(busy).toEqual(['reserved', 'claiming', 'running', 'ending'])
  })

  it('keeps what was loaded', () => {
    const { shardState, stateVersion, offset, loaded: kept } = slotIn('idle')
    expect({ shardState, stateVersion, offset }).toEqual({
      shardState: neverRun,
      stateVersion: 7,
      offset: { value: 'saved', version: 2 },
    })
    expect(kept).toEqual(loaded)
  })

  it('is owned with what is due from then on, until it is lost', () => {
    const slot = slotIn('idle')
    expect(slot).toMatchObject({ isOwned: true, ownedSince: 500 })
    expect(slot.ownership).toEqual({ since: 100, byTurn: true })
    slot.lose()
    expect(slot).toMatchObject({ isOwned: false, state: 'idle' })
  })

  it.each([
    'unread',
    'reading',
    'correcting',
    'reserved',
    'claiming',
    'running',
    'ending',
  ] as const)('becomes stale if it is invalidated while %s', (state) => {
    const slot = slotIn(state)
    slot.invalidate()
    expect(slot.isStale).toBe(true)
  })

  it('is not stale any more once it is read', () => {
    const slot = slotIn('unread')
    slot.invalidate()
    slot.read()
    expect(slot.isStale).toBe(false)
  })

  it('is read again after a run during which it became stale', () => {
    const slot = slotIn('ending')
    slot.invalidate()
    slot.record(neverRun, 9)
    expect(slot).toMatchObject({ state: 'unread', isStale: false, stateVersion: 9 })
  })

  it('is read again after a takeover, whose result its owner does not know', () => {
    const slot = slotIn('reserved')
    slot.claim(runOf())
    expect(slot.isStale).toBe(true)
    slot.release()
    expect(slot.state).toBe('unread')
  })

  it('has the state of its run from the start on, and of the end once that is recorded', () => {
    const run = runOf()
    const slot = slotIn('running', run)
    expect(slot).toMatchObject({ shardState: claimed, stateVersion: 8, run })
    slot.end()
    slot.record(neverRun, 9)
    expect(slot).toMatchObject({ shardState: neverRun, stateVersion: 9, run: undefined })
  })

  it('keeps the stored version for a run that the registry does not record', () => {
    const slot = slotIn('claiming')
    slot.begin({ plan: { shardState: claimed }, isWritten: false } as unknown as Run)
    expect(slot).toMatchObject({ shardState: claimed, stateVersion: 7 })
  })

  it('releases the lease of its run, and is not cut off any more', () => {
    const released: string[] = []
    const slot = slotIn('ending', runOf(released))
    slot.cutOff()
    expect(slot.isCutOff).toBe(true)
    slot.supersede()
    expect([slot.isCutOff, released]).toEqual([false, ['lease']])
  })

  it('is not cut off while its result is being read', () => {
    const slot = slotIn('claiming')
    slot.cutOff()
    slot.settle()
    expect(slot.isCutOff).toBe(false)
  })

  it('counts refused claims until a fire time comes or a run starts', () => {
    const slot = slotIn('claiming')
    slot.refuse()
    expect(slot.failures).toBe(1)
    slot.retryClaims()
    expect(slot.failures).toBe(0)
    slot.read()
    slot.load(loaded)
    slot.claim(runOf())
    slot.refuse()
    slot.read()
    slot.load(loaded)
    slot.claim(runOf())
    slot.begin(runOf())
    expect(slot.failures).toBe(0)
  })

  it('starts no run after its session has expired', () => {
    const run = runOf()
    const slot = slotIn('claiming', run)
    slot.expire()
    expect(slot.begin(run)).toBe(false)
    expect(slot).toMatchObject({ state: 'discarded', shardState: neverRun, run })
  })

  it('doubts a state from the time at which the state of that version was first doubted', () => {
    const slot = slotIn('idle')
    expect([slot.doubtedSince(10), slot.doubtedSince(20)]).toEqual([10, 10])
    slot.keep({ stateVersion: 8 })
    expect([slot.doubtedSince(30), slot.doubtedSince(40)]).toEqual([30, 30])
  })
})
