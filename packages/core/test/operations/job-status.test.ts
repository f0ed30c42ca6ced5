import { describe, expect, it } from 'vitest'

import { jobStatus, legacyJobStatus } from '../../src/operations/job-status.ts'
import type { Extent } from '../../src/operations/snapshot.ts'
import { snapshotIn } from '../support/tree-reader.ts'
import { java, type Situation, x, y, z } from '../tree.ts'

const well: Situation = { instances: [x, y], leader: x, owners: [x, y] }

describe.each(['brief', 'full'] as Extent[])('jobStatus, read in %s', (extent) => {
  const statusIn = async (situation: Situation, total = 2): Promise<string> =>
    jobStatus(await snapshotIn(situation, extent), total)

  it('is OK when every shard has an owner who is there', async () => {
    expect(await statusIn(well)).toBe('OK')
    expect(await statusIn({ instances: [java], leader: java, owners: [java, java] })).toBe('OK')
  })

  it('is CRASHED when nobody is there, whatever is left', async () => {
    expect(await statusIn({ ...well, instances: [] })).toBe('CRASHED')
  })

  it('is not DISABLED for want of servers', async () => {
    expect(await statusIn({ owners: [] })).toBe('CRASHED')
  })

  it('is DISABLED when all servers are', async () => {
    const servers = { '10.0.0.1': 'DISABLED', '10.0.0.2': 'DISABLED' }
    expect(await statusIn({ ...well, servers })).toBe('DISABLED')
    expect(await statusIn({ ...well, servers: { '10.0.0.1': 'DISABLED' } })).toBe('OK')
  })

  it('is SHARDING_FLAG when a shard has no owner, or one who is gone', async () => {
    expect(await statusIn({ ...well, owners: [x, z] })).toBe('SHARDING_FLAG')
    expect(await statusIn({ ...well, owners: [x, undefined] })).toBe('SHARDING_FLAG')
    expect(await statusIn({ ...well, owners: [] })).toBe('SHARDING_FLAG')
    expect(await statusIn(well, 3)).toBe('SHARDING_FLAG')
    expect(await statusIn({ ...well, leader: java, owners: [x, java] })).toBe('SHARDING_FLAG')
  })
})

describe('legacyJobStatus', () => {
  const statusIn = async (situation: Situation): Promise<string> =>
    legacyJobStatus(await snapshotIn(situation))

  it('is OK when all servers are READY or RUNNING', async () => {
    expect(await statusIn({ ...well, marks: { 0: { running: x } } })).toBe('OK')
  })

  it('is ALL_CRASHED when all servers are gone, by a crash or by an operator', async () => {
    const servers = { '10.0.0.1': 'ENABLED', '10.0.0.2': 'ENABLED' }
    expect(await statusIn({ servers, jobState: { shutdown: [x] } })).toBe('ALL_CRASHED')
    expect(await statusIn({})).toBe('ALL_CRASHED')
  })

  it('is PARTIAL_ALIVE when some are gone', async () => {
    const servers = { '10.0.0.3': 'ENABLED', '10.0.0.2': 'DISABLED' }
    expect(await statusIn({ ...well, servers })).toBe('PARTIAL_ALIVE')
  })

  it('is DISABLED when all are there, and some are off', async () => {
    expect(await statusIn({ ...well, servers: { '10.0.0.2': 'DISABLED' } })).toBe('DISABLED')
    expect(await statusIn({ ...well, jobState: { pausedServers: ['10.0.0.1'] } })).toBe('DISABLED')
  })
})
