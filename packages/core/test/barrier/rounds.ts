/** A fleet whose listeners are told of whole runs, and write down what they are told. */
import type { JobListener, JobOptions, MultiShardingContext } from '../../src/index.ts'
import type { SimulatedCluster, SimulatedInstance } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from '../support/fleet.ts'

export const minute = 60_000
export const serverHost = '10.0.0.1'

export const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 3,
  jobListenerTypes: ['ONCE'],
  ...options,
})

/** Each shard takes its own time. */
export const unequal: FleetBody = ({ shardingItem }, here) => work(here, 1_000 * (shardingItem + 1))
export const quick: FleetBody = () => Promise.resolve()
export const tenSeconds: FleetBody = (_, here) => work(here, 10_000)

/** What a listener does otherwise than to write down; undefined for what it does not do. */
export type Manners = { readonly [Key in keyof JobListener]?: JobListener[Key] | undefined }

/** One thing that happened: a call of a listener, or a body that began or ended. */
interface Happening {
  readonly what: 'before' | 'begin' | 'end' | 'after'
  /** The scheduled time, or when the trigger was asked for. */
  readonly fireTime: number
  readonly shard: number | undefined
}

export class Rounds {
  happenings: Happening[] = []
  readonly fleet: FleetMember[] = []
  readonly #cluster: SimulatedCluster

  constructor(cluster: SimulatedCluster) {
    this.#cluster = cluster
  }

  /** What happened, in its order: of one run, or of all. */
  order(fireTime?: number): string[] {
    return this.happenings
      .filter((one) => fireTime === undefined || one.fireTime === fireTime)
      .map(({ what, shard }) => (shard === undefined ? what : `${what} ${shard}`))
  }

  count(what: Happening['what']): number {
    return this.happenings.filter((one) => one.what === what).length
  }

  add(what: Happening['what'], fireTime: Date, shard?: number): void {
    this.happenings.push({ what, fireTime: fireTime.getTime(), shard })
  }

  /** A process whose listener writes down what it is told. */
  async enlist(
    ip: string,
    options = job(),
    body: FleetBody = quick,
    manners: Manners = {},
  ): Promise<FleetMember> {
    const listener = {
      type: 'ONCE',
      beforeLastStarted: ({ fireTime }: MultiShardingContext) => this.add('before', fireTime),
      afterLastCompleted: ({ fireTime }: MultiShardingContext) => this.add('after', fireTime),
      ...manners,
    }
    const logged: FleetBody = async (context, here: SimulatedInstance) => {
      this.add('begin', context.fireTime, context.shardingItem)
      await body(context, here)
      this.add('end', context.fireTime, context.shardingItem)
    }
    const listeners = [listener as JobListener]
    const member = await enlist(this.#cluster, ip, options, logged, { listeners })
    this.fleet.push(member)
    return member
  }

  /** Three instances, each with a shard of its own. */
  async trio(options = job(), body: FleetBody = unequal, manners: Manners = {}): Promise<void> {
    for (const ip of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) {
      await this.enlist(ip, options, body, manners)
    }
    await this.#cluster.advance(8_000)
    if (this.fleet.some((member) => member.job.shardingItems.length !== 1)) {
      throw new Error('the shards are not assigned evenly')
    }
  }

  /** To so many milliseconds after the next full minute. */
  async pastFire(milliseconds: number): Promise<void> {
    await this.#cluster.toPhase(0, minute)
    await this.#cluster.advance(milliseconds)
  }

  /** Somebody who does not lead stands still from shortly before the next full minute on. */
  async freezeOne(): Promise<{ readonly frozen: FleetMember; readonly others: FleetMember[] }> {
    await this.#cluster.toPhase(55_000, minute)
    const living = this.fleet.filter(({ machine }) => !machine.isDead)
    const frozen = living.find((member) => !member.job.isLeader)
    if (frozen === undefined) throw new Error('nobody follows')
    frozen.machine.freeze()
    return { frozen, others: living.filter((member) => member !== frozen) }
  }

  /** Somebody who does not lead. */
  get follower(): FleetMember {
    const found = this.fleet.find((member) => !member.job.isLeader)
    if (found === undefined) throw new Error('nobody follows')
    return found
  }

  /** Where a listener is being called. */
  callerOf({ taskId }: MultiShardingContext): FleetMember {
    const ip = taskId.split('@-@')[3]
    const found = this.fleet.find((member) => member.ip === ip)
    if (found === undefined) throw new Error(`nobody is at ${ip}`)
    return found
  }

  async disable(shard: number): Promise<void> {
    const operator = await this.#cluster.client('10.0.9.3')
    const path = this.#cluster.pathsOf('job').mark(shard, 'disabled')
    await this.#cluster.until(operator.create(path, ''))
  }
}

export function shardOf({ job: { shardingItems } }: FleetMember): number {
  return shardingItems[0] ?? -1
}
