import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Job, JobOptions } from '../src/index.ts'
import { SimulatedCluster, type SimulatedInstance } from './simulated-cluster.ts'
import { FakeJava } from './support/fake-java.ts'

let cluster: SimulatedCluster
let java: FakeJava

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  java = await FakeJava.start(cluster)
})

afterEach(() => cluster.stop())

const everyTenSeconds = '0/10 * * * * ?'
const period = 10_000

async function schedule(
  instance: SimulatedInstance,
  options: Partial<JobOptions> = {},
  body: (signal: AbortSignal) => Promise<void> = async () => {},
): Promise<Job> {
  const job = {
    jobName: 'job',
    cron: everyTenSeconds,
    shardingTotalCount: 2,
    // Java's default: the instance of the highest id comes first.
    jobShardingStrategyType: 'AVG_ALLOCATION',
    ...options,
  }
  return cluster.until(instance.jobs.schedule(job, ({ signal }) => body(signal)))
}

/** A job of Java's, which leads it and owns everything, and an instance of ours that joins it. */
async function joinJava(): Promise<string> {
  await java.makeJob({ cron: everyTenSeconds, shardingTotalCount: 2 })
  await java.register()
  await java.lead()
  await java.raise()
  await java.reshard([java.instance, java.instance])
  await cluster.toPhase(1000, period)
  await schedule(await cluster.join('10.0.1.1'))
  return ours()
}

function ours(ip = '10.0.1.1'): string {
  const { instance } =
    cluster.told('job:registered').find((event) => event.instance.startsWith(`${ip}@`)) ?? {}
  return instance ?? ''
}

/** The shards that ran, in their order. */
const ran = (): number[] =>
  cluster.runs.map(({ shardingItem }) => shardingItem).toSorted((a, b) => a - b)

describe('under a Java leader', () => {
  it('an instance of ours registers, leads nothing, and runs nothing that it does not own', async () => {
    const me = await joinJava()
    await cluster.advance(4000)
    expect(await java.text(java.paths.leaderInstance)).toBe(java.instance)
    expect(await java.text(java.paths.instance(me))).toContain(me)
    expect(cluster.runs).toEqual([])
  })

  it('runs what the leader gives it, from the fire on at which the leader assigned', async () => {
    const me = await joinJava()
    await java.raise()
    await cluster.toPhase(300, period)
    // Java's leader assigns when it fires: the fire is the new owner's already.
    await java.reshard([java.instance, me])
    await cluster.advance(1000)
    expect(cluster.runs).toMatchObject([{ shardingItem: 1, source: 'cron' }])
    await cluster.advance(period)
    expect(ran()).toEqual([1, 1])
  })

  it('does not repeat the fire that Java ran before the flag went up', async () => {
    const me = await joinJava()
    await java.raise()
    await java.reshard([java.instance, me])
    await cluster.toPhase(500, period)
    expect(cluster.runs).toMatchObject([{ shardingItem: 1 }])
    await java.raise()
    await java.reshard([me, java.instance])
    await cluster.advance(5000)
    expect(cluster.runs).toHaveLength(1)
    await cluster.advance(period)
    expect(cluster.runs).toMatchObject([{ shardingItem: 1 }, { shardingItem: 0 }])
  })

  it('starts nothing while the flag is up, and what fell due meanwhile when it is down', async () => {
    const me = await joinJava()
    await java.raise()
    await java.reshard([me, me])
    await java.raise()
    await cluster.toPhase(4000, period)
    await cluster.advance(period)
    expect(cluster.runs).toEqual([])
    await java.reshard([me, me])
    await cluster.advance(1000)
    expect(ran()).toEqual([0, 1])
  })

  it('gives a claim back that the flag has overtaken, and the fire stays due', async () => {
    const me = await joinJava()
    await java.raise()
    await java.reshard([me, java.instance])
    await cluster.toPhase(period - 1, period)
    // It reaches the server before the claim does, and we hear of it after the claim was sent.
    const raised = java.raise()
    await cluster.advance(1000)
    await raised
    expect(cluster.told('run:recorded')).toMatchObject([{ outcome: 'not-started' }])
    expect(await java.text(java.paths.mark(0, 'running'))).toBeUndefined()
    expect(cluster.runs).toEqual([])
    await java.reshard([me, java.instance])
    await cluster.advance(1000)
    expect(cluster.runs).toMatchObject([{ shardingItem: 0, source: 'cron' }])
  })

  it('a streaming run ends after its batch when the flag goes up', async () => {
    await java.makeJob({
      cron: everyTenSeconds,
      shardingTotalCount: 1,
      props: { 'streaming.process': 'true' },
    })
    await java.register()
    await java.lead()
    const instance = await cluster.join('10.0.1.1')
    const dataflow = {
      fetchData: async (): Promise<number[]> => {
        await new Promise<void>((resolve) => void cluster.clock.setTimer(resolve, 100))
        return [1]
      },
      processData: async (): Promise<void> => {},
    }
    await cluster.until(instance.jobs.schedule({ jobName: 'job', shardingTotalCount: 1 }, dataflow))
    await java.raise()
    await java.reshard([ours()])
    await cluster.untilEvent('run:started')
    await cluster.advance(5000)
    expect(await java.text(java.paths.mark(0, 'running'))).toBe(ours())
    await java.raise()
    await cluster.advance(200)
    expect(await java.text(java.paths.mark(0, 'running'))).toBeUndefined()
  })

  it('reminds the leader of an instance that has got nothing, once', async () => {
    await joinJava()
    await cluster.advance(4000)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    await cluster.advance(1500)
    expect(await java.text(java.paths.necessary)).toBe('')
    expect(cluster.told('sharding:requested')).toMatchObject([
      { reason: 'instance without shards' },
    ])
    await java.reshard([java.instance, java.instance])
    await cluster.advance(20_000)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
  })

  it('reminds a leader of Java that has come to lead because ours is disabled', async () => {
    const me = await joinJava()
    await java.raise()
    await java.reshard([java.instance, me])
    const operator = await FakeJava.start(cluster, '10.0.2.2')
    await cluster.until(operator.client.set(java.paths.server('10.0.1.1'), 'DISABLED'))
    await cluster.advance(4000)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    await cluster.advance(2000)
    expect(await java.text(java.paths.necessary)).toBe('')
  })

  it('takes the lead when the flag has been up for a minute and three fires, and assigns', async () => {
    const me = await joinJava()
    await java.raise()
    await cluster.advance(60_000)
    expect(await java.text(java.paths.leaderInstance)).toBe(java.instance)
    await cluster.untilEvent('sharding:changed')
    expect(cluster.told('leader:took-over')).toMatchObject([
      { instance: me, former: java.instance },
    ])
    expect(await java.text(java.paths.leaderInstance)).toBe(me)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    expect(new Set(await java.owners())).toEqual(new Set([me, java.instance]))
  })

  it('takes no lead while something runs', async () => {
    await joinJava()
    await java.begin(0)
    await java.raise()
    await cluster.advance(120_000)
    expect(await java.text(java.paths.leaderInstance)).toBe(java.instance)
    await java.end(0)
    await cluster.advance(1000)
    expect(cluster.told('leader:took-over')).toHaveLength(1)
  })

  it('takes no lead where that is switched off', async () => {
    await java.makeJob({ cron: everyTenSeconds, shardingTotalCount: 2 })
    await java.register()
    await java.lead()
    await java.raise()
    await schedule(await cluster.join('10.0.1.1', { takeOverStuckJavaLeader: false }))
    await cluster.advance(300_000)
    expect(await java.text(java.paths.leaderInstance)).toBe(java.instance)
  })

  it('triggers by the tools of Java for ours become a manual run, which is over when ours have run it', async () => {
    const me = await joinJava()
    await java.raise()
    await java.reshard([java.instance, me])
    await cluster.advance(100)
    await cluster.until(java.client.create(java.paths.trigger(me), '', { parents: true }))
    await cluster.untilEvent('trigger:completed')
    expect(cluster.runs).toMatchObject([{ shardingItem: 1, source: 'trigger' }])
    expect(await java.text(java.paths.trigger(me))).toBeUndefined()
  })
})

describe('under a leader of ours', () => {
  /** An instance of ours that leads the job and owns everything, then one of Java's that joins it. */
  async function joinedByJava(options: Partial<JobOptions> = {}): Promise<string> {
    await schedule(await cluster.join('10.0.1.1'), options)
    await cluster.advance(5000)
    await cluster.toPhase(3000, period)
    cluster.runs.length = 0
    await java.register()
    return ours()
  }

  it('the flag goes up, then the shards are assigned, then it goes down', async () => {
    const me = await joinedByJava()
    await cluster.advance(500)
    expect(await java.text(java.paths.necessary)).toBe('')
    expect(await java.owners()).toEqual([me, me])
    await cluster.advance(2000)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    expect(await java.owners()).toEqual([java.instance, me])
  })

  it('the flag stays up while a shard of Java runs, and nothing of ours starts meanwhile', async () => {
    await joinedByJava({ shardingTotalCount: 3 })
    await cluster.advance(4000)
    const second = await FakeJava.start(cluster, '10.0.2.2')
    await java.begin(0)
    await second.register()
    await cluster.advance(15_000)
    expect(await java.text(java.paths.necessary)).toBe('')
    expect(cluster.runs).toEqual([])
    await java.end(0)
    await cluster.advance(100)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    expect(cluster.runs).toMatchObject([{ source: 'cron' }])
  })

  it('the flag does not go up right after a fire', async () => {
    await schedule(await cluster.join('10.0.1.1'))
    await cluster.advance(5000)
    await cluster.toPhase(500, period)
    await java.register()
    await cluster.advance(1400)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    await cluster.advance(200)
    expect(await java.text(java.paths.necessary)).toBe('')
  })

  it('an instance of Java that is away for a moment keeps its shards', async () => {
    const me = await joinedByJava()
    await cluster.advance(3000)
    await java.unregister()
    await cluster.advance(2900)
    await java.register()
    await cluster.advance(20_000)
    expect(await java.owners()).toEqual([java.instance, me])
    expect(cluster.told('sharding:changed')).toHaveLength(2)
  })

  it('the fire that Java ran is not repeated by who gets its shard', async () => {
    const me = await joinedByJava()
    await cluster.toPhase(1000, period)
    cluster.runs.length = 0
    await java.die()
    await cluster.toPhase(9000, period)
    const operator = await FakeJava.start(cluster, '10.0.2.2')
    expect(await operator.owners()).toEqual([me, me])
    expect(cluster.runs).toEqual([])
    await cluster.advance(2000)
    expect(ran()).toEqual([0, 1])
  })

  it('a fire that falls due before an owner of Java is dead is run by who gets the shard', async () => {
    const me = await joinedByJava()
    await cluster.toPhase(8000, period)
    cluster.runs.length = 0
    await java.die()
    // Three seconds of grace, and the flag does not go up right after the fire.
    await cluster.toPhase(1500, period)
    expect(ran()).toEqual([1])
    await cluster.toPhase(2500, period)
    const operator = await FakeJava.start(cluster, '10.0.2.2')
    expect(await operator.owners()).toEqual([me, me])
    expect(ran()).toEqual([0, 1])
    await cluster.advance(period)
    expect(ran()).toEqual([0, 0, 1, 1])
  })

  it('a fire waits under the flag while an owner of Java is away and another is there', async () => {
    await joinedByJava({ shardingTotalCount: 3 })
    const second = await FakeJava.start(cluster, '10.0.2.2')
    await second.register()
    await cluster.toPhase(8500, period)
    cluster.runs.length = 0
    await second.die()
    await cluster.toPhase(1000, period)
    expect(await java.text(java.paths.necessary)).toBe('')
    expect(cluster.runs).toEqual([])
    // Assigned out when it is dead, so that the triggers of Java that wait run what they have got.
    await cluster.toPhase(2000, period)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    expect(await java.owners()).not.toContain(second.instance)
    expect(ran()).toEqual([1])
  })

  it('a fire waits only until an owner of Java is back', async () => {
    await joinedByJava({ shardingTotalCount: 3 })
    const second = await FakeJava.start(cluster, '10.0.2.2')
    await second.register()
    await cluster.toPhase(8000, period)
    const owners = await java.owners()
    cluster.runs.length = 0
    await second.unregister()
    await cluster.toPhase(100, period)
    expect(cluster.runs).toEqual([])
    await second.register()
    await cluster.advance(50)
    expect(await java.text(java.paths.necessary)).toBeUndefined()
    expect(ran()).toHaveLength(1)
    expect(await java.owners()).toEqual(owners)
    // A new process under an old name does not know what it has missed.
    await cluster.advance(6000)
    expect(cluster.told('fire:missed')).toMatchObject([
      { reason: `its owner ${second.instance} was away then` },
    ])
  })

  it('the mark that a dead instance of Java has left does not silence the shard', async () => {
    await joinedByJava({ failover: true })
    await cluster.toPhase(100, period)
    // With failover on it does not go with the session.
    await cluster.until(java.client.create(java.paths.mark(0, 'running'), java.instance))
    await java.die()
    await cluster.toPhase(9000, period)
    cluster.runs.length = 0
    await cluster.advance(2000)
    expect(ran()).toEqual([0, 1])
    const operator = await FakeJava.start(cluster, '10.0.2.2')
    expect(await operator.text(java.paths.mark(0, 'running'))).toBeUndefined()
  })

  it('when Java is gone the job is pure again, and moves at once', async () => {
    await joinedByJava()
    await cluster.advance(3000)
    await java.die()
    await cluster.advance(20_000)
    const operator = await FakeJava.start(cluster, '10.0.2.2')
    const changes = cluster.told('sharding:changed').length
    await schedule(await cluster.join('10.0.1.2'))
    const watched: string[] = []
    await cluster.until(
      operator.client.addWatch(
        java.paths.assignment,
        'recursive',
        ({ path }) => void watched.push(path),
      ),
    )
    await cluster.advance(5000)
    expect(cluster.told('sharding:changed')).toHaveLength(changes + 1)
    expect(watched).not.toContain(java.paths.necessary)
    expect(await operator.owners()).toEqual([ours('10.0.1.2'), ours()])
  })

  it('stops by giving up the lead first and its node after its runs', async () => {
    let release = (): void => {}
    const body = (): Promise<void> =>
      new Promise((resolve) => {
        release = resolve
      })
    const job = await schedule(await cluster.join('10.0.1.1'), {}, body)
    await cluster.advance(5000)
    await cluster.toPhase(3000, period)
    await java.register()
    await cluster.advance(3000)
    await cluster.toPhase(100, period)
    const stopped = job.stop()
    await cluster.advance(100)
    expect(await java.text(java.paths.leaderInstance)).toBeUndefined()
    expect(await java.text(java.paths.instance(ours()))).toContain(ours())
    release()
    await cluster.until(stopped)
    expect(await java.text(java.paths.instance(ours()))).toBeUndefined()
    expect(await java.text(java.paths.mark(1, 'running'))).toBeUndefined()
  })

  it('a zone that Java does not take is refused, and one that was there is warned of', async () => {
    await joinedByJava({ timeZone: 'Europe/Berlin' })
    await cluster.advance(100)
    expect(cluster.told('config:warning')).toMatchObject([
      { message: expect.stringContaining('Europe/Berlin') as string },
    ])
    const text = (await java.text(java.paths.config)) ?? ''
    await cluster.until(
      java.client.set(java.paths.config, text.replace('Europe/Berlin', 'Asia/Tokyo')),
    )
    await cluster.advance(100)
    expect(cluster.told('config:refused')).toHaveLength(1)
  })
})

describe('one shard that goes by turns', () => {
  const balanced = { shardingTotalCount: 1, jobShardingStrategyType: 'SINGLE_SHARDING_BALANCE' }

  it.each([true, false])(
    'runs where the turn is and names the next, monitored: %s',
    async (monitorExecution) => {
      const options = { ...balanced, monitorExecution }
      await java.makeJob({ cron: everyTenSeconds, ...options })
      await java.register()
      await java.lead()
      await java.raise()
      await java.reshard([java.instance])
      await schedule(await cluster.join('10.0.1.1'), options)
      await java.raise()
      await java.reshard([java.instance])
      await cluster.toPhase(5000, period)
      await cluster.until(
        java.client.create(java.paths.nextInstanceIp, '10.0.1.1', { mode: 'ephemeral' }),
      )
      expect(cluster.runs).toEqual([])
      await cluster.advance(period)
      expect(cluster.runs).toMatchObject([{ shardingItem: 0, source: 'cron' }])
      expect(await java.text(java.paths.nextInstanceIp)).toBe(java.ip)
      await cluster.advance(2 * period)
      expect(cluster.runs).toHaveLength(1)
    },
  )

  it("is its owner's in a job without Java instances, and nobody is named", async () => {
    await schedule(await cluster.join('10.0.1.1'), balanced)
    await schedule(await cluster.join('10.0.1.2'), balanced)
    await cluster.advance(3 * period)
    expect(cluster.runs.length).toBeGreaterThan(1)
    expect(await java.text(java.paths.nextInstanceIp)).toBeUndefined()
  })
})

describe('after the death of a leader of ours', () => {
  /** Two of ours and Java; the leader, which owns a shard, dies. Answers that shard and who is left. */
  async function withoutLeader(
    options: Partial<JobOptions> = {},
    body?: (signal: AbortSignal) => Promise<void>,
  ): Promise<{ shard: number; left: string; died: number }> {
    const job = { shardingTotalCount: 3, ...options }
    await java.makeJob({ cron: everyTenSeconds, ...job })
    const first = await cluster.join('10.0.1.1')
    await schedule(first, job, body)
    await cluster.join('10.0.1.2').then((second) => schedule(second, job, body))
    await java.register()
    await cluster.toPhase(1000, period)
    await cluster.advance(2 * period)
    const me = ours()
    expect(await java.text(java.paths.leaderInstance)).toBe(me)
    const shard = (await java.owners()).indexOf(me)
    const died = cluster.clock.now()
    first.machine.die()
    while ((await java.text(java.paths.leaderInstance)) === me) await cluster.advance(5)
    return { shard, left: ours('10.0.1.2'), died }
  }

  /** The fire times of a shard in a stretch that ran or were reported. */
  const accounted = (shard: number): number[] => {
    const rows = cluster.told('fire:missed').filter((one) => one.shardingItem === shard)
    const missed = rows.flatMap(({ first, fireTime }) =>
      Array.from({ length: (fireTime - first) / period + 1 }, (_, n) => first + n * period),
    )
    const runs = cluster.runs.filter((one) => one.shardingItem === shard)
    return [...missed, ...runs.map(({ fireTime }) => fireTime)].toSorted((a, b) => a - b)
  }

  it.each(['ours', 'Java'])(
    'its fire times run or are reported when %s gets the shard',
    async (who) => {
      const { shard, left, died } = await withoutLeader()
      // Java is the first to see that there is no leader any more.
      await java.lead()
      const owners = await java.owners()
      await java.raise()
      const raised = cluster.clock.now()
      const to = who === 'ours' ? left : java.instance
      await java.reshard(
        owners.map((owner, shardingItem) => (shardingItem === shard ? to : (owner ?? to))),
      )
      await cluster.advance(2 * period)
      const first = Math.ceil(died / period) * period
      const expected: number[] = []
      for (let time = first; time < raised; time += period) expected.push(time)
      expect(expected.length).toBeGreaterThan(0)
      const found = accounted(shard).filter((time) => time >= first && time < raised)
      expect(found).toEqual(expected)
    },
  )

  it('its fire times are reported when the next leader of ours gives the shard to Java', async () => {
    const { shard, left, died } = await withoutLeader()
    while ((await java.owners())[shard] !== java.instance) await cluster.advance(100)
    expect(await java.text(java.paths.leaderInstance)).toBe(left)
    const moved = cluster.clock.now()
    await cluster.advance(3 * period)
    const expected: number[] = []
    for (let time = Math.ceil(died / period) * period; time < moved; time += period) {
      expected.push(time)
    }
    expect(accounted(shard).filter((time) => time > died)).toEqual(expected)
  })
})
