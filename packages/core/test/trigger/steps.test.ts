import { beforeEach, describe, expect, it } from 'vitest'

import type { ManualRun } from '../../src/job-tree/job-state.ts'
import { type ManualRunSettings, TriggerService } from '../../src/trigger/service.ts'
import { failure, TreeHost } from '../support/tree-host.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

const settings: ManualRunSettings = {
  total: 2,
  monitorExecution: true,
  failover: true,
  leads: true,
}
const running: ManualRun = { id: 3, asked: 5_000 }
const done = { state: 'idle', round: 3, outcome: 'success' } as const

const calm: Situation = {
  instances: [x, y],
  leader: x,
  owners: [x, y],
  shardStates: { 0: done, 1: { ...done, round: 2 } },
  jobState: { lastRound: 3, running, previous: { id: 2, asked: 1 } },
}

let at: TreeHost
let service: TriggerService

function begin(situation: Situation = calm): void {
  at = new TreeHost(jobTree(situation), x)
  service = new TriggerService(at.host, () => 'me')
}

async function step(changes: Partial<ManualRunSettings> = {}, now = at.now): Promise<unknown> {
  const wanted = service.step(now, { ...settings, ...changes })
  if (typeof wanted !== 'object') return wanted
  await wanted
  return 'done'
}

function finish(): void {
  begin({ ...calm, shardStates: { 0: done, 1: done } })
}

beforeEach(() => begin())

describe('a manual run', () => {
  it('goes on until every shard has run it', async () => {
    await step()
    expect(at.tree.view.jobState?.value.running).toEqual(running)
  })

  it('is looked at again when a mark has come or gone, and not before', async () => {
    await step()
    expect(at.reads).toHaveLength(1)
    expect(await step()).toBeUndefined()
    expect(at.reads).toHaveLength(1)
    at.marks += 1
    await step()
    expect(at.reads).toHaveLength(2)
  })

  it('is looked at again when somebody has died', async () => {
    await step()
    at.tree.server.expire(y)
    await step()
    expect(at.reads).toHaveLength(2)
  })

  it('is over when every shard has run it; everybody is told once', async () => {
    finish()
    await step()
    expect(at.tree.view.jobState?.value).toMatchObject({ previous: running })
    expect(at.tree.view.jobState?.value.running).toBeUndefined()
    await step()
    await step()
    expect(at.payloads('trigger:completed')).toEqual([{ jobName: 'job', manualRun: 3 }])
  })

  it('is not ended by who does not lead', async () => {
    finish()
    expect(await step({ leads: false })).toBeUndefined()
    expect(at.reads).toEqual([])
  })

  it('is not ended while a shard of it runs', async () => {
    begin({ ...calm, shardStates: { 0: done, 1: done }, marks: { 1: { running: y } } })
    expect(await step()).toBeUndefined()
    expect(at.reads).toEqual([])
  })

  it('is ended at once where nobody writes down what ran', async () => {
    expect(await step({ monitorExecution: false })).toBe('done')
    expect(at.tree.view.jobState?.value.running).toBeUndefined()
  })

  it('is looked at again if its end was refused', async () => {
    finish()
    at.beforeCommit = () => {
      throw failure('REGISTRY_BAD_VERSION')
    }
    await expect(step()).rejects.toThrow('REGISTRY_BAD_VERSION')
    at.beforeCommit = () => {}
    expect(await step()).toBe('done')
    expect(at.tree.view.jobState?.value.running).toBeUndefined()
  })
})

describe('a request', () => {
  it('is made again when another one came first', async () => {
    let refusals = 3
    at.beforeCommit = () => {
      refusals -= 1
      if (refusals >= 0)
        throw failure(refusals === 1 ? 'REGISTRY_NODE_EXISTS' : 'REGISTRY_BAD_VERSION')
    }
    expect(await service.ask({})).toMatchObject({ id: 4 })
    expect(at.tree.view.jobState?.value).toMatchObject({
      running,
      pending: { id: 4 },
      lastRound: 4,
    })
    expect(at.payloads('trigger:requested')).toEqual([{ jobName: 'job', manualRun: 4 }])
  })

  it('fails after twenty refusals', async () => {
    let tries = 0
    at.beforeCommit = () => {
      tries += 1
      throw failure('REGISTRY_BAD_VERSION')
    }
    await expect(service.ask({})).rejects.toMatchObject({ code: 'JOB_TRIGGER_PENDING' })
    expect(tries).toBe(20)
  })

  it('fails at once for another reason', async () => {
    at.beforeCommit = () => {
      throw failure('REGISTRY_CONNECTION_LOSS')
    }
    await expect(service.ask({})).rejects.toMatchObject({ code: 'REGISTRY_CONNECTION_LOSS' })
    expect(at.payloads('trigger:requested')).toEqual([])
  })

  it('for failed shards names those, with the parameter', async () => {
    begin({
      ...calm,
      shardStates: { 0: done, 1: { ...done, outcome: 'failure' } },
      jobState: { lastRound: 3 },
    })
    expect(await service.askForFailed(settings, 'again')).toMatchObject({
      id: 4,
      shards: [1],
      parameter: 'again',
    })
  })

  it('for failed shards is refused if none has failed', async () => {
    const asked = service.askForFailed(settings)
    await expect(asked).rejects.toMatchObject({ code: 'JOB_NOTHING_FAILED' })
  })
})

describe('triggers of Java’s tools', () => {
  const idle: Situation = { ...calm, jobState: { lastRound: 3 } }

  it('become one manual run, told once, as soon as all instances have one', async () => {
    begin({ ...idle, triggers: [x, y] })
    expect(await step()).toBe('done')
    expect(at.tree.view.triggers.size).toBe(0)
    expect(at.tree.view.jobState?.value.running).toMatchObject({ id: 4 })
    expect(at.payloads('trigger:requested')).toEqual([{ jobName: 'job', manualRun: 4 }])
  })

  it('of some instances wait a second for more', async () => {
    begin({ ...idle, triggers: [x] })
    expect(await step({}, 7_000)).toBe(8_000)
    expect(await step({}, 7_999)).toBe(8_000)
    expect(await step({}, 8_000)).toBe('done')
    expect(at.tree.view.jobState?.value.running).toMatchObject({ id: 4, instances: [x] })
  })

  it('count their second afresh after the last ones are gone', async () => {
    begin({ ...idle, triggers: [x] })
    await step({}, 7_000)
    at.tree.server.drop(at.tree.paths.trigger(x))
    await step({}, 7_500)
    at.tree.server.put(at.tree.paths.trigger(x))
    expect(await step({}, 9_000)).toBe(10_000)
  })

  it('for a dead instance are deleted in a mixed job by the leader, and told', async () => {
    const gone = '10.0.0.7@-@7-gonegone'
    begin({ ...idle, instances: [x, y, java], triggers: [gone] })
    expect(await step({ leads: false })).toBeUndefined()
    expect(await step()).toBe('done')
    expect(at.tree.view.triggers.size).toBe(0)
    expect(at.payloads('reconcile:repaired')).toHaveLength(1)
  })
})
