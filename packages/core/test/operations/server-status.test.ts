import { describe, expect, it } from 'vitest'

import { instancesOn, serversOf, serverStatus } from '../../src/operations/server-status.ts'
import { snapshotIn } from '../support/tree-reader.ts'
import { java, type Situation, viewOf, x, y } from '../tree.ts'

const ip = '10.0.0.1'

async function statusIn(situation: Situation): Promise<string> {
  return serverStatus(await snapshotIn({ owners: [x, y], ...situation }), ip)
}

describe('serverStatus', () => {
  const both = { instances: [x, y], leader: x }

  it('is READY while nothing runs there', async () => {
    expect(await statusIn({ ...both, marks: { 1: { running: y } } })).toBe('READY')
  })

  it('is RUNNING while a shard runs there, its own or one that it has taken over', async () => {
    const running = { state: 'running', instance: x } as const
    expect(await statusIn({ ...both, marks: { 0: { running: x } } })).toBe('RUNNING')
    expect(await statusIn({ ...both, shardStates: { 1: running } })).toBe('RUNNING')
  })

  it('is DISABLED or PAUSED by the state of an operator', async () => {
    expect(await statusIn({ ...both, servers: { [ip]: 'DISABLED' } })).toBe('DISABLED')
    expect(await statusIn({ ...both, jobState: { paused: true } })).toBe('PAUSED')
    expect(await statusIn({ ...both, jobState: { pausedServers: [ip] } })).toBe('PAUSED')
    expect(await statusIn({ ...both, jobState: { pausedServers: ['10.0.0.12'] } })).toBe('READY')
    const off = { servers: { [ip]: 'DISABLED' }, jobState: { paused: true } }
    expect(await statusIn({ ...both, ...off })).toBe('DISABLED')
  })

  it('is CRASHED when nobody is there who was not asked to leave', async () => {
    expect(await statusIn({ instances: [y], servers: { [ip]: 'ENABLED' } })).toBe('CRASHED')
    expect(await statusIn({ instances: [y], servers: { [ip]: 'DISABLED' } })).toBe('CRASHED')
  })

  it('is SHUTDOWN when an operator has asked all who are there, and after they have left', async () => {
    const shardState = { shutdown: [x] }
    expect(await statusIn({ ...both, jobState: shardState })).toBe('SHUTDOWN')
    expect(
      await statusIn({ instances: [y], servers: { [ip]: 'ENABLED' }, jobState: shardState }),
    ).toBe('SHUTDOWN')
    const second = `${ip}@-@55-abcdefgh`
    expect(await statusIn({ instances: [x, y, second], jobState: shardState })).toBe('READY')
  })
})

describe('serversOf', () => {
  it('knows servers by their nodes, and by their instances', () => {
    const view = viewOf({
      instances: [x, java],
      servers: { [ip]: undefined, '10.0.0.7': 'DISABLED' },
    })
    expect(serversOf(view)).toEqual(['10.0.0.1', '10.0.0.7', '10.0.0.9'])
  })
})

describe('instancesOn', () => {
  it('compares whole addresses', () => {
    const longer = '10.0.0.12@-@5-abcdefgh'
    expect(instancesOn(viewOf({ instances: [longer, x] }), ip)).toEqual([x])
  })
})
