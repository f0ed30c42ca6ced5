import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Operations } from '../../src/operations.ts'
import type { FleetMember } from '../support/fleet.ts'
import { first, jobOf, minute, OperatedFleet, quick } from '../support/operated-fleet.ts'

const serverHost = '10.0.0.1'

let fleet: OperatedFleet

beforeEach(async () => {
  fleet = await OperatedFleet.start()
})

afterEach(() => fleet.stop())

/** Every claim of a fire time that has passed is under way, and stays there; answers who has sent them. */
async function holdClaims(): Promise<readonly FleetMember[]> {
  const { cluster } = fleet
  const members = await fleet.enlist(quick, jobOf({ jobShardingStrategyType: 'AVG_ALLOCATION' }))
  await cluster.toPhase(59_800, minute)
  // They wake after the fire time: a claim that is planned before it is looked at once more when it comes.
  for (const { machine } of members) machine.freeze()
  await cluster.toPhase(200, minute)
  for (const { ip, wire, machine } of members) {
    cluster.network.holdWay(ip, serverHost)
    wire.reset()
    machine.wake()
  }
  await cluster.toPhase(500, minute)
  for (const { wire } of members) expect(wire.counts).toHaveProperty('multi')
  return members
}

async function release(members: readonly FleetMember[]): Promise<void> {
  for (const { ip } of members) fleet.cluster.network.releaseWay(ip, serverHost)
  await fleet.cluster.advance(5_000)
}

const started = (): (readonly [string, number])[] =>
  fleet.cluster.runs.map(({ ip, shardingItem }) => [ip, shardingItem] as const)

describe('claims of slow instances that reach the registry', () => {
  it('after nothing has changed start their runs', async () => {
    await release(await holdClaims())
    expect(started()).toHaveLength(2)
  })

  it.each<[string, (operations: Operations) => Promise<unknown>]>([
    ['disable of the job', (operations) => operations.disable({ job: 'job' })],
    ['pause of the job', (operations) => operations.pause({ job: 'job' })],
    [
      'change of the schedule',
      (operations) => operations.updateConfiguration('job', { cron: '0 0 0 1 1 ?' }),
    ],
  ])('after the %s has returned are refused', async (_, act) => {
    const members = await holdClaims()
    await fleet.done(act(fleet.operations))
    await release(members)
    expect(started()).toEqual([])
    expect(fleet.cluster.told('claim:refused').length).toBeGreaterThanOrEqual(2)
  })

  it.each<[string, (operations: Operations) => Promise<unknown>]>([
    ['disable of one server', (operations) => operations.disable({ job: 'job', server: first })],
    ['pause of one server', (operations) => operations.pause({ job: 'job', server: first })],
  ])('after the %s has returned are refused for that server', async (_, act) => {
    const members = await holdClaims()
    await fleet.done(act(fleet.operations))
    await release(members)
    expect(started().filter(([ip]) => ip === first)).toEqual([])
    expect(fleet.cluster.told('claim:refused').length).toBeGreaterThan(0)
  })

  it('after the disable of one shard has returned are refused for that shard', async () => {
    const members = await holdClaims()
    await fleet.done(fleet.operations.disableShard('job', 0))
    await release(members)
    expect(started().map(([, shard]) => shard)).toEqual([1])
  })

  it('while the job is removed are refused', async () => {
    const members = await holdClaims()
    const removed = fleet.operations.remove({ job: 'job' })
    await fleet.cluster.advance(1_000)
    await release(members)
    await fleet.done(removed)
    expect(started()).toEqual([])
  })
})
