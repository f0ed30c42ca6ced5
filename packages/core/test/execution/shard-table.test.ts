import { toBytes } from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

import type { Emit } from '../../src/events.ts'
import { ExecutionService } from '../../src/execution/service.ts'
import type { Run } from '../../src/execution/run.ts'
import type { ShardSlot } from '../../src/execution/shard-slot.ts'
import type { ShardTable } from '../../src/execution/shard-table.ts'
import type { ExecutionHost } from '../../src/execution/host.ts'
import { encodeShardState, type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { JobHealth } from '../../src/job-tree/job-health.ts'
import { JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { ReadPart, ReadResult, Stat } from '../../src/registry/transaction.ts'
import { x, y } from '../tree.ts'

const paths = new JobPaths('ns', new StatePaths('ns'), 'job')
const running: ShardState = {
  ...neverRun,
  state: 'running',
  run: 'r1',
  instance: y,
  fireTime: 1000,
}
const ended: ShardState = { ...running, state: 'idle', end: 1500 }

interface Bench {
  readonly service: ExecutionService
  readonly table: ShardTable
  readonly slot: ShardSlot
  /** What the registry says of the shard's last run. */
  shardState: ShardState
  /** The node whose read the registry refuses. */
  refused: string | undefined
  /** Events of the job's health. */
  readonly health: string[]
  reads: number
  /** Who was told to look again. */
  readonly told: ('all' | 'shards')[]
  /** Called when the registry has answered, before the answer is taken in. */
  answered: () => void
}

/** An instance that has just got shard 0. */
function bench(shardState: ShardState): Bench {
  const answer = ({ path }: ReadPart): ReadResult => {
    if (path === all.refused) return { error: new RegistryError('REGISTRY_NO_AUTH', path) }
    if (path === paths.owner(0)) return content(x)
    if (path === paths.shardState(0)) return content(encodeShardState(all.shardState))
    return { error: new RegistryError('REGISTRY_NO_NODE', path) }
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
    health: new JobHealth('job', ((event: string) => {
      all.health.push(event)
    }) as Emit),
    replica: { paths, failoverShards: new Set([7]) },
    changed: () => all.told.push('all'),
    look: () => all.told.push('shards'),
  }
  const service = new ExecutionService(host as unknown as ExecutionHost)
  const table = service.slots
  service.own(new Set([0]), () => ({ since: 0, byTurn: false }))
  const slot = table.get(0) as ShardSlot
  const all: Bench = {
    service,
    table,
    slot,
    shardState,
    refused: undefined,
    health: [],
    reads: 0,
    told: [],
    answered: () => {},
  }
  return all
}

/** A run of our own that has come so far. */
function occupy(slot: ShardSlot, state: 'claiming' | 'running' | 'ending'): void {
  const run = { plan: { shardState: running }, isWritten: false } as unknown as Run
  slot.claim(run)
  if (state !== 'claiming') slot.begin(run)
  if (state === 'ending') slot.end()
}

function content(text: string): ReadResult {
  return { data: toBytes(text), stat: { version: 3, czxid: 5n, ctime: 0n } as Stat }
}

describe('a run of somebody else that was under way when the shard came here', () => {
  it('is read again when it ends: its state would keep the shard waiting for ever', async () => {
    const all = bench(running)
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'idle', shardState: running })
    all.shardState = ended
    all.service.runTouched(0)
    expect(all.table.needsLoading).toBe(true)
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'idle', shardState: ended })
  })

  it('is read again when the next time comes: its mark may be gone, and nobody tells of its end', async () => {
    const all = bench(running)
    await all.table.load()
    all.shardState = ended
    all.service.fired(1000)
    expect(all.table.needsLoading).toBe(true)
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'idle', shardState: ended })
    all.service.fired(2000)
    expect(all.table.needsLoading).toBe(false)
  })

  it('is read again when it ends while it is being read', async () => {
    const all = bench(running)
    all.answered = () => {
      all.shardState = ended
      all.service.runTouched(0)
    }
    await all.table.load()
    expect(all.table.needsLoading).toBe(true)
    all.answered = () => {}
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'idle', shardState: ended })
  })
})

describe.each([
  ['owner', paths.owner(0)],
  ['node', paths.shard(0)],
  ['state', paths.shardState(0)],
  ['offset', paths.offset(0)],
])('a shard whose %s the registry refuses to read', (_, path) => {
  it('cannot be claimed, breaks the job, and is read again at the next fire time', async () => {
    const all = bench(ended)
    all.refused = path
    await all.table.load()
    expect(all.slot).toMatchObject({
      state: 'unreadable',
      shardState: undefined,
      offset: undefined,
    })
    expect(all.table.needsLoading).toBe(false)
    all.service.fired(1000)
    await all.table.load()
    expect([all.slot.state, all.reads]).toEqual(['unreadable', 2])
    expect(all.health).toEqual(['job:broken'])
    all.refused = undefined
    all.service.fired(2000)
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'idle', shardState: ended })
    expect(all.health).toEqual(['job:broken', 'job:recovered'])
  })

  it('keeps what was known of it', async () => {
    const all = bench(running)
    await all.table.load()
    all.refused = path
    all.service.runTouched(0)
    await all.table.load()
    expect(all.slot).toMatchObject({ state: 'unreadable', shardState: running, stateVersion: 3 })
  })
})

describe('a run of our own', () => {
  it.each(['claiming', 'running', 'ending'] as const)(
    'is not read again when it is %s',
    async (state) => {
      const all = bench(ended)
      await all.table.load()
      occupy(all.slot, state)
      all.service.runTouched(0)
      expect(all.slot).toMatchObject({ state, isStale: false })
    },
  )

  it('is not read again when its mark has gone: what it wrote is known', async () => {
    const all = bench(ended)
    await all.table.load()
    all.service.runTouched(0)
    expect(all.table.needsLoading).toBe(false)
    expect(all.reads).toBe(1)
  })
})

describe('a slot that is free again', () => {
  it('concerns its shard alone, unless that waits to be taken over', () => {
    const all = bench(ended)
    all.table.freed([0])
    all.table.freed([7])
    expect(all.told).toEqual(['shards', 'all'])
  })
})

describe('a slot that is borrowed for a crashed run', () => {
  it('goes when nothing happens in it any more, unless the shard is ours', () => {
    const { service, table, slot } = bench(ended)
    const borrowed = table.reserve(7) as ShardSlot
    expect(service.shards).toEqual([0])
    table.giveBack(borrowed)
    expect(table.get(7)).toBeUndefined()
    expect(table.reserve(0)).toBe(slot)
    table.giveBack(slot)
    expect(table.get(0)).toBe(slot)
  })

  it("is nobody's while something else happens in it", async () => {
    const { table, slot } = bench(ended)
    const loaded = table.load()
    expect(slot.state).toBe('reading')
    expect(table.reserve(0)).toBeUndefined()
    await loaded
    slot.correct()
    expect(table.reserve(0)).toBeUndefined()
    slot.reset()
    await table.load()
    occupy(slot, 'running')
    expect(table.reserve(0)).toBeUndefined()
    slot.end()
    slot.record(ended, 4)
    expect(slot.state).toBe('idle')
    expect(table.reserve(0)).toBe(slot)
  })
})
