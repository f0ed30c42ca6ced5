import {
  type MultiReadResult,
  type ReadPart,
  type Stat,
  toBytes,
  ZooKeeperError,
} from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

import { LaneTable } from '../../src/execution/lane-table.ts'
import type { Lane } from '../../src/execution/lane.ts'
import type { Coordination } from '../../src/job-tree/coordination.ts'
import { encodeItemWord, type ItemWord, neverRun } from '../../src/job-tree/item-word.ts'
import { JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { x, y } from '../tree.ts'

const paths = new JobPaths('ns', new StatePaths('ns'), 'job')
const running: ItemWord = { ...neverRun, state: 'running', run: 'r1', instance: y, fireTime: 1000 }
const ended: ItemWord = { ...running, state: 'idle', end: 1500 }

interface Bench {
  readonly table: LaneTable
  readonly lane: Lane
  /** What the registry says of the item's last run. */
  word: ItemWord
  reads: number
  /** Who was told to look again. */
  readonly told: ('all' | 'items')[]
  /** Called when the registry has answered, before the answer is taken in. */
  answered: () => void
}

/** An instance that has just got item 0. */
function bench(word: ItemWord): Bench {
  const answer = ({ path }: ReadPart): MultiReadResult => {
    if (path === paths.owner(0)) return content(x)
    if (path === paths.itemWord(0)) return content(encodeItemWord(all.word))
    return { error: new ZooKeeperError('ZK_NO_NODE', path) }
  }
  const host = {
    session: {
      instance: x,
      now: () => 2000,
      read: (parts: readonly ReadPart[]) => {
        all.reads += 1
        const answers = parts.map(answer)
        all.answered()
        return Promise.resolve(answers)
      },
    },
    replica: { paths, failoverItems: new Set([7]) },
    changed: () => all.told.push('all'),
    look: () => all.told.push('items'),
  }
  const table = new LaneTable(host as unknown as Coordination)
  table.own(new Set([0]), () => ({ since: 0, byTurn: false }))
  const lane = table.get(0) as Lane
  const all: Bench = { table, lane, word, reads: 0, told: [], answered: () => {} }
  return all
}

function content(text: string): MultiReadResult {
  return { data: toBytes(text), stat: { version: 3, czxid: 5n, ctime: 0n } as Stat }
}

describe('a run of somebody else that was under way when the item came here', () => {
  it('is read again when it ends: its word would keep the item waiting for ever', async () => {
    const all = bench(running)
    await all.table.load()
    expect(all.lane).toMatchObject({ state: 'idle', word: running })
    all.word = ended
    all.table.runTouched(0)
    expect(all.table.needsLoading).toBe(true)
    await all.table.load()
    expect(all.lane).toMatchObject({ state: 'idle', word: ended })
  })

  it('is read again when the next time comes: its mark may be gone, and nobody tells of its end', async () => {
    const all = bench(running)
    await all.table.load()
    all.word = ended
    all.table.fired(1000)
    expect(all.table.needsLoading).toBe(true)
    await all.table.load()
    expect(all.lane).toMatchObject({ state: 'idle', word: ended })
    all.table.fired(2000)
    expect(all.table.needsLoading).toBe(false)
  })

  it('is read again when it ends while it is being read', async () => {
    const all = bench(running)
    all.answered = () => {
      all.word = ended
      all.table.runTouched(0)
    }
    await all.table.load()
    expect(all.table.needsLoading).toBe(true)
    all.answered = () => {}
    await all.table.load()
    expect(all.lane).toMatchObject({ state: 'idle', word: ended })
  })
})

describe('a run of our own', () => {
  it.each(['claiming', 'running', 'ending'] as const)(
    'is not read again when it is %s',
    async (state) => {
      const all = bench(ended)
      await all.table.load()
      all.lane.state = state
      all.table.runTouched(0)
      expect(all.lane).toMatchObject({ state, isStale: false })
    },
  )

  it('is not read again when its mark has gone: what it wrote is known', async () => {
    const all = bench(ended)
    await all.table.load()
    all.table.runTouched(0)
    expect(all.table.needsLoading).toBe(false)
    expect(all.reads).toBe(1)
  })
})

describe('a lane that is free again', () => {
  it('concerns its item alone, unless that waits to be taken over', () => {
    const all = bench(ended)
    all.table.freed([0])
    all.table.freed([7])
    expect(all.told).toEqual(['items', 'all'])
  })
})

describe('a lane that is borrowed for a crashed run', () => {
  it('goes when nothing happens in it any more, unless the item is ours', () => {
    const { table, lane } = bench(ended)
    const borrowed = table.borrow(7) as Lane
    expect(table.items).toEqual([0])
    table.forgetIfLost(borrowed)
    expect(table.get(7)).toBeUndefined()
    table.forgetIfLost(lane)
    expect(table.get(0)).toBe(lane)
  })

  it("is nobody's while something else happens in it", () => {
    const { table, lane } = bench(ended)
    lane.state = 'running'
    expect(table.borrow(0)).toBeUndefined()
    lane.state = 'reading'
    expect(table.borrow(0)).toBeUndefined()
    lane.state = 'idle'
    expect(table.borrow(0)).toBe(lane)
  })
})
