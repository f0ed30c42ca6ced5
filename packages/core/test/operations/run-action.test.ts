import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Operations } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { shardsIn } from '../support/counting.ts'
import { FakeJava } from '../support/fake-java.ts'
import { enlist } from '../support/fleet.ts'
import {
  attentive,
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

describe('an answer that is lost', () => {
  /** What was committed is not said: the operator looks, and does nothing twice. */
  async function losing<T>(asked: Promise<T>): Promise<T> {
    const [sessionId] = cluster.faults.sessionIds
    const lost = cluster.faults.loseNextReply({
      sessionId: sessionId as bigint,
      type: opCode.multi,
    })
    const [result] = await fleet.done(Promise.all([asked, lost]))
    return result
  }

  it('does not make anything be done twice', async () => {
    await fleet.enlist()
    expect((await losing(operations.trigger('job'))).manualRun?.id).toBe(1)
    await cluster.advance(5000)
    expect(shardsIn(cluster.runs)).toEqual([0, 1])
    expect((await fleet.done(operations.job('job'))).manualRuns.last).toBe(1)
    const update = await losing(operations.updateConfiguration('job', { description: 'new' }))
    expect(update.changes).toEqual([{ key: 'description', from: '', to: 'new' }])
    expect((await fleet.done(operations.configuration('job'))).version).toBe(update.version)
  })

  it('does not make what was done look as if it had been so before', async () => {
    await fleet.enlist()
    for (const asked of [
      () => operations.pause({ job: 'job' }),
      () => operations.resume({ job: 'job' }),
      () => operations.disable({ job: 'job', server: first }),
      () => operations.enable({ server: first }),
      () => operations.disableShard('job', 0),
      () => operations.enableShard('job', 0),
      () => operations.shutdown({ job: 'job', server: second }),
    ]) {
      const { done: did, unchanged } = await losing(asked())
      expect([did.length, unchanged.length]).toEqual([1, 0])
    }
  })

  it('does not keep a removal from its end, at whichever step', async () => {
    for (let step = 0; step < 4; step++) {
      const member = await enlist(cluster, `10.0.1.${step + 5}`, jobOf(), quick)
      const [sessionId] = cluster.faults.sessionIds
      const order = { sessionId: sessionId as bigint, type: opCode.multi }
      const removed = operations.remove({ job: 'job' })
      // The first is the mark, the last takes the mark away.
      if (step > 0) await cluster.advance(step * 100)
      const lost = cluster.faults.loseNextReply(order)
      await fleet.done(Promise.race([lost, removed]))
      await fleet.done(removed.catch(() => operations.remove({ job: 'job' })))
      expect(await pathsLeft(cluster, 'job')).toEqual([])
      expect(member.jobs.jobNames).toEqual([])
    }
  })
})

describe('what many operators do at once', () => {
  it('is all done: no change is written over by another', async () => {
    await fleet.enlist(attentive, jobOf({ shardingTotalCount: 4 }))
    for (const ip of ['10.0.1.3', '10.0.1.4']) await enlist(cluster, ip, jobOf(), attentive)
    await cluster.advance(8000)
    await cluster.toPhase(1000, minute)
    const rivals = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => operatorAt(cluster, {}, `10.0.8.${n}`)),
    )
    const [one, two, three, four, five] = rivals as [
      Operations,
      Operations,
      Operations,
      Operations,
      Operations,
    ]
    await fleet.done(
      Promise.all([
        one.pause({ job: 'job', server: first }),
        two.pause({ job: 'job', server: second }),
        three.stopRun('job', 0),
        four.shutdown({ job: 'job', server: '10.0.1.4' }),
        five.trigger('job'),
        operations.pause({ job: 'job' }),
      ]),
    )
    await cluster.advance(1000)
    const job = await fleet.done(operations.job('job'))
    expect(job).toMatchObject({
      paused: true,
      pausedServers: [first, second],
      manualRuns: { last: 1 },
    })
    expect(job.instances.map(({ server }) => server)).toEqual([first, second, '10.0.1.3'])
    expect(cluster.told('run:completed')).toContainEqual(
      expect.objectContaining({ shardingItem: 0, outcome: 'stopped' }),
    )
    for (const rival of rivals) await fleet.done(rival.close())
  })
})

describe('an operation on all jobs of a server', () => {
  it('names the jobs that failed, and goes on with the others', async () => {
    const [member] = await fleet.enlist()
    for (const jobName of ['another', 'third']) {
      await fleet.done(member.jobs.schedule(jobOf({ jobName }), () => {}))
    }
    const { paths } = await FakeJava.start(cluster, '10.0.2.1', 'another')
    const client = await cluster.client()
    await fleet.done(client.set(paths.jobState, '{"lastRound":0,"removing":true}'))
    const result = await fleet.done(operations.pause({ server: first }))
    expect(result.done.map(({ jobName }) => jobName)).toEqual(['job', 'third'])
    expect(result.failed).toMatchObject([
      {
        jobName: 'another',
        server: first,
        error: { code: 'JOB_REMOVED' },
        messageParts: { text: result.failed[0]?.reason, parameters: { jobName: 'another' } },
      },
    ])
  })
})
