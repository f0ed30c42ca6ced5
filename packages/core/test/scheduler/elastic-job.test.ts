import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  allShards,
  type JobOptions,
  type ShardingContext,
  type ShardingStrategy,
} from '../../src/index.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const noOp = async (): Promise<void> => {}

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '* * * * * ?',
  shardingTotalCount: 6,
  ...options,
})

async function joined(ip: string, options = job(), body = noOp): Promise<SimulatedInstance> {
  const instance = await cluster.join(ip)
  await cluster.until(instance.jobs.schedule(options, body))
  return instance
}

/** Who runs what: the shards by the address of the instance, in the last whole second. */
function shardsByServer(): Record<string, number[]> {
  const shards: Record<string, number[]> = {}
  const last = Math.floor(cluster.clock.now() / 1000) * 1000
  for (const { ip, shardingItem, fireTime } of cluster.runs) {
    if (fireTime !== last) continue
    shards[ip] = [...(shards[ip] ?? []), shardingItem].toSorted((a, b) => a - b)
  }
  return shards
}

describe('instances that come and go', () => {
  it('run every shard at every fire once', async () => {
    const first = await joined('10.0.1.1')
    await cluster.toPhase(500)
    const from = cluster.clock.now()
    await cluster.advance(5_000)
    const second = await joined('10.0.1.2')
    await cluster.advance(7_300)
    const third = await joined('10.0.1.3')
    await cluster.advance(8_600)
    await cluster.until(first.jobs.stop())
    await cluster.advance(5_900)
    await cluster.until(third.jobs.stop())
    await cluster.advance(3_100)
    await joined('10.0.1.4')
    await cluster.advance(6_000)
    await cluster.until(second.jobs.stop())
    await cluster.advance(4_000)
    await cluster.toPhase(500)
    const runs = cluster.runs.filter(({ fireTime }) => fireTime > from)
    expect(runsByShard(runs)).toEqual(everyShardOnce(6, 1000, from, cluster.clock.now()))
    expect(runs.every(({ at, fireTime }) => at - fireTime < 1000)).toBe(true)
  })

  it('share the shards evenly, and move none without need', async () => {
    for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) await joined(ip)
    await cluster.advance(10_000)
    await cluster.toPhase(500)
    expect(Object.values(shardsByServer()).map((shards) => shards.length)).toEqual([2, 2, 2])
    const before = cluster.told('sharding:changed').length
    await cluster.advance(60_000)
    expect(cluster.told('sharding:changed')).toHaveLength(before)
    expect(cluster.told('claim:refused')).toEqual([])
  })

  it('two instances on one host share the shards as any other two', async () => {
    const first = await joined('10.0.1.1')
    await joined('10.0.1.1')
    await cluster.advance(10_000)
    await cluster.toPhase(500)
    const ids = cluster.told('job:registered').map(({ instance }) => instance)
    const lastRunners = (): string[] => cluster.runs.slice(-6).map(({ instance }) => instance)
    expect(ids.map((id) => lastRunners().filter((one) => one === id).length)).toEqual([3, 3])
    const operator = await cluster.client()
    const { children } = await cluster.until(operator.children(cluster.pathsOf('job').servers))
    expect(children).toEqual(['10.0.1.1'])
    await cluster.until(first.jobs.stop())
    await cluster.toPhase(500)
    expect(new Set(lastRunners())).toEqual(new Set([ids[1]]))
  })

  it('one that stops hands its shards over at once, in time for the next fire', async () => {
    const first = await joined('10.0.1.1')
    await joined('10.0.1.2')
    await cluster.advance(10_000)
    await cluster.toPhase(900)
    await cluster.until(first.jobs.stop())
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.2': [0, 1, 2, 3, 4, 5] })
  })

  it('a fleet that comes back runs at the next fire time, and not at once', async () => {
    const options = job({ cron: '0 0/2 * * * ?' })
    const first = await joined('10.0.1.1', options)
    await cluster.advance(150_000)
    expect(cluster.runs).toHaveLength(6)
    await cluster.until(first.jobs.stop())
    await cluster.toPhase(60_000, 120_000)
    await joined('10.0.1.2', options)
    await cluster.advance(30_000)
    expect(cluster.runs).toHaveLength(6)
    await cluster.toPhase(1_000, 120_000)
    expect(cluster.runs).toHaveLength(12)
  })

  it('a fire that nobody could run for a moment is run when somebody is back', async () => {
    const options = job({ cron: '0 0/2 * * * ?' })
    const first = await joined('10.0.1.1', options)
    await cluster.advance(110_000)
    await cluster.until(first.jobs.stop())
    await cluster.toPhase(5_000, 120_000)
    await joined('10.0.1.2', options)
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(6)
    await cluster.toPhase(110_000, 120_000)
    expect(cluster.runs).toHaveLength(6)
  })
})

describe('what an operator does', () => {
  it('a disabled server gets nothing, and its shards back when it is enabled', async () => {
    await joined('10.0.1.1')
    await joined('10.0.1.2')
    await cluster.advance(10_000)
    const operator = await cluster.client()
    const server = cluster.pathsOf('job').server('10.0.1.2')
    await cluster.until(operator.set(server, 'DISABLED'))
    const from = cluster.clock.now()
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.1': [0, 1, 2, 3, 4, 5] })
    await cluster.until(operator.set(server, 'ENABLED'))
    await cluster.advance(5_000)
    await cluster.toPhase(500)
    expect(Object.values(shardsByServer()).map((shards) => shards.length)).toEqual([3, 3])
    const runs = cluster.runs.filter(({ fireTime }) => fireTime > from)
    expect(runsByShard(runs)).toEqual(everyShardOnce(6, 1000, from, cluster.clock.now()))
  })

  it('a leader whose server is disabled gives its office to another', async () => {
    const first = await joined('10.0.1.1')
    const second = await joined('10.0.1.2')
    await cluster.advance(5_000)
    const leader = cluster.told('leader:elected').at(-1)?.instance.split('@')[0] as string
    const other = leader === first.ip ? second : first
    const operator = await cluster.client()
    await cluster.until(operator.set(cluster.pathsOf('job').server(leader), 'DISABLED'))
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    expect(cluster.told('leader:elected').at(-1)?.instance).toContain(`${other.ip}@-@`)
    expect(shardsByServer()).toEqual({ [other.ip]: [0, 1, 2, 3, 4, 5] })
  })

  it('a disabled shard does not run, and is not made up for', async () => {
    await joined('10.0.1.1')
    await cluster.advance(3_000)
    const operator = await cluster.client()
    const mark = cluster.pathsOf('job').mark(2, 'disabled')
    await cluster.toPhase(500)
    await cluster.until(operator.create(mark))
    await cluster.advance(5_000)
    expect(shardsByServer()).toEqual({ '10.0.1.1': [0, 1, 3, 4, 5] })
    const before = cluster.runs.length
    await cluster.until(operator.delete(mark))
    await cluster.advance(100)
    expect(cluster.runs).toHaveLength(before)
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.1': [0, 1, 2, 3, 4, 5] })
  })

  it('a server node that is deleted is written again', async () => {
    await joined('10.0.1.1')
    const operator = await cluster.client()
    const server = cluster.pathsOf('job').server('10.0.1.1')
    await cluster.until(operator.delete(server))
    await cluster.advance(100)
    expect(String((await cluster.until(operator.get(server))).data)).toBe('ENABLED')
  })

  it('an instance node that is deleted stops that instance', async () => {
    const first = await joined('10.0.1.1')
    await joined('10.0.1.2')
    await cluster.advance(5_000)
    const operator = await cluster.client()
    const { instances } = cluster.pathsOf('job')
    const { children } = await cluster.until(operator.children(instances))
    const node = children.find((name) => name.startsWith('10.0.1.1@')) as string
    const stopped = cluster.untilEvent('job:stopped')
    await cluster.until(operator.delete(`${instances}/${node}`))
    expect((await stopped).instance).toBe(node)
    expect(first.jobs.jobNames).toEqual([])
    await cluster.toPhase(500)
    await cluster.advance(1_000)
    expect(shardsByServer()).toEqual({ '10.0.1.2': [0, 1, 2, 3, 4, 5] })
    await cluster.until(first.jobs.schedule(job(), noOp))
  })

  it("the operator's DISABLED survives a restart, and overwrite resets it", async () => {
    const first = await joined('10.0.1.1')
    const operator = await cluster.client()
    const server = cluster.pathsOf('job').server('10.0.1.1')
    await cluster.until(operator.set(server, 'DISABLED'))
    await cluster.until(first.jobs.stop())
    const second = await joined('10.0.1.1')
    const before = cluster.runs.length
    await cluster.advance(5_000)
    expect(cluster.runs).toHaveLength(before)
    await cluster.until(second.jobs.stop())
    await joined('10.0.1.1', job({ overwrite: true }))
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.1': [0, 1, 2, 3, 4, 5] })
  })

  it('an instance that is to begin disabled waits until it is enabled', async () => {
    await joined('10.0.1.1', job({ disabled: true }))
    await cluster.advance(5_000)
    expect(cluster.runs).toEqual([])
    const operator = await cluster.client()
    await cluster.until(operator.set(cluster.pathsOf('job').server('10.0.1.1'), 'ENABLED'))
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.1': [0, 1, 2, 3, 4, 5] })
  })
})

describe('the label of a job', () => {
  it('stands on the node of each instance, where Java has it', async () => {
    await joined('10.0.1.1', job({ label: 'blue' }))
    const { instances } = cluster.pathsOf('job')
    const operator = await cluster.client()
    const { children } = await cluster.until(operator.children(instances))
    const { data } = await cluster.until(operator.get(`${instances}/${children[0]}`))
    expect(String(data)).toContain('labels: blue')
  })
})

describe('a strategy of one’s own', () => {
  it('says who has which shards', async () => {
    const allToTheFirst: ShardingStrategy = {
      type: 'FIRST',
      shard: (instances, _jobName, total) =>
        new Map(instances.slice(0, 1).map((instance) => [instance, [...Array(total).keys()]])),
    }
    const options = job({ jobShardingStrategyType: 'FIRST' })
    for (const ip of ['10.0.1.1', '10.0.1.2']) {
      const { jobs } = await cluster.join(ip, { strategies: [allToTheFirst] })
      await cluster.until(jobs.schedule(options, noOp))
    }
    await cluster.advance(10_000)
    await cluster.toPhase(500)
    // In Java's order, which is descending.
    expect(shardsByServer()).toEqual({ '10.0.1.2': [0, 1, 2, 3, 4, 5] })
  })
})

describe('a lost session', () => {
  it('makes a new instance, and the job goes on by itself', async () => {
    const { jobs } = await joined('10.0.1.1')
    await cluster.advance(3_000)
    const before = cluster.told('job:registered').at(-1)?.instance
    for (const id of cluster.faults.sessionIds) cluster.faults.expireSession(id)
    const renewed = await cluster.untilEvent('job:registered')
    expect(renewed.instance).not.toBe(before)
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    const from = cluster.clock.now()
    await cluster.advance(5_000)
    const runs = cluster.runs.filter(({ fireTime }) => fireTime > from)
    expect(runsByShard(runs)).toEqual(everyShardOnce(6, 1000, from, cluster.clock.now()))
    expect(runs.every(({ instance }) => instance === renewed.instance)).toBe(true)
    expect(jobs.jobNames).toEqual(['job'])
  })

  it('moves the shards to others meanwhile', async () => {
    await joined('10.0.1.1')
    await joined('10.0.1.2')
    await cluster.advance(10_000)
    cluster.network.hold('10.0.1.1', '10.0.0.1')
    await cluster.advance(40_000)
    await cluster.toPhase(500)
    expect(shardsByServer()).toEqual({ '10.0.1.2': [0, 1, 2, 3, 4, 5] })
    cluster.network.release('10.0.1.1', '10.0.0.1')
    await cluster.advance(10_000)
    await cluster.toPhase(500)
    expect(Object.values(shardsByServer()).map((shards) => shards.length)).toEqual([3, 3])
  })
})

describe('the same job twice', () => {
  it('in one process is refused', async () => {
    const { jobs } = await joined('10.0.1.1')
    await expect(cluster.until(jobs.schedule(job(), noOp))).rejects.toMatchObject({
      code: 'JOB_ALREADY_SCHEDULED',
    })
  })

  it('under another class is a conflict', async () => {
    await joined('10.0.1.1', job({ jobClass: 'shop.Sync' }))
    const { jobs } = await cluster.join('10.0.1.2')
    const other = job({ jobClass: 'shop.Mail' })
    await expect(cluster.until(jobs.schedule(other, noOp))).rejects.toMatchObject({
      code: 'JOB_CONFLICT',
    })
    expect(jobs.jobNames).toEqual([])
    await cluster.until(jobs.schedule(job({ jobClass: 'shop.Sync' }), noOp))
    expect(jobs.jobNames).toEqual(['job'])
  })

  it('with another description leaves the one that is there, unless it overwrites', async () => {
    const first = await joined('10.0.1.1')
    const { jobs } = await cluster.join('10.0.1.2')
    const adopted = await cluster.until(jobs.schedule(job({ shardingTotalCount: 2 }), noOp))
    expect(adopted.configuration.shardingTotalCount).toBe(6)
    await cluster.until(adopted.stop())
    const changed = cluster.untilEvent('config:changed', (_, ip) => ip === first.ip)
    await cluster.until(jobs.schedule(job({ shardingTotalCount: 2, overwrite: true }), noOp))
    expect((await changed).keys).toContain('shardingTotalCount')
    await cluster.advance(3_000)
    await cluster.toPhase(500)
    expect(
      Object.values(shardsByServer())
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1])
  })
})

describe('names that nobody knows', () => {
  for (const [what, options] of [
    ['strategy', { jobShardingStrategyType: 'NO_SUCH' }],
    ['error handler', { jobErrorHandlerType: 'NO_SUCH' }],
  ] as const) {
    it(`an unknown ${what} is refused before anything is written`, async () => {
      const { jobs } = await cluster.join('10.0.1.1')
      await expect(cluster.until(jobs.schedule(job(options), noOp))).rejects.toMatchObject({
        code: 'JOB_CONFIGURATION_INVALID',
      })
      const operator = await cluster.client()
      expect(await cluster.until(operator.exists(cluster.pathsOf('job').root))).toBeUndefined()
      await cluster.until(jobs.schedule(job(), noOp))
    })
  }

  it('an unknown type is refused, too', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const scheduled = jobs.schedule(job(), { type: 'NO_SUCH' })
    await expect(cluster.until(scheduled)).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
    })
  })
})

describe('a namespace inside another', () => {
  it('is made with what is above it', async () => {
    const { jobs } = await cluster.join('10.0.1.1', { namespace: 'shop/eu' })
    await cluster.until(jobs.schedule(job(), noOp))
    await cluster.advance(2_000)
    expect(cluster.runs).not.toEqual([])
  })
})

describe('what a body is given', () => {
  it('one call for each shard, with its parameter and the time of the fire', async () => {
    const contexts: ShardingContext[] = []
    const instance = await cluster.join('10.0.1.1')
    const options = job({
      shardingTotalCount: 2,
      cron: '0/10 * * * * ?',
      jobParameter: 'all',
      shardingItemParameters: { 0: 'Beijing', 1: 'Shanghai' },
    })
    await cluster.until(instance.jobs.schedule(options, (context) => void contexts.push(context)))
    await cluster.toPhase(9_000, 10_000)
    await cluster.advance(1_500)
    expect(contexts).toHaveLength(2)
    expect(contexts[1]).toMatchObject({
      jobName: 'job',
      shardingTotalCount: 2,
      shardingItem: 1,
      shardingParameter: 'Shanghai',
      jobParameter: 'all',
      monitorExecution: true,
      source: 'cron',
      attempt: 1,
      fireTime: new Date(cluster.clock.now() - 500),
    })
    expect(contexts[1]?.taskId).toMatch(/^job@-@1@-@READY@-@10\.0\.1\.1@-@/)
    expect(contexts[0]?.runId).not.toBe(contexts[1]?.runId)
    const tokens = contexts.map(({ fencingToken }) => fencingToken as bigint)
    await cluster.advance(10_000)
    for (const context of contexts.slice(2)) {
      expect(context.fencingToken).toBeGreaterThan(tokens[context.shardingItem] as bigint)
    }
  })

  it.each([true, false])('monitorExecution as the job has it: %s', async (monitorExecution) => {
    const { jobs } = await cluster.join('10.0.1.1')
    const seen: boolean[] = []
    const options = job({ shardingTotalCount: 1, cron: '0/10 * * * * ?', monitorExecution })
    const all = allShards((context) => {
      seen.push(
        context.monitorExecution,
        ...context.shardingItems.map((one) => one.monitorExecution),
      )
    })
    const dataflow = {
      fetchData(context: ShardingContext) {
        seen.push(context.monitorExecution)
        return []
      },
      processData() {},
    }
    await cluster.until(
      jobs.schedule(options, (context) => void seen.push(context.monitorExecution)),
    )
    await cluster.until(jobs.schedule({ ...options, jobName: 'all' }, all))
    await cluster.until(jobs.schedule({ ...options, jobName: 'dataflow' }, dataflow))
    await cluster.toPhase(9_000, 10_000)
    await cluster.advance(1_500)
    expect(seen).toEqual(Array.from({ length: 4 }, () => monitorExecution))
  })

  it.each([null, undefined, 7, 'HTTP', {}])('nothing if there is no body but %s', async (body) => {
    const { jobs } = await cluster.join('10.0.1.1')
    await expect(cluster.until(jobs.schedule(job(), body as never))).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
      problems: [{ key: 'body' }],
    })
  })

  it('or all local shards in one call', async () => {
    const calls: number[][] = []
    const { jobs } = await cluster.join('10.0.1.1')
    const body = allShards(({ shardingItems }) => {
      calls.push(shardingItems.map(({ shardingItem }) => shardingItem))
    })
    await cluster.until(jobs.schedule(job({ cron: '0/10 * * * * ?' }), body))
    await cluster.toPhase(9_000, 10_000)
    await cluster.advance(1_500)
    expect(calls).toEqual([[0, 1, 2, 3, 4, 5]])
  })
})

describe('many jobs that are scheduled at once', () => {
  it('are joined a few hundred at a time, so that the session stays alive meanwhile', async () => {
    const { jobs, wire } = await cluster.join('10.0.1.1')
    wire.reset()
    const all = Promise.all(
      Array.from({ length: 450 }, (_, index) =>
        jobs.schedule(job({ jobName: `job-${index}`, shardingTotalCount: 1 }), noOp),
      ),
    )
    await cluster.advance(1)
    expect(wire.counts['addWatch']).toBe(200)
    await cluster.until(all)
    expect(jobs.jobNames).toHaveLength(450)
    await cluster.advance(5_000)
    cluster.runs.length = 0
    await cluster.advance(1_000)
    expect(cluster.runs).toHaveLength(450)
  })
})

describe('listeners of scheduler:stopped', () => {
  it('are waited for', async () => {
    const { jobs } = await joined('10.0.1.1')
    const order: string[] = []
    jobs.on('job:stopped', () => order.push('the job'))
    jobs.on('scheduler:stopped', ({ waitFor }) => {
      const written = new Promise<void>((resolve) => {
        cluster.clock.setTimer(resolve, 1_000)
      })
      waitFor(written.then(() => order.push('written')))
    })
    await cluster.until(jobs.stop().then(() => order.push('stopped')))
    expect(order).toEqual(['the job', 'written', 'stopped'])
  })

  it('are not waited for without end, nor where nothing is drained', async () => {
    const [first, second] = [await joined('10.0.1.1'), await joined('10.0.1.2')]
    for (const { jobs } of [first, second]) {
      jobs.on('scheduler:stopped', ({ waitFor }) => waitFor(new Promise(() => {})))
    }
    await cluster.until(first.jobs.stop())
    const before = cluster.clock.now()
    await cluster.until(second.jobs.stop({ drain: false }))
    expect(cluster.clock.now() - before).toBeLessThan(5_000)
  })

  it('that fail are no reason not to stop', async () => {
    const { jobs } = await joined('10.0.1.1')
    jobs.on('scheduler:stopped', ({ waitFor }) => waitFor(Promise.reject(new Error('full'))))
    await expect(cluster.until(jobs.stop())).resolves.toBeUndefined()
  })
})
