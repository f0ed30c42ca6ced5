import { describe, expect, it } from 'vitest'

import type { Claimer } from '../../src/execution/claimer.ts'
import type { Completer } from '../../src/execution/completer.ts'
import { settleCutOff } from '../../src/execution/cut-off.ts'
import type { Due } from '../../src/fire-times/due.ts'
import type { Executor } from '../../src/execution/executor.ts'
import { ShardTable } from '../../src/execution/shard-table.ts'
import type { ShardSlot } from '../../src/execution/shard-slot.ts'
import { Run } from '../../src/execution/run.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { failure, TreeHost } from '../support/tree-host.ts'
import { java, jobTree, x, y } from '../tree.ts'

const claimed: ShardState = {
  ...neverRun,
  state: 'running',
  run: 'ours',
  instance: x,
  fireTime: 960_000,
  attempt: 1,
  begin: 960_000,
}

interface Bench {
  readonly at: TreeHost
  readonly slot: ShardSlot
  readonly run: Run
  /** What was done with the run, in order. */
  readonly done: string[]
  readonly settle: () => Promise<void>
}

interface Setting {
  readonly stored?: Partial<ShardState>
  readonly source?: 'cron' | 'failover'
  readonly instances?: readonly string[]
}

/** An instance whose transaction about shard 0 was cut off; the registry has `stored` as the state of the shard. */
function bench(
  state: 'claiming' | 'running' | 'ending',
  { stored, source = 'cron', instances = [x] }: Setting = {},
): Bench {
  const states = stored === undefined ? {} : { 0: { ...claimed, ...stored } }
  const tree = jobTree({ instances, leader: x, owners: [x], shardStates: states })
  const at = new TreeHost(tree, x)
  const { host } = at
  const slots = new ShardTable(host)
  slots.own(new Set([0]), () => ({ since: 0, byTurn: false }))
  const slot = slots.get(0) as ShardSlot
  const due: Due =
    source === 'cron'
      ? { source, fireTime: 960_000 }
      : { source, fireTime: 960_000, round: undefined }
  const keeper = { end: () => {}, saveOffset: () => Promise.resolve() }
  const run = new Run(
    'job',
    slot,
    { runId: 'ours', due, before: neverRun, shardState: claimed, gone: [] },
    keeper,
  )
  slot.reserve()
  slot.claim(run)
  run.stateVersion = 41
  if (state !== 'claiming') slot.begin(run)
  if (state === 'ending') slot.end()
  if (state !== 'running') slot.cutOff()
  const done: string[] = []
  const claimer = { refused: (_: Run, reason: string) => done.push(`refused: ${reason}`) }
  const completer = {
    writeEnds: ([one]: readonly Run[]) => {
      done.push(`ends at version ${one?.stateVersion}`)
      return Promise.resolve()
    },
    recorded: (_: Run, shardState: ShardState, version: number) =>
      done.push(`recorded ${shardState.outcome} at version ${version}`),
    superseded: () => done.push('superseded'),
  }
  const executor = {
    start: ([one]: readonly Run[], mixed: boolean) => {
      const taken = one?.due.source === 'failover' ? ' taken' : ''
      done.push(`begins${taken} at version ${one?.stateVersion}${mixed ? ' beside Java' : ''}`)
      return Promise.resolve()
    },
  }
  const parts = {
    host,
    slots,
    claimer: claimer as unknown as Claimer,
    executor: executor as unknown as Executor,
    completer: completer as unknown as Completer,
  }
  const settle = async (): Promise<void> => {
    settleCutOff(parts)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { at, slot, run, done, settle }
}

describe('a claim whose reply was lost', () => {
  it('begins if the shard state carries its run id, at the version that is stored', async () => {
    const { at, done, run, slot, settle } = bench('claiming', { stored: {} })
    await settle()
    expect(done).toEqual(['begins at version 0'])
    const { mzxid } = at.tree.server.get(at.tree.paths.shardState(0)) ?? {}
    expect(run.reference.fencingToken).toBe(mzxid)
    expect(slot.isCutOff).toBe(false)
  })

  it('is looked at once more before it begins beside Java', async () => {
    const { done, settle } = bench('claiming', { stored: {}, instances: [x, java] })
    await settle()
    expect(done).toEqual(['begins at version 0 beside Java'])
  })

  it('begins as a takeover if it was one', async () => {
    const { done, settle } = bench('claiming', { stored: {}, source: 'failover' })
    await settle()
    expect(done).toEqual(['begins taken at version 0'])
  })

  it('is refused if the shard state carries another run', async () => {
    const { done, settle } = bench('claiming', { stored: { run: 'another', instance: y } })
    await settle()
    expect(done).toEqual(['refused: the claim did not reach the registry'])
  })

  it('is refused if the shard has no state', async () => {
    const { done, settle } = bench('claiming')
    await settle()
    expect(done).toEqual(['refused: the claim did not reach the registry'])
  })

  it('begins only after a write has proven the session again', async () => {
    const { at, done, settle } = bench('claiming', { stored: {} })
    at.isLeaseValid = false
    await settle()
    expect(at.proofs).toBe(1)
    expect(done).toEqual(['begins at version 0'])
  })

  it('needs no further proof while the session is proven', async () => {
    const { at, settle } = bench('claiming', { stored: {} })
    await settle()
    expect(at.proofs).toBe(0)
  })

  it('stays cut off if the connection is lost before the session is proven', async () => {
    const { at, slot, done, settle } = bench('claiming', { stored: {} })
    at.isLeaseValid = false
    at.beforeRead = () => {
      at.isReady = false
    }
    await settle()
    expect([done, slot.isCutOff]).toEqual([[], true])
  })
})

describe('an end whose reply was lost', () => {
  it('is written again if the shard state still says that the run goes on', async () => {
    const { done, settle } = bench('ending', { stored: {} })
    await settle()
    expect(done).toEqual(['ends at version 41'])
  })

  it('is known to be written if the shard state says so', async () => {
    const { done, settle } = bench('ending', { stored: { state: 'idle', outcome: 'success' } })
    await settle()
    expect(done).toEqual(['recorded success at version 0'])
  })

  it('is superseded if the shard state carries another run', async () => {
    const { done, settle } = bench('ending', { stored: { run: 'another', instance: y } })
    await settle()
    expect(done).toEqual(['superseded'])
  })

  it('writes the shard state again that somebody has deleted', async () => {
    const { done, settle } = bench('ending')
    await settle()
    expect(done).toEqual(['ends at version -2'])
  })

  it('writes nothing for a job that this instance has left', async () => {
    const { done, settle } = bench('ending', { instances: [y] })
    await settle()
    expect(done).toEqual(['superseded'])
  })
})

describe('what was cut off', () => {
  it.each([
    ['there is no connection', { isReady: false }],
    ['the replica still reads', { isSynced: false }],
  ])('waits while %s', async (_, state) => {
    const { at, slot, done, settle } = bench('claiming', { stored: {} })
    Object.assign(at, state)
    await settle()
    expect([at.reads, done, slot.isCutOff]).toEqual([[], [], true])
  })

  it('is read once: the next look does not read it again', async () => {
    const { at, settle } = bench('claiming', { stored: {} })
    await settle()
    await settle()
    expect(at.reads).toEqual([[at.tree.paths.shardState(0)]])
  })

  it('stays cut off if its read fails', async () => {
    const { at, slot, done, settle } = bench('claiming', { stored: {} })
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await settle()
    expect([done, slot.isCutOff]).toEqual([[], true])
  })

  it('is left alone if another run has its shard by the time of the answer', async () => {
    const { at, slot, done, settle } = bench('claiming', { stored: {} })
    at.beforeRead = () => slot.release()
    await settle()
    expect(done).toEqual([])
  })

  it('does not concern what was answered', async () => {
    const { at, settle } = bench('running', { stored: {} })
    await settle()
    expect(at.reads).toEqual([])
  })
})
