import { describe, expect, it } from 'vitest'

import { obstacleTo } from '../../src/execution/plan.ts'
import { java, jobTree, type Situation, x, y, z } from '../tree.ts'

function obstacle(
  situation: Situation,
  failover = false,
  mixed = false,
): ReturnType<typeof obstacleTo> {
  const tree = jobTree(situation)
  return obstacleTo(tree.view, tree.owned(0), { mixed, failover })
}

const idle: Situation = { instances: [x, y], owners: [x, x], shardStates: { 0: { fireTime: 1 } } }

describe('obstacleTo', () => {
  it('is none for an idle shard of its owner', () => {
    expect(obstacle(idle)).toBeUndefined()
    expect(obstacle({ ...idle, shardStates: {} })).toBeUndefined()
  })

  it('is that the shard is disabled', () => {
    expect(obstacle({ ...idle, marks: { 0: { disabled: '' } } })).toBe('disabled')
  })

  it('is a run of somebody who lives, registered or leaving', () => {
    const states = { 0: { state: 'running', instance: y } } as const
    expect(obstacle({ ...idle, shardStates: states })).toBe('running')
    expect(obstacle({ ...idle, instances: [x], leaving: [y], shardStates: states })).toBe('running')
  })

  it('is not a run of somebody dead, whatever marks it has left', () => {
    const states = { 0: { state: 'running', instance: z } } as const
    expect(obstacle({ ...idle, shardStates: states })).toBeUndefined()
    expect(obstacle({ ...idle, shardStates: states, marks: { 0: { running: z } } })).toBeUndefined()
  })

  it('with failover, is a crashed run: it must not be forgotten', () => {
    const states = { 0: { state: 'running', instance: z } } as const
    expect(obstacle({ ...idle, shardStates: states }, true)).toBe('waiting for failover')
  })

  it('is a mark that the state does not speak of', () => {
    const marks = { 0: { running: y } }
    expect(obstacle({ ...idle, marks })).toBe('running')
    expect(obstacle({ ...idle, shardStates: {}, marks })).toBe('running')
  })

  it('is that the shard waits for a take-over or was taken over by somebody who lives', () => {
    expect(obstacle({ ...idle, waitingForFailover: [0] })).toBe('waiting for failover')
    expect(obstacle({ ...idle, marks: { 0: { failover: y } } })).toBe('taken over')
    expect(obstacle({ ...idle, marks: { 0: { failover: z } } })).toBeUndefined()
  })

  it('is nothing that concerns another shard: what waits for a take-over holds nothing else', () => {
    const others: Situation = {
      ...idle,
      waitingForFailover: [1],
      marks: { 1: { running: y, failover: y, disabled: '' } },
    }
    expect(obstacle(others)).toBeUndefined()
  })

  it('is no flag in a job without Java instances: nobody waits for a leader that does not fire', () => {
    expect(obstacle({ ...idle, necessary: true, processing: true })).toBeUndefined()
  })

  it('is a flag of Java in a mixed job', () => {
    const mixed: Situation = { ...idle, instances: [x, java] }
    expect(obstacle(mixed, false, true)).toBeUndefined()
    expect(obstacle({ ...mixed, necessary: true }, false, true)).toBe('flagged')
    expect(obstacle({ ...mixed, processing: true }, false, true)).toBe('flagged')
  })

  it('is any mark in a mixed job whose runner lives, also one of a run that the state speaks of', () => {
    const states = { 0: { state: 'running', instance: z } } as const
    const marked = (running: string): Situation => ({
      ...idle,
      instances: [x, java],
      shardStates: states,
      marks: { 0: { running } },
    })
    expect(obstacle(marked(java), false, true)).toBe('running')
    const absent = { '10.0.0.8@-@8': { since: 0, isFinal: false } }
    expect(obstacle({ ...marked('10.0.0.8@-@8'), absent }, false, true)).toBe('running')
    expect(obstacle(marked('10.0.0.8@-@8'), false, true)).toBeUndefined()
    expect(obstacle(marked(z), false, true)).toBeUndefined()
  })
})
