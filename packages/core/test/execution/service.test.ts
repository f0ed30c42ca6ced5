import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobOptions, ShardingContext } from '../../src/index.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'
import { operatorAt } from '../support/operator.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0/10 * * * * ?',
  shardingTotalCount: 2,
  // The instance of the highest id gets what there is to get.
  jobShardingStrategyType: 'AVG_ALLOCATION',
  ...options,
})

async function joined(
  ip: string,
  options: JobOptions,
  body: (context: ShardingContext) => Promise<void>,
): Promise<SimulatedInstance> {
  const instance = await cluster.join(ip)
  await cluster.until(instance.jobs.schedule(options, body))
  return instance
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    cluster.clock.setTimer(resolve, milliseconds)
  })

describe('offsets', () => {
  it('are seen by the next run, also after the shard has moved', async () => {
    const seen: (string | undefined)[] = []
    const body = async ({ shardingItem, offset, saveOffset }: ShardingContext): Promise<void> => {
      if (shardingItem === 1) return
      seen.push(offset)
      await saveOffset(String(Number(offset ?? '0') + 1))
      await saveOffset(String(Number(offset ?? '0') + 2))
    }
    const first = await joined('10.0.1.1', job(), body)
    await cluster.toPhase(5_000, 10_000)
    await cluster.advance(20_000)
    expect(seen).toEqual([undefined, '2'])
    await joined('10.0.1.2', job(), body)
    await cluster.until(first.jobs.stop())
    await cluster.advance(20_000)
    expect(seen).toEqual([undefined, '2', '4', '6'])
  })
})

describe('the end of a run', () => {
  it('leaves no mark behind, however shortly after a reconnect it comes', async () => {
    let end: () => void = () => {}
    const ended = (): Promise<void> =>
      new Promise((resolve) => {
        end = resolve
      })
    await joined('10.0.1.1', job({ shardingTotalCount: 3 }), ({ shardingItem }) =>
      shardingItem === 1 ? ended() : Promise.resolve(),
    )
    const operator = await cluster.client()
    const mark = cluster.pathsOf('job').mark(1, 'running')
    for (let delay = 0; delay < 80; delay += 1) {
      await cluster.toPhase(1_000, 10_000)
      cluster.faults.dropConnections()
      await cluster.advance(delay)
      end()
      await cluster.advance(2_000)
      expect(await cluster.until(operator.exists(mark))).toBeUndefined()
    }
  })
})

describe('with monitorExecution off', () => {
  it('a shard that comes here after a manual run runs at its next time', async () => {
    const options = job({ shardingTotalCount: 1, monitorExecution: false })
    const first = await cluster.join('10.0.1.1')
    const triggered = await cluster.until(first.jobs.schedule(options, async () => {}))
    await cluster.toPhase(5_000, 10_000)
    await cluster.until(triggered.trigger())
    await cluster.advance(2_000)
    await joined('10.0.1.2', options, async () => {})
    await cluster.advance(20_000)
    const runs = cluster.runs.map(({ ip, source }) => [ip, source])
    expect(runs).toEqual([
      ['10.0.1.1', 'trigger'],
      ['10.0.1.2', 'cron'],
      ['10.0.1.2', 'cron'],
    ])
  })
})

describe("when the registry's clock is set", () => {
  it('repeats nothing: who has not written since takes no time that was run for a wrong one', async () => {
    const options = job({ shardingTotalCount: 1 })
    // The first leads, the highest runs it, and the one between the two has nothing to write.
    await joined('10.0.1.0', options, async () => {})
    const owner = await joined('10.0.1.2', options, async () => {})
    await joined('10.0.1.1', options, async () => {})
    await cluster.toPhase(5_000, 10_000)
    cluster.faults.jumpClock(60_000)
    await cluster.advance(20_000)
    await cluster.until(owner.jobs.stop())
    await cluster.advance(20_000)
    const times = cluster.runs.map(({ fireTime }) => fireTime)
    expect(new Set(times).size).toBe(times.length)
    expect(cluster.told('fire:corrected')).toEqual([])
    expect(cluster.runs.at(0)?.ip).toBe('10.0.1.2')
    expect(cluster.runs.at(-1)?.ip).toBe('10.0.1.1')
  })

  it('repeats nothing, also if who gets the shard has written just before', async () => {
    const options = job({ shardingTotalCount: 1 })
    await joined('10.0.1.0', options, async () => {})
    const owner = await joined('10.0.1.2', options, async () => {})
    await cluster.toPhase(9_600, 10_000)
    await joined('10.0.1.1', options, async () => {})
    cluster.faults.jumpClock(60_000)
    await cluster.advance(450)
    await cluster.until(owner.jobs.stop())
    await cluster.advance(20_000)
    const times = cluster.runs.map(({ fireTime }) => fireTime)
    expect(new Set(times).size).toBe(times.length)
    expect(cluster.told('fire:corrected')).toEqual([])
    expect(cluster.runs.slice(0, 2).map(({ ip }) => ip)).toEqual(['10.0.1.2', '10.0.1.2'])
    expect(cluster.runs.at(-1)?.ip).toBe('10.0.1.1')
  })

  it('back by more than 5 seconds: runs at the next fire time, repeats none before it, reports none as missed', async () => {
    await joined('10.0.1.0', job({ shardingTotalCount: 1 }), async () => {})
    await cluster.toPhase(5_000, 10_000)
    await cluster.advance(60_000)
    const last = cluster.runs.at(-1)?.fireTime ?? 0
    const before = cluster.runs.length
    cluster.faults.jumpClock(-42_000)
    // The next claim is planned by the clock before, and its answer shows the clock of the registry.
    await cluster.advance(30_000)
    const times = cluster.runs.slice(before).map(({ fireTime }) => fireTime - last)
    expect(times).toEqual([10_000, -30_000, -20_000, -10_000])
    expect(cluster.told('fire:corrected')).toMatchObject([
      { shardingItem: 0, stored: last + 10_000 },
    ])
    expect(cluster.told('fire:missed')).toEqual([])
  })
})

describe('misfire', () => {
  it('makes up for what came during a long run when it ends, as one and the latest', async () => {
    let isFirst = true
    await joined('10.0.1.1', job({ shardingTotalCount: 1 }), async () => {
      if (!isFirst) return
      isFirst = false
      await wait(33_000)
    })
    await cluster.toPhase(5_000, 60_000)
    await cluster.advance(60_000)
    const runs = cluster.runs.map(({ source, fireTime, at }) => [
      source,
      fireTime % 60_000,
      at % 60_000,
    ])
    expect(runs.map(([source, fireTime]) => [source, fireTime])).toEqual([
      ['cron', 10_000],
      ['misfire', 40_000],
      ['cron', 50_000],
      ['cron', 0],
    ])
    // Begun when the long one ended, not at the next fire.
    expect(runs[1]?.[2]).toBeLessThan(43_100)
  })

  it('drops it when it is switched off', async () => {
    let isFirst = true
    await joined('10.0.1.1', job({ shardingTotalCount: 1, misfire: false }), async () => {
      if (!isFirst) return
      isFirst = false
      await wait(33_000)
    })
    await cluster.toPhase(5_000, 60_000)
    await cluster.advance(60_000)
    expect(cluster.runs.map(({ source, fireTime }) => [source, fireTime % 60_000])).toEqual([
      ['cron', 10_000],
      ['cron', 50_000],
      ['cron', 0],
    ])
  })

  it('follows a shard that moves while it runs', async () => {
    let isFirst = true
    const options = job({ shardingTotalCount: 1 })
    const body = async ({ signal }: ShardingContext): Promise<void> => {
      if (!isFirst) return
      isFirst = false
      await wait(22_000)
      expect(signal.aborted).toBe(true)
    }
    const first = await joined('10.0.1.1', options, body)
    await cluster.toPhase(15_000, 60_000)
    await joined('10.0.1.2', options, body)
    await cluster.until(first.jobs.stop())
    await cluster.toPhase(45_000, 60_000)
    expect(cluster.runs.map(({ ip, source, fireTime }) => [ip, source, fireTime % 60_000])).toEqual(
      [
        ['10.0.1.1', 'cron', 10_000],
        ['10.0.1.2', 'misfire', 30_000],
        ['10.0.1.2', 'cron', 40_000],
      ],
    )
  })
})

describe('lanes', () => {
  it('a shard that takes long does not hold the others', async () => {
    await joined('10.0.1.1', job({ shardingTotalCount: 3, misfire: false }), async (context) => {
      if (context.shardingItem === 0) await wait(35_000)
    })
    await cluster.toPhase(5_000, 60_000)
    await cluster.advance(40_000)
    const count = (shard: number): number =>
      cluster.runs.filter(({ shardingItem }) => shardingItem === shard).length
    expect([count(0), count(1), count(2)]).toEqual([1, 4, 4])
  })

  it('a shard that runs keeps its owner until it ends, the others move at once', async () => {
    const options = job({ shardingTotalCount: 4 })
    const body = async ({ shardingItem, fireTime }: ShardingContext): Promise<void> => {
      if (shardingItem === 3 && fireTime.getUTCSeconds() === 10) await wait(25_000)
    }
    await joined('10.0.1.1', options, body)
    await cluster.toPhase(15_000, 60_000)
    await joined('10.0.1.2', options, body)
    await cluster.toPhase(25_000, 60_000)
    const at = (second: number): (readonly [string, number])[] =>
      cluster.runs
        .filter(({ fireTime }) => (fireTime / 1000) % 60 === second)
        .map(({ ip, shardingItem }) => [ip, shardingItem] as const)
        .toSorted((a, b) => a[1] - b[1])
    expect(at(20)).toHaveLength(3)
    expect(new Set(at(20).map(([ip]) => ip))).toEqual(new Set(['10.0.1.1', '10.0.1.2']))
    await cluster.toPhase(55_000, 60_000)
    expect(at(40)).toHaveLength(4)
    expect(
      at(50)
        .map(([ip]) => ip)
        .toSorted(),
    ).toEqual(['10.0.1.1', '10.0.1.1', '10.0.1.2', '10.0.1.2'])
  })
})

describe('marks', () => {
  const marks = async (): Promise<string[]> => {
    const observer = await cluster.client('10.0.9.4')
    const { shards } = cluster.pathsOf('job')
    const found = await Promise.all(
      [0, 1].map(async (shard) => {
        const { children } = await cluster.until(observer.children(`${shards}/${shard}`))
        return children.includes('running') ? [String(shard)] : []
      }),
    )
    return found.flat()
  }

  it('go with the code of their own shard, not with that of the call', async () => {
    await joined('10.0.1.1', job({ cron: '0 * * * * ?' }), ({ shardingItem }) =>
      wait(shardingItem === 0 ? 5_000 : 15_000),
    )
    await cluster.advance(1_000)
    await cluster.toPhase(1_000, 60_000)
    expect(await marks()).toEqual(['0', '1'])
    await cluster.toPhase(10_000, 60_000)
    expect(await marks()).toEqual(['1'])
    await cluster.toPhase(20_000, 60_000)
    expect(await marks()).toEqual([])
  })

  it('a claim that is refused closes nothing: the shard runs as soon as it can', async () => {
    await joined('10.0.1.1', job({ cron: '0 * * * * ?', shardingTotalCount: 1 }), async () => {})
    await cluster.advance(2_000)
    const operator = await cluster.client()
    const owner = cluster.pathsOf('job').owner(0)
    const { data } = await cluster.until(operator.get(owner))
    // It is on its way while the claim is planned on what stood there before, five milliseconds ahead of its time.
    await cluster.toPhase(59_994, 60_000)
    const set = operator.set(owner, data)
    await cluster.advance(2_000)
    await set
    expect(cluster.told('claim:refused')).toHaveLength(1)
    expect(
      cluster.runs.filter(({ fireTime }) => cluster.clock.now() - fireTime < 5_000),
    ).toHaveLength(1)
  })
})

describe('claims ahead of their time, where many jobs are due at once', () => {
  const count = 200
  const names = Array.from({ length: count }, (_, n) => `job-${n}`)
  const ahead = 25

  /** All jobs, with claims for a time that is `ahead` milliseconds from now. */
  async function ready(options: Partial<JobOptions> = {}): Promise<SimulatedInstance> {
    const instance = await cluster.join('10.0.1.1')
    await cluster.until(
      Promise.all(
        names.map((jobName) =>
          instance.jobs.schedule(
            job({ jobName, shardingTotalCount: 1, ...options }),
            async () => {},
          ),
        ),
      ),
    )
    await cluster.toPhase(10_000 - ahead, 10_000)
    expect(cluster.runs).toEqual([])
    return instance
  }

  it('let all begin exactly on time', async () => {
    await ready()
    const due = cluster.clock.now() + ahead
    const operator = await cluster.client()
    const marks = await cluster.until(
      Promise.all(names.map((name) => operator.exists(cluster.pathsOf(name).mark(0, 'running')))),
    )
    expect(marks.filter((stat) => stat !== undefined)).toHaveLength(count)
    expect(cluster.runs).toEqual([])
    await cluster.advance(1_000)
    expect(cluster.runs.map(({ jobName }) => jobName).toSorted()).toEqual(names.toSorted())
    expect(new Set(cluster.runs.map(({ fireTime }) => fireTime))).toEqual(new Set([due]))
    expect(new Set(cluster.runs.map(({ at }) => at))).toEqual(new Set([due]))
    expect(cluster.told('claim:refused')).toEqual([])
    expect(cluster.told('fire:missed')).toEqual([])
  })

  it('wait for their time with monitorExecution off, too', async () => {
    await ready({ monitorExecution: false })
    const due = cluster.clock.now() + ahead
    await cluster.advance(1_000)
    expect(cluster.runs).toHaveLength(count)
    expect(new Set(cluster.runs.map(({ at }) => at))).toEqual(new Set([due]))
  })

  it.each([true, false])(
    'begin nothing that an operator has disabled or paused meanwhile (monitorExecution %s)',
    async (monitorExecution) => {
      const operations = await operatorAt(cluster)
      await ready({ monitorExecution })
      await cluster.until(operations.disableShard('job-7', 0))
      await cluster.until(operations.pause({ job: 'job-8' }))
      expect(cluster.runs).toEqual([])
      await cluster.advance(1_000)
      await cluster.until(operations.close())
      const expected = names.filter((name) => name !== 'job-7' && name !== 'job-8')
      expect(cluster.runs.map(({ jobName }) => jobName).toSorted()).toEqual(expected.toSorted())
      const unbegun = cluster.told('run:recorded').filter(({ outcome }) => outcome !== 'success')
      expect(unbegun).toMatchObject([
        { jobName: 'job-7', outcome: 'not-started' },
        { jobName: 'job-8', outcome: 'not-started' },
      ])
    },
  )

  it.each([true, false])(
    'run all the same if what has changed does not keep them (monitorExecution %s)',
    async (monitorExecution) => {
      await ready({ monitorExecution })
      const due = cluster.clock.now() + ahead
      await cluster.configure('job-7', { description: 'new' })
      await cluster.advance(1_000)
      const [run, ...others] = cluster.runs.filter(({ jobName }) => jobName === 'job-7')
      expect([run?.fireTime, others]).toEqual([due, []])
      expect(cluster.runs).toHaveLength(count)
    },
  )

  it('are given up with the process that stops meanwhile', async () => {
    const instance = await ready()
    await cluster.until(instance.jobs.stop())
    await cluster.advance(1_000)
    expect(cluster.runs).toEqual([])
  })
})

describe('a claim ahead of its time', () => {
  /** Two instances with a shard each, two milliseconds before the first time of the job, with their claims. */
  async function claimed(options: Partial<JobOptions> = {}): Promise<{
    first: SimulatedInstance
    due: number
  }> {
    const first = await joined('10.0.1.1', job(options), async () => {})
    await joined('10.0.1.2', job(options), async () => {})
    const operator = await cluster.client()
    const marks = [0, 1].map((shard) => cluster.pathsOf('job').mark(shard, 'running'))
    await cluster.toPhase(5_000, 10_000)
    cluster.runs.length = 0
    await cluster.toPhase(9_996, 10_000)
    const stats = await cluster.until(Promise.all(marks.map((mark) => operator.exists(mark))))
    expect(stats).toEqual([expect.anything(), expect.anything()])
    expect(cluster.runs).toEqual([])
    return { first, due: Math.ceil(cluster.clock.now() / 10_000) * 10_000 }
  }

  const runsAt = (due: number): unknown[] =>
    cluster.runs
      .filter(({ fireTime }) => fireTime === due)
      .map(({ ip, attempt, source }) => [ip, attempt, source])

  it('is taken over if its process dies before that time', async () => {
    const { first, due } = await claimed({ failover: true })
    first.machine.die()
    await cluster.advance(60_000)
    expect(runsAt(due)).toEqual([
      ['10.0.1.2', 1, 'cron'],
      ['10.0.1.2', 2, 'failover'],
    ])
  })

  it('is said to be abandoned if its process dies before that time and nobody takes over', async () => {
    const { first, due } = await claimed()
    first.machine.die()
    await cluster.advance(60_000)
    expect(runsAt(due)).toEqual([['10.0.1.2', 1, 'cron']])
    expect(cluster.told('run:abandoned')).toMatchObject([{ fireTime: due, attempt: 1 }])
  })

  it('is undone if its process stops before that time, and somebody else runs it', async () => {
    const { first, due } = await claimed()
    await cluster.until(first.jobs.stop())
    await cluster.advance(9_000)
    expect(runsAt(due)).toEqual([
      ['10.0.1.2', 1, 'cron'],
      ['10.0.1.2', 1, 'cron'],
    ])
    expect(cluster.told('run:abandoned')).toEqual([])
    expect(cluster.told('fire:missed')).toEqual([])
  })

  it('begins nothing after a sleep in which its session has ended', async () => {
    const { first, due } = await claimed({ failover: true })
    first.machine.freeze()
    await cluster.advance(60_000)
    first.machine.wake()
    await cluster.advance(9_000)
    expect(runsAt(due).filter((run) => String(run).startsWith('10.0.1.1'))).toEqual([])
    expect(runsAt(due)).toHaveLength(2)
  })

  it('is no reason to ask whether it has run', async () => {
    const { due } = await claimed()
    await cluster.advance(9_000)
    expect(cluster.told('fire:missed')).toEqual([])
    expect(runsAt(due)).toHaveLength(2)
  })

  it('is tried again a few times only if it is refused, and run as soon as it can be', async () => {
    await joined('10.0.1.1', job({ shardingTotalCount: 1 }), async () => {})
    await cluster.toPhase(5_000, 10_000)
    const operator = await cluster.client()
    const owner = cluster.pathsOf('job').owner(0)
    const { data } = await cluster.until(operator.get(owner))
    await cluster.toPhase(9_990, 10_000)
    const due = cluster.clock.now() + 10
    for (let writes = 0; writes < 30; writes++) {
      void operator.set(owner, data)
      await cluster.advance(1)
    }
    await cluster.advance(1_000)
    expect(cluster.told('claim:refused').length).toBeLessThan(10)
    expect(cluster.runs.filter(({ fireTime }) => fireTime === due)).toHaveLength(1)
  })
})
