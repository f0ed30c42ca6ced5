import { toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions } from '../../../src/index.ts'
import { Operations } from '../../../src/operations.ts'
import { decodeShardState } from '../../../src/job-tree/shard-state.ts'
import { SimulatedCluster } from '../../simulated-cluster.ts'
import { FakeJava } from '../../support/fake-java.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../../support/fleet.ts'
import { readable } from '../../support/readable.ts'

let cluster: SimulatedCluster
let operations: Operations
let client: ZooKeeper

const minute = 60_000

function connect(namespace = cluster.namespace, ahead = 0): Promise<Operations> {
  const { clock } = cluster
  return cluster.until(
    Operations.connect({
      servers: cluster.server.connectString,
      namespace,
      environment: {
        clock: {
          now: () => clock.now() + ahead,
          monotonic: () => clock.monotonic(),
          boot: () => clock.boot(),
          setTimer: (callback, milliseconds) => clock.setTimer(callback, milliseconds),
          afterPoll: (callback) => clock.afterPoll(callback),
        },
        transport: cluster.network.transport('10.0.9.1'),
      },
    }),
  )
}

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  client = await cluster.client()
  operations = await connect()
})

afterEach(async () => {
  await cluster.until(operations.close())
  await cluster.stop()
})

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const quick: FleetBody = () => Promise.resolve()

/** Two instances, a second after a fire. */
async function fleet(options = job(), body = quick): Promise<[FleetMember, FleetMember]> {
  const first = await enlist(cluster, '10.0.1.1', options, body)
  const second = await enlist(cluster, '10.0.1.2', options, body)
  await cluster.advance(8_000)
  await cluster.toPhase(1_000, minute)
  return [first, second]
}

/** What the doctor names first, and everything that he names. */
async function causes(jobName = 'job'): Promise<string[]> {
  const { findings, verdict, messageParts } = await cluster.until(operations.diagnose(jobName))
  expect(messageParts.text).toBe(verdict)
  for (const { what, remedy, messageParts: parts } of findings) {
    expect([parts.what.text, parts.remedy.text]).toEqual([what, remedy])
  }
  return findings.map(({ cause }) => cause)
}

describe('a job that is well', () => {
  it('is said to be so, with its next fire', async () => {
    await fleet()
    const diagnosis = await cluster.until(operations.diagnose('job'))
    expect(diagnosis).toMatchObject({ jobName: 'job', healthy: true, findings: [] })
    expect(diagnosis.verdict).toMatch(
      /^nothing is in its way: 2 instances, next fire at .*:00.000Z$/,
    )
  })

  it('is well before its first fire, too', async () => {
    await enlist(cluster, '10.0.1.1', job({ cron: '0 0 0 1 1 ?' }), quick)
    await cluster.advance(8_000)
    expect(await causes()).toEqual([])
  })
})

describe('the doctor names', () => {
  it('a name that no job has, and the one that is meant', async () => {
    await fleet()
    const { verdict, healthy } = await cluster.until(operations.diagnose('jobb'))
    expect(healthy).toBe(false)
    expect(verdict).toBe('namespace "shop" has no job "jobb" (did you mean "job"?)')
  })

  it('a namespace that has nothing, and the one that has the job', async () => {
    await fleet()
    const elsewhere = await connect('shopp')
    const { findings } = await cluster.until(elsewhere.diagnose('job'))
    expect(findings).toMatchObject([
      { cause: 'namespace-unknown', what: 'namespace "shopp" has no job "job"; "shop" has one' },
    ])
    const [all] = await cluster.until(elsewhere.diagnoseAll())
    expect(all?.verdict).toBe('there is no namespace "shopp" (did you mean "shop"?)')
    // To ask is not to make.
    expect(await cluster.until(client.exists('/shopp.state'))).toBeUndefined()
    await cluster.until(elsewhere.close())
  })

  it('that nobody takes part, after a crash', async () => {
    const [first, second] = await fleet()
    first.machine.die()
    second.machine.die()
    await cluster.advance(30_000)
    expect((await causes())[0]).toBe('no-instance')
  })

  it('that an operator has shut it down', async () => {
    await fleet()
    await cluster.until(operations.shutdown({ job: 'job' }, { wait: 30_000 }))
    expect((await causes())[0]).toBe('shut-down')
  })

  it('that all servers are disabled', async () => {
    await fleet()
    await cluster.until(operations.disable({ job: 'job' }))
    await cluster.advance(5_000)
    expect((await causes())[0]).toBe('all-disabled')
  })

  it('a disabled server among others, which stops nothing', async () => {
    await fleet()
    await cluster.until(operations.disable({ job: 'job', server: '10.0.1.1' }))
    await cluster.advance(8_000)
    const diagnosis = await cluster.until(operations.diagnose('job'))
    expect(diagnosis).toMatchObject({ healthy: true, findings: [{ cause: 'server-disabled' }] })
  })

  it('nodes of instances that belong to no session', async () => {
    await fleet()
    const operator = await cluster.client()
    for (const instance of ['10.0.0.9@-@1-abcdefgh', '10.0.0.9@-@77']) {
      await cluster.until(operator.create(cluster.pathsOf('job').instance(instance)))
    }
    const diagnosis = await cluster.until(operations.diagnose('job'))
    const [found] = diagnosis.findings
    expect(found?.cause).toBe('unproven-instances')
    expect(found?.what).toContain('2 nodes below instances')
  })

  it('a pause', async () => {
    await fleet()
    await cluster.until(operations.pause({ job: 'job' }))
    await cluster.advance(5_000)
    expect((await causes())[0]).toBe('paused')
  })

  it('a pause of one server', async () => {
    await fleet()
    await cluster.until(operations.pause({ job: 'job', server: '10.0.1.1' }))
    expect((await causes())[0]).toBe('server-paused')
  })

  it('a removal that was interrupted', async () => {
    await fleet(job(), (_, here) => work(here, 20_000))
    const removal = cluster.until(operations.remove({ job: 'job' }, { wait: 1_000 }))
    await expect(removal).rejects.toMatchObject({ code: 'JOB_DEPARTURE_PENDING' })
    await cluster.advance(30_000)
    expect((await causes())[0]).toBe('being-removed')
  })

  it('a configuration that cannot be read', async () => {
    await fleet()
    await cluster.until(client.set(cluster.pathsOf('job').config, 'cron: [unheard'))
    expect((await causes())[0]).toBe('configuration-unreadable')
    const { messageParts } = await cluster.until(operations.diagnose('job'))
    expect(messageParts).toMatchObject({
      parameters: { problem: { code: 'configuration-unreadable' } },
    })
  })

  it('that it has no cron expression', async () => {
    await fleet(job({ cron: undefined }))
    const { findings, verdict } = await cluster.until(operations.diagnose('job'))
    expect(findings.map(({ cause }) => cause)).toEqual(['no-cron'])
    expect(verdict).toBe('it waits to be triggered, on 2 instances')
  })

  it('a cron expression that lies behind us', async () => {
    await fleet(job({ cron: '0 0 0 1 1 ? 1971' }))
    expect((await causes())[0]).toBe('never-fires-again')
  })

  it('a zone that Java does not take', async () => {
    await enlist(cluster, '10.0.1.1', job({ timeZone: 'Europe/Berlin' }), quick)
    const java = await FakeJava.start(cluster)
    await java.register()
    await cluster.advance(2_000)
    expect(await causes()).toContain('zone-unknown-to-java')
    await java.die()
  })

  it('a clock that is further off than the job allows', async () => {
    await fleet(job({ maxTimeDiffSeconds: 10 }))
    const fast = await connect(cluster.namespace, minute)
    const { findings } = await cluster.until(fast.diagnose('job'))
    expect(findings[0]).toMatchObject({
      cause: 'clock-wrong',
      what: expect.stringContaining('60 s ahead of') as string,
    })
    await cluster.until(fast.close())
  })

  it('shards that an operator has disabled: all, or some', async () => {
    await fleet()
    await cluster.until(operations.disableShard('job', 1))
    expect(await cluster.until(operations.diagnose('job'))).toMatchObject({
      findings: [{ cause: 'shard-disabled', severity: 'warning' }],
    })
    await cluster.until(operations.disableShard('job', 0))
    expect(await cluster.until(operations.diagnose('job'))).toMatchObject({
      findings: [{ cause: 'shard-disabled', severity: 'error' }],
    })
  })

  it('a run that has not ended, and for how long', async () => {
    await fleet(job(), (_, here) => work(here, 40_000))
    await cluster.toPhase(31_000, minute)
    const { findings, healthy } = await cluster.until(operations.diagnose('job'))
    expect(healthy).toBe(true)
    expect(findings).toMatchObject([
      { cause: 'still-running', what: expect.stringContaining('for 31 s') as string },
    ])
  })

  it('a run that failed, and why', async () => {
    await fleet(job(), () => Promise.reject(new Error('the database is away')))
    expect(await cluster.until(operations.diagnose('job'))).toMatchObject({
      findings: [
        { cause: 'failed', what: expect.stringContaining('the database is away') as string },
      ],
    })
  })

  it('what a crashed instance has left, with failover off', async () => {
    const [first] = await fleet(job(), (_, here) => work(here, 50_000))
    first.machine.die()
    await cluster.toPhase(30_000, minute)
    expect(await causes()).toContain('crashed-without-failover')
  })

  it('a run that was given up because it kills whoever runs it', async () => {
    const options = job({ failover: true, shardingTotalCount: 1 })
    const deadly: FleetBody = (_, { machine }) => {
      machine.die()
      return new Promise(() => {})
    }
    for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) {
      await enlist(cluster, ip, { ...options, cron: '0 0 * * * ?' }, deadly)
    }
    await enlist(cluster, '10.0.1.4', { ...options, cron: '0 0 * * * ?' }, deadly)
    await cluster.advance(8_000)
    await cluster.toPhase(0, 60 * minute)
    await cluster.advance(2 * minute)
    expect(
      readable(decodeShardState(await text(cluster.pathsOf('job').shardState(0)), 'node')).state,
    ).toBe('abandoned')
    expect(await causes()).toContain('abandoned')
  })

  it('that Java has to assign the shards first', async () => {
    await enlist(cluster, '10.0.1.1', job(), quick)
    const java = await FakeJava.start(cluster)
    await java.register()
    await java.raise()
    expect((await causes())[0]).toBe('resharding')
    await java.die()
  })

  it('that nobody leads, and so nobody assigns the shards', async () => {
    const [first, second] = await fleet()
    first.machine.freeze()
    second.machine.freeze()
    await cluster.until(client.delete(cluster.pathsOf('job').leaderInstance))
    const found = await causes()
    first.machine.wake()
    second.machine.wake()
    expect(found[0]).toBe('no-leader')
  })

  it('a run that waits to be taken over', async () => {
    const body: FleetBody = (_, here) => work(here, 50_000)
    const [first, second] = await fleet(job({ failover: true }), body)
    await cluster.until(operations.disable({ job: 'job', server: second.ip }))
    first.machine.die()
    await cluster.advance(20_000)
    expect(await causes()).toContain('waiting-for-failover')
  })

  it('a run that waits to be taken over because every server that could is paused', async () => {
    const body: FleetBody = (_, here) => work(here, 50_000)
    const [first, second] = await fleet(job({ failover: true }), body)
    await cluster.until(operations.pause({ job: 'job', server: second.ip }))
    first.machine.die()
    await cluster.advance(20_000)
    expect(await cluster.until(operations.diagnose('job'))).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({
          cause: 'waiting-for-failover',
          what: expect.stringContaining('paused') as string,
          remedy: expect.stringContaining('elasticjob resume JOB') as string,
        }),
      ]) as unknown,
    })
    const { shards } = await cluster.until(operations.job('job'))
    expect(shards.map(({ obstacle }) => obstacle)).toContain(
      'its crashed run waits to be taken over: every instance that could is paused; resume the job or a server',
    )
  })

  it('an owner that is gone, until its shards are given to somebody else', async () => {
    const [first] = await fleet()
    first.machine.die()
    const [, , sessionOfFirst] = cluster.faults.sessionIds
    cluster.faults.expireSession(sessionOfFirst as bigint)
    expect((await causes())[0]).toBe('owner-away')
    await cluster.advance(8_000)
    expect(await causes()).toEqual([])
  })

  it('a fire that passed although nothing was in the way', async () => {
    const [first, second] = await fleet()
    await cluster.toPhase(59_000, minute)
    first.machine.freeze()
    second.machine.freeze()
    await cluster.toPhase(7_000, minute)
    const found = await causes()
    first.machine.wake()
    second.machine.wake()
    expect(found).toEqual(['missed'])
    await cluster.advance(5_000)
    expect(await causes()).toEqual([])
  })
})

async function text(path: string): Promise<string> {
  return toText((await cluster.until(client.get(path))).data)
}
