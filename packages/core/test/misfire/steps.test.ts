import { beforeEach, describe, expect, it } from 'vitest'

import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import { FireHistory } from '../../src/fire-times/fire-history.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import { MissedFireMonitor, type MissedFireSettings } from '../../src/misfire/service.ts'
import { every } from '../support/fires.ts'
import { failure, period, TreeHost } from '../support/tree-host.ts'
import { jobTree, type Situation, x, y } from '../tree.ts'

/** A fire time. */
const T = 3_000_000
const grace = 5_000
const window = 25_000
/** A look comes half a second after the grace. */
const late = T + grace + 500

const fires = every(period)
const settings: MissedFireSettings = {
  watches: true,
  fires,
  total: 2,
  since: 0,
  grace,
  window,
  account: (now) => ({
    now,
    oldest: now - window - 1_000,
    misfire: true,
    catchUp: noCatchUp,
    paused: false,
    history: new FireHistory([{ from: 0, fires, total: 2 }], []),
    total: 2,
    cut: 0,
  }),
}

const ran: Partial<ShardState> = {
  state: 'idle',
  instance: x,
  fireTime: T - period,
  attempt: 1,
  begin: T - period,
  end: T - period + 1,
}
const calm: Situation = {
  instances: [x, y],
  leader: x,
  owners: [x, y],
  shardStates: { 0: ran, 1: ran },
}

let at: TreeHost
let watch: MissedFireMonitor

async function step(now: number, changes: Partial<MissedFireSettings> = {}): Promise<unknown> {
  at.now = now
  const wanted = watch.step(now, { ...settings, ...changes })
  if (typeof wanted !== 'object') return wanted
  await wanted
  return 'done'
}

function late0(): unknown[] {
  return at.payloads('fire:late')
}

/** A leader that has led for a while: it has looked at all shards. */
beforeEach(async () => {
  at = new TreeHost(jobTree(calm), x)
  watch = new MissedFireMonitor(at.host)
  await step(T - 30_000)
  await step(T - 24_000)
})

describe('a fire time that nobody has claimed', () => {
  it('is late after the grace, once', async () => {
    expect(await step(T + grace - 1)).toBe(late)
    expect(late0()).toEqual([])
    expect(await step(late)).toBe('done')
    await step(late + 1)
    expect(late0()).toMatchObject([
      { shardingItem: 0, fireTime: T },
      { shardingItem: 1, fireTime: T },
    ])
  })

  it('is not late for a shard whose run was seen to begin', async () => {
    watch.marked(0, T - 5)
    await step(late)
    expect(late0()).toMatchObject([{ shardingItem: 1 }])
  })

  it('is late for a shard whose last run began long before', async () => {
    watch.marked(0, T - 20_000)
    await step(late)
    expect(late0()).toHaveLength(2)
  })

  it('is not late for a shard whose state says that it ran', async () => {
    const text = JSON.stringify({ ...at.tree.shardState(0), fireTime: T })
    at.tree.server.put(at.tree.paths.shardState(0), text)
    await step(late)
    expect(late0()).toMatchObject([{ shardingItem: 1 }])
  })

  it('is not late for a shard that was disabled then, and is enabled since', async () => {
    at.disabledPeriods.seen(0, true, T - 1_000)
    at.disabledPeriods.seen(0, false, T + 2_000)
    await step(late)
    expect(late0()).toMatchObject([{ shardingItem: 1 }])
  })

  it('is late for a shard that was enabled before', async () => {
    at.disabledPeriods.seen(0, true, T - 2_000)
    at.disabledPeriods.seen(0, false, T - 1_000)
    await step(late)
    expect(late0()).toHaveLength(2)
  })

  it('is not late for a shard that is disabled or runs', async () => {
    at.tree.server.put(at.tree.paths.mark(0, 'disabled'))
    at.tree.server.put(at.tree.paths.mark(1, 'running'), y)
    await step(late)
    expect(late0()).toEqual([])
  })

  it('is not late if the schedule was made after it', async () => {
    await step(late, { since: T })
    expect(late0()).toEqual([])
  })

  it('is nothing to who does not watch', async () => {
    expect(await step(late, { watches: false })).toBeUndefined()
    expect(at.events).toEqual([])
  })

  it('is reported as missed once nobody can claim it any more', async () => {
    await step(late)
    expect(at.payloads('fire:missed')).toEqual([])
    await step(T + window + 999)
    expect(at.payloads('fire:missed')).toEqual([])
    await step(T + window + 1_000)
    await step(T + window + 1_001)
    expect(at.payloads('fire:missed')).toMatchObject([
      { shardingItem: 0, fireTime: T },
      { shardingItem: 1, fireTime: T },
    ])
    expect(at.tree.shardState(0)).toMatchObject({ since: T })
    expect(at.tree.shardState(0)?.report).toBeUndefined()
  })

  it('is not reported as missed if a run has begun meanwhile', async () => {
    await step(late)
    watch.marked(0, late + 1)
    await step(T + window + 1_001)
    expect(at.payloads('fire:missed')).toMatchObject([{ shardingItem: 1 }])
  })

  it('is reported later if its shard state has changed meanwhile', async () => {
    await step(late)
    at.beforeCommit = (paths) => {
      if (paths.includes(at.tree.paths.shardState(0))) throw failure('REGISTRY_BAD_VERSION')
    }
    await step(T + window + 1_001)
    expect(at.payloads('fire:missed')).toMatchObject([{ shardingItem: 1 }])
    at.beforeCommit = () => {}
    await step(T + 2 * window + 2_002)
    expect(at.payloads('fire:missed')).toMatchObject([{ shardingItem: 1 }, { shardingItem: 0 }])
  })

  it('is looked at again if the look failed', async () => {
    await step(late)
    at.beforeRead = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await expect(step(T + window + 1_001)).rejects.toThrow('REGISTRY_CONNECTION_LOSS')
    at.beforeRead = () => {}
    await step(T + window + 1_002)
    expect(at.payloads('fire:missed')).toHaveLength(2)
  })
})
