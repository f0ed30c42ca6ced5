import { beforeEach, describe, expect, it } from 'vitest'

import { ElectionService } from '../../src/election/service.ts'
import { every } from '../support/fires.ts'
import { failure, TreeHost } from '../support/tree-host.ts'
import { jobTree, type Situation, x, y } from '../tree.ts'

const settings = { takesOver: false, monitorExecution: true, fires: every(60_000) }
const vacant: Situation = { instances: [x, y], owners: [x, y] }

let at: TreeHost
let service: ElectionService

function begin(situation: Situation = vacant, instance = x): void {
  at = new TreeHost(jobTree(situation), instance)
  service = new ElectionService(at.host)
}

async function step(now = at.now): Promise<unknown> {
  const wanted = service.step(now, settings)
  if (typeof wanted !== 'object') return wanted
  await wanted
  return 'done'
}

beforeEach(() => begin())

describe('an instance without a leader', () => {
  it('becomes leader and tells it', async () => {
    expect(await step()).toBe('done')
    expect(at.tree.view.leader).toEqual({ instance: x, version: 1 })
    expect(at.payloads('leader:elected')).toEqual([{ jobName: 'job', instance: x }])
    expect(await step()).toBeUndefined()
  })

  it('tells nothing if another one was first', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_NODE_EXISTS')
    }
    await expect(step()).rejects.toThrow('REGISTRY_NODE_EXISTS')
    expect(at.payloads('leader:elected')).toEqual([])
  })

  it('waits for those before it in rank, counted from when it saw that there is none', async () => {
    begin(vacant, y)
    expect(await step(1_000)).toBe(1_050)
    expect(await step(1_049)).toBe(1_050)
    expect(await step(1_050)).toBe('done')
    expect(at.tree.view.leader?.instance).toBe(y)
  })

  it('counts afresh when a leader has come and gone', async () => {
    begin(vacant, y)
    await step(1_000)
    at.tree.server.put(at.tree.paths.leaderInstance, x, { session: x, version: 1 })
    expect(await step(1_020)).toBeUndefined()
    at.tree.server.drop(at.tree.paths.leaderInstance)
    expect(await step(2_000)).toBe(2_050)
  })
})

describe('a leader', () => {
  const led: Situation = { ...vacant, leader: x }

  it('steps down on a disabled server and tells why', async () => {
    begin({ ...led, servers: { '10.0.0.1': 'DISABLED' } })
    expect(await step()).toBe('done')
    expect(at.tree.view.leader).toBeUndefined()
    const told = { jobName: 'job', instance: x, reason: 'disabled' }
    expect(at.payloads('leader:abdicated')).toEqual([told])
  })

  it('that cannot plan steps down and abstains for a minute', async () => {
    begin(led)
    await service.abstain(5_000, 'no strategy')
    expect(at.tree.view.leader).toBeUndefined()
    expect(at.payloads('leader:abdicated')).toMatchObject([{ reason: 'no strategy' }])
    expect(await step(5_000)).toBe(65_000)
    expect(await step(64_999)).toBe(65_000)
    expect(await step(65_000)).toBe('done')
  })

  it('that is none any more takes nothing from its successor', async () => {
    begin({ ...led, leader: y })
    await service.abstain(5_000, 'no strategy')
    expect(at.committed).toEqual([])
    expect(at.tree.view.leader?.instance).toBe(y)
  })
})
