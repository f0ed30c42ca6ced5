/** Operators click at the wrong moments, all the time: afterwards everything runs, and nothing is left. */
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { describe, expect, it } from 'vitest'

import { isElasticJobError, type JobOptions } from '../../src/index.ts'
import type { Operations, Scope } from '../../src/operations.ts'
import { isRegistryError } from '../../src/registry/registry-error.ts'
import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'
import { work } from '../support/fleet.ts'
import { operatorAt, pathsLeft } from '../support/operator.ts'

const jobNames = ['alpha', 'beta']
const ips = ['10.0.1.1', '10.0.1.2', '10.0.1.3']
const actions = 50
const period = 5000

/** What an operator may be told: everything else is a bug. */
const answers = new Set([
  'JOB_NOT_FOUND',
  'JOB_SERVER_NOT_FOUND',
  'JOB_SHARD_NOT_FOUND',
  'JOB_SHARD_IDLE',
  'JOB_NO_INSTANCE',
  'JOB_NOTHING_FAILED',
  'JOB_TRIGGER_PENDING',
  'JOB_REMOVED',
  'JOB_CONFLICT',
  'JOB_DEPARTURE_PENDING',
  'JOB_STOPPED',
  'JOB_ALREADY_SCHEDULED',
])

class World {
  readonly cluster: SimulatedCluster
  readonly random: SeededRandom
  readonly operators: Operations[]
  readonly instances: SimulatedInstance[] = []
  readonly unexpected: unknown[] = []
  readonly counts = new Map<string, number>()
  #underWay = 0

  constructor(cluster: SimulatedCluster, operators: Operations[], seed: number) {
    this.cluster = cluster
    this.operators = operators
    this.random = new SeededRandom(seed)
  }

  /** Somebody asks for something; nobody waits for it before the next one asks. */
  begin(what: string, promise: Promise<unknown>): void {
    this.#underWay += 1
    void promise
      .then(
        () => this.counts.set(what, (this.counts.get(what) ?? 0) + 1),
        (error: unknown) => {
          const isAnswer = isElasticJobError(error) && answers.has(error.code)
          if (!isAnswer) this.unexpected.push(error)
        },
      )
      .finally(() => (this.#underWay -= 1))
  }

  async settle(): Promise<void> {
    while (this.#underWay > 0) await this.cluster.advance(1000)
  }

  /** Whoever loses the session while he joins is told so, and comes again. */
  async join(instance: SimulatedInstance, jobName: string): Promise<unknown> {
    try {
      return await this.schedule(instance, jobName)
    } catch (error) {
      if (!isRegistryError(error)) throw error
      return this.join(instance, jobName)
    }
  }

  schedule(instance: SimulatedInstance, jobName: string): Promise<unknown> {
    const options: JobOptions = {
      jobName,
      cron: '0/5 * * * * ?',
      shardingTotalCount: 3,
      failover: jobName === 'alpha',
    }
    return instance.jobs.schedule(options, ({ signal }) => work(instance, 700, signal))
  }

  /** Something happens to the connection of somebody, operators included. */
  trouble(happen: (sessionId: bigint) => void): Promise<void> {
    happen(this.random.pick(this.cluster.faults.sessionIds))
    return Promise.resolve()
  }

  act(): void {
    const { random } = this
    const operator = random.pick(this.operators)
    const instance = random.pick(this.instances)
    const job = random.pick(jobNames)
    const scope = random.pick<Scope>([
      { job },
      { job, server: instance.ip },
      { server: instance.ip },
    ])
    const shardingItem = random.below(3)
    const wait = random.pick([0, 500, 60_000])
    const acts: Record<string, () => Promise<unknown>> = {
      pause: () => operator.pause(scope),
      resume: () => operator.resume(scope),
      disable: () => operator.disable(scope),
      enable: () => operator.enable(scope),
      shutdown: () => operator.shutdown(scope, { wait }),
      remove: () => operator.remove(scope, { wait: Math.max(wait, 500) }),
      trigger: () =>
        operator.trigger(job, random.pick([{}, { shards: [shardingItem] }, { failed: true }])),
      stop: () => operator.stopRun(job, shardingItem),
      'disable-shard': () => operator.disableShard(job, shardingItem),
      'enable-shard': () => operator.enableShard(job, shardingItem),
      reshard: () => operator.reshard(job),
      configure: () => operator.updateConfiguration(job, { jobParameter: String(random.below(9)) }),
      total: () => operator.updateConfiguration(job, { shardingTotalCount: 1 + random.below(4) }),
      look: () => Promise.all([operator.jobs(), operator.servers(), operator.instances()]),
      'look-closer': () => operator.job(job),
      join: () => this.join(instance, job),
      rejoin: () => this.join(instance, job),
      cut: () => this.trouble((sessionId) => this.cluster.faults.dropConnection(sessionId)),
      expire: () => this.trouble((sessionId) => this.cluster.faults.expireSession(sessionId)),
      'lose-reply': () =>
        this.trouble((id) => void this.cluster.faults.loseNextReply({ sessionId: id })),
    }
    const what = random.pick(Object.keys(acts))
    this.begin(what, (acts[what] as () => Promise<unknown>)())
  }
}

async function startWorld(seed: number): Promise<World> {
  const cluster = await SimulatedCluster.start({ seed, latency: 1 + (seed % 3) * 7 })
  const operators = [
    await operatorAt(cluster, {}, '10.0.9.1'),
    await operatorAt(cluster, {}, '10.0.9.2'),
  ]
  const world = new World(cluster, operators, seed)
  for (const ip of ips) {
    const instance = await cluster.join(ip)
    world.instances.push(instance)
    for (const jobName of jobNames) await cluster.until(world.schedule(instance, jobName))
  }
  await cluster.advance(8000)
  return world
}

/** A job is there as a whole, or not at all. */
async function expectNoZombies({ cluster, operators, instances }: World): Promise<void> {
  const [operator] = operators as [Operations]
  const jobs = await cluster.until(operator.jobs())
  expect(jobs.map(({ problem, removing }) => [problem, removing])).toEqual(
    jobs.map(() => [undefined, false]),
  )
  for (const jobName of jobNames) {
    const isThere = jobs.some((job) => job.jobName === jobName)
    const isRun = instances.some(({ jobs: { jobNames: names } }) => names.includes(jobName))
    if (isRun) expect(isThere).toBe(true)
    if (!isThere) expect(await pathsLeft(cluster, jobName)).toEqual([])
  }
}

/** Every wish is taken back, and whoever was sent away comes again. */
async function calmDown(world: World): Promise<void> {
  const { cluster, operators } = world
  const [operator] = operators as [Operations]
  await world.settle()
  for (const job of await cluster.until(operator.jobs())) {
    if (job.removing) await cluster.until(operator.remove({ job: job.jobName }))
  }
  await expectNoZombies(world)
  for (const instance of world.instances) {
    for (const jobName of jobNames) {
      if (instance.jobs.jobNames.includes(jobName)) continue
      await cluster.until(world.schedule(instance, jobName))
    }
  }
  for (const job of jobNames) {
    await cluster.until(operator.resume({ job }))
    await cluster.until(operator.enable({ job }))
    await cluster.until(operator.updateConfiguration(job, { shardingTotalCount: 3 }))
    await cluster.advance(8000)
    for (const shardingItem of [0, 1, 2])
      await cluster.until(operator.enableShard(job, shardingItem))
  }
  await cluster.advance(20_000)
}

/** A thousand actions in all. */
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

describe.each(seeds)('operators at the wrong moments, seed %i', (seed) => {
  it('leave no zombie behind, and everything runs afterwards', async () => {
    const world = await startWorld(seed)
    const { cluster, random } = world
    for (let action = 0; action < actions; action++) {
      world.act()
      // Often before anything has been answered, now and then across a fire.
      await cluster.advance(random.pick([0, 1, 3, 20, 200, 1500, 4000]))
    }
    await calmDown(world)
    expect(world.unexpected).toEqual([])

    await cluster.toPhase(2500, period)
    const from = cluster.runs.length
    await cluster.advance(2 * period)
    const ran = cluster.runs.slice(from).map((run) => `${run.jobName}/${run.shardingItem}`)
    const every = jobNames.flatMap((job) =>
      [0, 1, 2].map((shardingItem) => `${job}/${shardingItem}`),
    )
    expect(ran.toSorted()).toEqual([...every, ...every].toSorted())
    const times = cluster.runs
      .filter(({ source, attempt }) => source === 'cron' && attempt === 1)
      .map(({ jobName, shardingItem, fireTime }) => `${jobName}/${shardingItem}@${fireTime}`)
    expect(times).toHaveLength(new Set(times).size)

    const [operator] = world.operators as [Operations]
    for (const job of jobNames) {
      const { shards, resharding, instances } = await cluster.until(operator.job(job))
      expect(instances).toHaveLength(ips.length)
      expect(resharding).toBeUndefined()
      expect(shards.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending'])
    }
    for (const job of jobNames) {
      await cluster.until(operator.remove({ job }))
      expect(await pathsLeft(cluster, job)).toEqual([])
    }
    await cluster.advance(30_000)
    for (const job of jobNames) expect(await pathsLeft(cluster, job)).toEqual([])
    for (const one of world.operators) await cluster.until(one.close())
    await cluster.stop()
  })
})
