import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isElasticJobError } from '../../src/index.ts'
import type { Operations } from '../../src/operations.ts'
import type { SimulatedCluster, SimulatedInstance } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist, work } from '../support/fleet.ts'
import {
  deaf,
  first,
  jobOf,
  minute,
  quick,
  second,
  OperatedFleet,
} from '../support/operated-fleet.ts'
import { operatorAt, pathsLeft } from '../support/operator.ts'

let fleet: OperatedFleet
let cluster: SimulatedCluster
let operations: Operations

beforeEach(async () => {
  fleet = await OperatedFleet.start()
  ;({ cluster, operations } = fleet)
})

afterEach(() => fleet.stop())

describe('remove', () => {
  it('takes a job out of the registry when all have left it, and nothing stays', async () => {
    await fleet.enlist(deaf)
    await cluster.toPhase(1000, minute)
    const result = await fleet.done(operations.remove({ job: 'job' }))
    expect(result.done.at(-1)).toMatchObject({ jobName: 'job', text: 'job job is removed' })
    expect(cluster.told('run:completed')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ])
    await cluster.advance(5 * minute)
    expect(await pathsLeft(cluster, 'job')).toEqual([])
    expect(cluster.runs).toHaveLength(2)
  })

  it('lets the job be scheduled anew, as a new one', async () => {
    const [member] = await fleet.enlist()
    await fleet.done(operations.trigger('job'))
    await fleet.done(operations.remove({ job: 'job' }))
    await fleet.done(member.jobs.schedule(jobOf({ shardingTotalCount: 1 }), () => {}))
    expect(await fleet.done(operations.job('job'))).toMatchObject({
      shardingTotalCount: 1,
      instanceCount: 1,
      manualRuns: { last: 0 },
    })
  })

  it('waits no longer than it is told, and is finished by asking again', async () => {
    await fleet.enlist(deaf)
    await cluster.toPhase(1000, minute)
    await expect(
      fleet.done(operations.remove({ job: 'job' }, { wait: 1000 })),
    ).rejects.toMatchObject({
      code: 'JOB_DEPARTURE_PENDING',
    })
    expect(await fleet.done(operations.jobs())).toMatchObject([{ removing: true }])
    await expect(fleet.done(operations.pause({ job: 'job' }))).rejects.toMatchObject({
      code: 'JOB_REMOVED',
    })
    await fleet.done(operations.remove({ job: 'job' }))
    expect(await pathsLeft(cluster, 'job')).toEqual([])
  })

  it('takes a server out of a job', async () => {
    await fleet.enlist()
    await fleet.done(operations.disable({ job: 'job', server: first }))
    const result = await fleet.done(operations.remove({ job: 'job', server: first }))
    expect(result.done.map(({ text }) => text)).toEqual([
      expect.stringContaining('is asked to leave'),
      `server ${first} is removed from job job`,
    ])
    const { servers } = await fleet.done(operations.job('job'))
    expect(servers.map(({ server }) => server)).toEqual([second])
  })

  it('takes a server out of all its jobs', async () => {
    const [member] = await fleet.enlist()
    await fleet.done(member.jobs.schedule(jobOf({ jobName: 'another' }), () => {}))
    const result = await fleet.done(operations.remove({ server: first }))
    expect(result.failed).toEqual([])
    expect((await fleet.done(operations.servers())).map(({ server }) => server)).toEqual([second])
  })

  it('removes a job of Java’s alone, whose nodes come back for a moment', async () => {
    const java = await FakeJava.start(cluster)
    await java.makeJob({ shardingTotalCount: 1 })
    await java.register()
    const removed = operations.remove({ job: 'job' })
    await cluster.advance(10)
    await java.register()
    await fleet.done(removed)
    expect(await pathsLeft(cluster, 'job')).toEqual([])
  })
})

describe('a removal, whatever happens meanwhile,', () => {
  /** Comes into the job as soon as it can. */
  async function insist({ jobs }: SimulatedInstance): Promise<void> {
    for (;;) {
      try {
        await jobs.schedule(jobOf(), () => {})
        return
      } catch (error) {
        if (!isElasticJobError(error, 'JOB_REMOVED', 'JOB_ALREADY_SCHEDULED')) throw error
        await new Promise<void>((resolve) => void cluster.clock.setTimer(resolve, 1))
      }
    }
  }

  /** A job is there as a whole: it runs. */
  async function expectWhole(): Promise<void> {
    const job = await fleet.done(operations.job('job'))
    expect(job).toMatchObject({ problem: undefined, removing: false, instanceCount: 1 })
    cluster.runs.length = 0
    await cluster.advance(8000)
    await cluster.toPhase(1000, minute)
    expect(shardsIn(cluster.runs)).toContain(0)
    expect(shardsIn(cluster.runs)).toContain(1)
  }

  /** Who came before the job went has gone with it; who came after has a new one. It goes, too, then. */
  async function expectAllOrNothing(others: readonly SimulatedInstance[]): Promise<void> {
    const count = others.filter(({ jobs }) => jobs.jobNames.includes('job')).length
    const found = await fleet.done(operations.jobs())
    expect(
      found.map(({ problem, removing, instanceCount }) => [problem, removing, instanceCount]),
    ).toEqual(count === 0 ? [] : [[undefined, false, count]])
    if (count > 0) await fleet.done(operations.remove({ job: 'job' }))
    expect(await pathsLeft(cluster, 'job')).toEqual([])
  }

  const codesOf = (outcomes: readonly unknown[]): unknown[] =>
    outcomes.filter((outcome) => isElasticJobError(outcome)).map(({ code }) => code)

  it('is not mixed up with the new job of somebody who schedules it at that moment', async () => {
    const other = await cluster.join('10.0.1.3')
    for (let moment = 0; moment < 40; moment += 2) {
      const member = await enlist(cluster, `10.0.2.${moment}`, jobOf(), quick)
      const removed = operations.remove({ job: 'job' })
      await cluster.advance(moment)
      const scheduled = insist(other)
      await fleet.done(removed)
      await fleet.done(scheduled)
      await cluster.advance(100)
      expect(member.jobs.jobNames).toEqual([])
      await expectAllOrNothing([other])
    }
    await fleet.done(insist(other))
    await expectWhole()
  }, 60_000)

  it('leaves nothing of somebody who comes too early to schedule it anew', async () => {
    const others = await Promise.all([...Array(8).keys()].map((n) => cluster.join(`10.0.3.${n}`)))
    for (let moment = 0; moment < 40; moment += 4) {
      await enlist(cluster, `10.0.2.${moment}`, jobOf(), quick)
      const removed = operations.remove({ job: 'job' })
      await cluster.advance(moment)
      const refused: Promise<unknown>[] = []
      for (const { jobs } of others) {
        refused.push(jobs.schedule(jobOf(), () => {}).catch((error: unknown) => error))
        await cluster.advance(1)
      }
      await fleet.done(removed)
      const codes = codesOf(await fleet.done(Promise.all(refused)))
      expect(codes).toEqual(codes.map(() => 'JOB_REMOVED'))
      await cluster.advance(100)
      await expectAllOrNothing(others)
    }
  }, 60_000)

  it('is done by one of two who ask for it, and does not touch what comes after it', async () => {
    const rival = await operatorAt(cluster, {}, '10.0.9.2')
    const other = await cluster.join('10.0.1.3')
    for (let moment = 0; moment < 40; moment += 2) {
      await enlist(cluster, `10.0.2.${moment}`, jobOf(), quick)
      const removals = [operations.remove({ job: 'job' })]
      await cluster.advance(moment)
      removals.push(rival.remove({ job: 'job' }))
      const scheduled = insist(other)
      const told = removals.map((removal) => removal.catch((error: unknown) => error))
      const codes = codesOf(await fleet.done(Promise.all(told)))
      expect(codes.length).toBeLessThan(2)
      expect(['JOB_CONFLICT', 'JOB_NOT_FOUND', undefined]).toContain(codes[0])
      await fleet.done(scheduled)
      await expectAllOrNothing([other])
    }
    await fleet.done(insist(other))
    await expectWhole()
    await fleet.done(rival.close())
  }, 60_000)

  it('is finished by another operator if the first one dies', async () => {
    for (let moment = 0; moment < 40; moment += 2) {
      await enlist(cluster, `10.0.2.${moment}`, jobOf(), quick)
      const mortal = await operatorAt(cluster, {}, `10.0.3.${moment}`)
      const interrupted = mortal.remove({ job: 'job' }).catch(() => {})
      await cluster.advance(moment)
      await fleet.done(mortal.close())
      await fleet.done(interrupted)
      const finished = operations.remove({ job: 'job' }).catch((error: unknown) => error)
      const [code] = codesOf([await fleet.done(finished)])
      expect([undefined, 'JOB_NOT_FOUND']).toContain(code)
      expect(await pathsLeft(cluster, 'job')).toEqual([])
    }
  })

  it('waits for an instance that is frozen, until its session is over; it makes nothing anew', async () => {
    const [member] = await fleet.enlist()
    member.machine.freeze()
    await fleet.done(operations.remove({ job: 'job' }))
    expect(await pathsLeft(cluster, 'job')).toEqual([])
    const ended = cluster.untilEvent('job:stopped', (_, ip) => ip === first)
    member.machine.wake()
    await ended
    await cluster.advance(5 * minute)
    expect(await pathsLeft(cluster, 'job')).toEqual([])
  })

  it('waits for a run that pays no heed to its abort', async () => {
    await fleet.enlist((_, here) => work(here, 50_000))
    await cluster.toPhase(1000, minute)
    const seen: number[] = []
    await fleet.done(
      operations.remove(
        { job: 'job' },
        { onProgress: ({ waitingFor }) => void seen.push(waitingFor.length) },
      ),
    )
    expect(seen).toEqual([2, 0])
    expect(cluster.told('run:recorded')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ])
    expect(await pathsLeft(cluster, 'job')).toEqual([])
  })
})
