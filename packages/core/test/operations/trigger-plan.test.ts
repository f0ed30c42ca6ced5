import { describe, expect, it } from 'vitest'

import type { JobState } from '../../src/job-tree/job-state.ts'
import {
  planTrigger,
  type TriggerPlan,
  type TriggerRequest,
} from '../../src/operations/trigger-plan.ts'
import { carryOut, operatorOf, snapshotOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, type Situation, x, y } from '../tree.ts'

const now = 5000
const ours: Situation = { instances: [x, y], leader: x, owners: [x, y, x] }
const mixed: Situation = {
  instances: [x, java],
  leader: java,
  owners: [x, java, x],
  epoch: false,
}

async function trigger(tree: JobTree, request: TriggerRequest = {}): Promise<TriggerPlan> {
  const settings = { total: 3, failover: false, now }
  const actionPlan = planTrigger(await snapshotOf(tree), operatorOf(tree), request, settings)
  carryOut(tree, actionPlan)
  return actionPlan
}

const stateOf = (tree: JobTree): JobState | undefined => tree.view.jobState?.value

describe('planTrigger, of ours', () => {
  it('asks for a manual run of everything', async () => {
    const tree = jobTree(ours)
    const { manualRun, done } = await trigger(tree)
    expect(manualRun).toEqual({ id: 1, asked: now })
    expect(stateOf(tree)?.running).toEqual(manualRun)
    expect(done).toMatchObject([
      { jobName: 'job', text: 'manual run 1 of job job is asked for: all shards' },
    ])
  })

  it('asks for some shards, with a parameter', async () => {
    const { manualRun, done } = await trigger(jobTree(ours), {
      shards: [2, 0, 2],
      parameter: 'p',
    })
    expect(manualRun).toEqual({ id: 1, asked: now, shards: [0, 2], parameter: 'p' })
    expect(done[0]?.text).toContain('shards 0, 2 with parameter "p"')
  })

  it('asks for instances, by their ids or by their server', async () => {
    expect((await trigger(jobTree(ours), { instances: [y] })).manualRun?.instances).toEqual([y])
    expect((await trigger(jobTree(ours), { servers: ['10.0.0.1'] })).manualRun?.instances).toEqual([
      x,
    ])
    const both = { instances: [y], servers: ['10.0.0.1', '10.0.0.2'] }
    expect((await trigger(jobTree(ours), both)).manualRun?.instances).toEqual([x, y])
  })

  it('asks for what has failed alone', async () => {
    const states = {
      0: { outcome: 'success' },
      1: { outcome: 'failure' },
      2: { outcome: 'stopped' },
    }
    const tree = jobTree({ ...ours, shardStates: states } as Situation)
    expect((await trigger(tree, { failed: true, shards: [0, 1] })).manualRun?.shards).toEqual([1])
    expect((await trigger(tree, { failed: true })).manualRun?.shards).toEqual([1, 2])
    await expect(trigger(tree, { failed: true, shards: [0] })).rejects.toMatchObject({
      code: 'JOB_NOTHING_FAILED',
    })
  })

  it('is the manual run that waits already, if that asks for the same', async () => {
    const tree = jobTree(ours)
    await trigger(tree)
    const second = await trigger(tree)
    const third = await trigger(tree)
    expect(third).toMatchObject({
      manualRun: second.manualRun,
      operations: [],
      done: [],
      unchanged: [{}],
    })
  })

  it('names shards that will not run because they are disabled', async () => {
    const tree = jobTree({ ...ours, marks: { 1: { disabled: '' } } })
    expect((await trigger(tree)).skipped).toMatchObject([{ shard: 1 }])
    expect((await trigger(jobTree({ ...ours }), { shards: [1] })).skipped).toEqual([])
    const elsewhere = jobTree({ ...ours, marks: { 1: { disabled: '' } } })
    expect((await trigger(elsewhere, { instances: [x] })).skipped).toEqual([])
  })

  it.each<[TriggerRequest, string]>([
    [{ shards: [3] }, 'JOB_SHARD_NOT_FOUND'],
    [{ shards: [0.5] }, 'JOB_SHARD_NOT_FOUND'],
    [{ shards: [-1] }, 'JOB_SHARD_NOT_FOUND'],
    [{ servers: ['10.0.0.3'] }, 'JOB_SERVER_NOT_FOUND'],
    [{ instances: ['10.0.0.1@-@1-nobodyxx'] }, 'JOB_INSTANCE_NOT_FOUND'],
  ])('knows nothing of %j', async (request, code) => {
    await expect(trigger(jobTree(ours), request)).rejects.toMatchObject({ code })
  })

  it('needs somebody who could run it', async () => {
    await expect(trigger(jobTree({ ...ours, instances: [] }))).rejects.toMatchObject({
      code: 'JOB_NO_INSTANCE',
    })
    const removing = jobTree({ ...ours, jobState: { removing: true } })
    await expect(trigger(removing)).rejects.toMatchObject({ code: 'JOB_REMOVED' })
  })
})

describe('planTrigger, with Java about', () => {
  it('triggers Java by its nodes, beside a manual run of ours', async () => {
    const tree = jobTree(mixed)
    const { done, manualRun } = await trigger(tree)
    expect(manualRun).toEqual({ id: 1, asked: now })
    expect([...tree.view.triggers.keys()]).toEqual([java])
    expect(done).toMatchObject([{}, { instance: java }])
  })

  it('leaves Java out of what it cannot do, and says so', async () => {
    for (const request of [{ shards: [0, 1] }, { parameter: 'p' }]) {
      const tree = jobTree(mixed)
      expect((await trigger(tree, request)).skipped).toMatchObject([{ instance: java }])
      expect(tree.view.triggers.size).toBe(0)
    }
  })

  it('asks Java alone without a manual run, also where ours never were', async () => {
    const alone: Situation = { ...mixed, instances: [java], jobState: false }
    for (const [situation, request] of [
      [alone, {}],
      [mixed, { servers: ['10.0.0.9'] }],
    ] as const) {
      const tree = jobTree(situation)
      const actionPlan = await trigger(tree, request)
      expect(actionPlan.manualRun).toBeUndefined()
      expect(actionPlan.done).toMatchObject([{ instance: java }])
      expect([...tree.view.triggers.keys()]).toEqual([java])
      expect(stateOf(tree)?.lastRound ?? 0).toBe(0)
    }
  })

  it('makes a node again that Java has overlooked', async () => {
    const tree = jobTree({ ...mixed, instances: [java], triggers: [java] })
    const before = tree.server.get(tree.paths.trigger(java))?.czxid
    await trigger(tree)
    expect(tree.server.get(tree.paths.trigger(java))?.czxid).not.toBe(before)
  })

  it('refuses what Java alone cannot do', async () => {
    const tree = jobTree({ ...mixed, instances: [java] })
    for (const request of [{ shards: [0] }, { parameter: 'p' }]) {
      await expect(trigger(tree, request)).rejects.toMatchObject({ code: 'JOB_JAVA_INSTANCE' })
    }
  })
})
