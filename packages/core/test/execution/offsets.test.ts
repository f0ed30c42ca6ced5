import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { offsetIn } from '../../src/execution/offsets.ts'
import { allShards, type JobOptions } from '../../src/index.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import { toText } from '../../src/registry/transaction.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const minute = 60_000
const serverHost = '10.0.0.1'

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 1,
  ...options,
})

/** The offsets that runs were given, by instance: `{ip}:{offset}`. */
let given: string[] = []
let failures: unknown[] = []

beforeEach(() => {
  given = []
  failures = []
})

/** Saves one page after the other, four seconds each. */
const pages =
  (last: number): FleetBody =>
  async ({ offset, saveOffset, signal }, here) => {
    given.push(`${here.ip.at(-1)}:${offset}`)
    for (let page = Number(offset ?? 0); page < last; page += 1) {
      await work(here, 4_000, signal)
      await saveOffset(String(page + 1)).catch((error: unknown) => {
        failures.push(error)
        throw error
      })
    }
  }

const join = (ip: string, body: FleetBody, options = job()): Promise<FleetMember> =>
  enlist(cluster, ip, options, body)

async function stored(shard = 0): Promise<string | undefined> {
  const observer = await cluster.client('10.0.9.7')
  try {
    const { data } = await cluster.until(observer.get(cluster.pathsOf('job').offset(shard)))
    return toText(data)
  } catch {
    return undefined
  } finally {
    await cluster.until(observer.close())
  }
}

async function toFire(after = 1_000): Promise<void> {
  await cluster.toPhase(50_000, minute)
  await cluster.toPhase(after, minute)
}

describe('offsetIn', () => {
  it('takes only a node that does not exist for no offset', () => {
    expect(offsetIn({ error: new RegistryError('REGISTRY_NO_NODE', 'gone') })).toBeUndefined()
    const refused = new RegistryError('REGISTRY_NO_AUTH', 'not allowed')
    expect(() => offsetIn({ error: refused })).toThrow(refused)
  })
})

describe('a run that is taken over', () => {
  it('starts at the offset that the crashed run saved, and saves further ones', async () => {
    const options = job({ failover: true })
    const first = await join('10.0.1.1', pages(8), options)
    await toFire()
    await join('10.0.1.2', pages(8), options)
    await cluster.toPhase(17_000, minute)
    expect(await stored()).toBe('4')
    first.machine.die()
    await cluster.toPhase(58_000, minute)
    expect(given).toEqual(['1:undefined', '2:4'])
    expect(failures).toEqual([])
    expect(await stored()).toBe('8')
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success', attempt: 2 }])
  })

  it('starts at the offset that was saved before the process was told to stop', async () => {
    const options = job({ failover: true })
    const first = await join('10.0.1.1', pages(8), options)
    await toFire()
    await join('10.0.1.2', pages(8), options)
    await cluster.toPhase(17_000, minute)
    await cluster.until(first.jobs.stop())
    await cluster.advance(30_000)
    expect(given).toEqual(['1:undefined', '2:4'])
    expect(failures).toEqual([])
    expect(await stored()).toBe('8')
  })

  it('starts at the saved offset on the instance that has owned the shard since the crash', async () => {
    const options = job({ failover: true })
    const first = await join('10.0.1.1', pages(3), options)
    await toFire()
    await cluster.toPhase(6_000, minute)
    first.machine.die()
    await join('10.0.1.2', pages(3), options)
    await cluster.advance(2 * minute)
    expect(given).toEqual(['1:undefined', '2:1', '2:3', '2:3'])
    expect(failures).toEqual([])
  })
})

describe('a run that starts after its shard has moved', () => {
  it('starts at the offset that a dead taker saved last when failover was switched off meanwhile', async () => {
    const members: FleetMember[] = []
    // With five of them the shard moves to an instance that neither leads nor takes over.
    for (const last of [1, 2, 3, 4, 5]) {
      members.push(await join(`10.0.1.${last}`, pages(40), job({ failover: true })))
    }
    const killRunner = (): void => {
      const { ip } = cluster.runs.at(-1) ?? {}
      members.find((member) => member.ip === ip)?.machine.die()
    }
    await toFire()
    killRunner()
    await cluster.untilEvent('run:started', ({ source }) => source === 'failover')
    await cluster.configure('job', { failover: false })
    await toFire(3_000)
    killRunner()
    const saved = await stored()
    await cluster.toPhase(50_000, minute)
    const living = members.filter(({ machine }) => !machine.isDead)
    const owner = living.find((member) => member.job.shardingItems.length > 0)
    expect(owner?.job.isLeader).toBe(false)
    expect(given).toEqual(['5:undefined', '4:undefined', `3:${saved}`])
    expect(failures).toEqual([])
  })

  it('without failover starts at the offset that the crashed run saved last', async () => {
    const first = await join('10.0.1.1', pages(8))
    await toFire()
    await join('10.0.1.2', pages(8))
    await cluster.toPhase(17_000, minute)
    first.machine.die()
    await cluster.toPhase(30_000, minute)
    await cluster.toPhase(25_000, minute)
    expect(given).toEqual(['1:undefined', '2:4'])
    expect(failures).toEqual([])
    expect(await stored()).toBe('8')
  })

  it('by a manual run starts at the offset that another instance saved', async () => {
    const options: JobOptions = { jobName: 'job', shardingTotalCount: 1 }
    const first = await join('10.0.1.1', pages(2), options)
    await cluster.until(first.job.trigger())
    await cluster.advance(10_000)
    const second = await join('10.0.1.2', pages(4), options)
    await cluster.until(first.jobs.stop())
    await cluster.until(second.job.trigger())
    await cluster.advance(10_000)
    expect(given).toEqual(['1:undefined', '2:2'])
    expect(await stored()).toBe('4')
  })

  it('in a session that replaces an expired one starts at the saved offset', async () => {
    await join('10.0.1.1', pages(2))
    await toFire(20_000)
    cluster.faults.expireSession(cluster.faults.sessionIds.at(-1) as bigint)
    await cluster.advance(minute)
    expect(given).toEqual(['1:undefined', '1:2'])
  })
})

describe('saveOffset', () => {
  it('saves with monitorExecution off, where the registry knows nothing of the run', async () => {
    await join('10.0.1.1', pages(2), job({ monitorExecution: false }))
    await toFire(20_000)
    expect(failures).toEqual([])
    expect(await stored()).toBe('2')
  })

  it('saves whether or not the node of the offset exists by then', async () => {
    const observer = await cluster.client('10.0.9.7')
    const path = cluster.pathsOf('job').offset(0)
    await join('10.0.1.1', pages(4))
    await toFire()
    await cluster.until(observer.create(path, 'other', { parents: true }))
    await cluster.toPhase(6_000, minute)
    expect(toText((await cluster.until(observer.get(path))).data)).toBe('1')
    await cluster.until(observer.delete(path))
    await cluster.toPhase(10_000, minute)
    expect(toText((await cluster.until(observer.get(path))).data)).toBe('2')
    expect(failures).toEqual([])
  })

  it('waits for a connection that is gone for a second', async () => {
    const member = await join('10.0.1.1', pages(4))
    await toFire(3_500)
    cluster.faults.dropConnections()
    cluster.network.hold(member.ip, serverHost)
    await cluster.advance(1_000)
    cluster.network.release(member.ip, serverHost)
    await cluster.toPhase(30_000, minute)
    expect(failures).toEqual([])
    expect(await stored()).toBe('4')
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
  })

  it('saves once more what was cut off before it was answered, and nothing older after it', async () => {
    const member = await join('10.0.1.1', async ({ saveOffset }, here) => {
      // Nobody waits for the answers in between.
      const saved: Promise<void>[] = []
      for (let page = 1; page <= 100; page += 1) {
        await work(here, 100)
        saved.push(saveOffset(String(page)))
      }
      await Promise.all(saved).catch((error: unknown) => failures.push(error))
    })
    const observer = await cluster.client('10.0.9.7')
    await toFire(500)
    const seen: number[] = []
    for (let cut = 0; cut < 40; cut += 1) {
      cluster.faults.dropConnections()
      await cluster.advance(203)
      const { data } = await cluster.until(observer.get(cluster.pathsOf('job').offset(0)))
      seen.push(Number(toText(data)))
    }
    await cluster.toPhase(30_000, minute)
    expect(failures).toEqual([])
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await stored()).toBe('100')
    expect(member.job.isLeader).toBe(true)
  })

  it('rejects when the lease ends before the connection is back', async () => {
    const member = await join('10.0.1.1', pages(4))
    await toFire(5_000)
    cluster.network.hold(member.ip, serverHost)
    await cluster.advance(14_000)
    expect(failures).toMatchObject([{ code: 'JOB_OFFSET_NOT_SAVED' }])
    cluster.network.release(member.ip, serverHost)
    await cluster.advance(minute)
  })

  it('rejects when the lease ends before its answer, and the next run starts at the offset that the registry has', async () => {
    const member = await join('10.0.1.1', pages(4))
    await toFire(7_900)
    cluster.network.holdWay(serverHost, member.ip)
    while (failures.length === 0) await cluster.advance(100)
    expect(failures).toMatchObject([{ code: 'JOB_OFFSET_NOT_SAVED' }])
    cluster.network.releaseWay(serverHost, member.ip)
    await cluster.advance(1_000)
    expect(cluster.told('registry:suspended')).toEqual([])
    expect(await stored()).toBe('2')
    await toFire()
    expect(given).toEqual(['1:undefined', '1:2'])
  })

  it('rejects when the run is told to stop while there is no connection', async () => {
    const member = await join('10.0.1.1', pages(4))
    await toFire(3_500)
    cluster.faults.dropConnections()
    cluster.network.hold(member.ip, serverHost)
    await cluster.advance(1_000)
    const stopped = member.job.stop()
    await cluster.advance(10)
    cluster.network.release(member.ip, serverHost)
    await cluster.until(stopped)
    expect(failures).toMatchObject([{ code: 'JOB_OFFSET_NOT_SAVED' }])
  })
})

describe('the offset of a context', () => {
  it('is the one that the run saved last', async () => {
    const seen: unknown[] = []
    await join('10.0.1.1', async (context) => {
      seen.push(context.offset)
      await context.saveOffset('1')
      seen.push(context.offset)
      await context.saveOffset('2')
      seen.push(context.offset)
    })
    await toFire()
    expect(seen).toEqual([undefined, '1', '2'])
  })

  it('is the one that the attempt before has saved when code is retried', async () => {
    const seen: unknown[] = []
    const body: FleetBody = async ({ offset, saveOffset }) => {
      seen.push(offset)
      if (offset === '2') return
      await saveOffset(String(Number(offset ?? 0) + 1))
      throw new Error('once more')
    }
    await join('10.0.1.1', body, job({ props: { 'retry.times': '5' } }))
    await toFire(40_000)
    expect(seen).toEqual([undefined, '1', '2'])
  })

  it('ends a streaming dataflow that fetches what lies behind it', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const rows = [1, 2, 3, 4, 5]
    const processed: number[] = []
    const scheduled = jobs.schedule(job({ props: { 'streaming.process': 'true' } }), {
      fetchData: ({ offset }) =>
        Promise.resolve(rows.filter((row) => row > Number(offset ?? 0)).slice(0, 2)),
      async processData({ saveOffset }, batch: readonly number[]) {
        processed.push(...batch)
        if (processed.length > rows.length) throw new Error('a row was fetched again')
        await saveOffset(String(batch.at(-1)))
      },
    })
    await cluster.until(scheduled)
    await toFire()
    expect(processed).toEqual(rows)
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'success' }])
  })

  it('is live for each shard of a body that takes all of them in one call', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const seen: unknown[] = []
    const body = allShards(async ({ shardingItems }) => {
      for (const shard of shardingItems) {
        await shard.saveOffset(`saved ${shard.shardingItem}`)
        seen.push(shard.offset)
      }
    })
    await cluster.until(jobs.schedule(job({ shardingTotalCount: 2 }), body))
    await toFire()
    expect(seen).toEqual(['saved 0', 'saved 1'])
  })
})
