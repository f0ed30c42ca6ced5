/** Runs while instances die, stand still, are cut off and come and go: from a seed. */
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'
import { type FleetMember, work } from '../support/fleet.ts'
import { job, type Manners, Rounds, serverHost } from './rounds.ts'

const shards = 4
const period = 20_000
/** Longer than every timeout. */
const calm = 120_000

class Churn {
  readonly cluster: SimulatedCluster
  readonly rounds: Rounds
  /** Every call of a listener, once it has begun. */
  readonly calls: string[] = []
  readonly #random: SeededRandom
  readonly #failover: boolean
  readonly #fleet: FleetMember[] = []

  constructor(cluster: SimulatedCluster, seed: number, failover: boolean) {
    this.cluster = cluster
    this.rounds = new Rounds(cluster)
    this.#random = new SeededRandom(seed)
    this.#failover = failover
  }

  below(limit: number): number {
    return Math.floor(this.#random.fraction() * limit)
  }

  async join(): Promise<void> {
    const ip = `10.0.1.${this.cluster.instances.length + 1}`
    const tell =
      (what: 'before' | 'after'): Manners['beforeLastStarted'] =>
      async ({ fireTime }) => {
        this.calls.push(`${what} ${fireTime.getTime()}`)
        await work(member, 500 + this.below(2_000))
        this.rounds.add(what, fireTime)
      }
    const options = job({
      cron: '0/20 * * * * ?',
      shardingTotalCount: shards,
      failover: this.#failover,
    })
    const member: FleetMember = await this.rounds.enlist(
      ip,
      options,
      (_, here) => work(here, 100 + this.below(8_000)),
      {
        startedTimeout: 15_000,
        beforeLastStarted: tell('before'),
        afterLastCompleted: tell('after'),
      },
    )
    this.#fleet.push(member)
  }

  /** Something goes wrong, or somebody does something. */
  async step(): Promise<void> {
    const { cluster } = this
    const one = this.#fleet[this.below(this.#fleet.length)] as FleetMember
    switch (this.below(6)) {
      case 0:
        one.machine.die()
        await this.#replace(one)
        break
      case 1:
        one.machine.freeze()
        await cluster.advance(this.below(30_000))
        one.machine.wake()
        break
      case 2:
        cluster.network.reset(one.ip, serverHost)
        break
      case 3:
        cluster.network.hold(one.ip, serverHost)
        await cluster.advance(this.below(12_000))
        cluster.network.release(one.ip, serverHost)
        break
      case 4:
        // While it is cut off, or another one waits already, it is refused.
        void one.job.trigger().catch(() => {})
        break
      default:
        void one.jobs.stop()
        await this.#replace(one)
    }
  }

  async #replace(one: FleetMember): Promise<void> {
    this.#fleet.splice(this.#fleet.indexOf(one), 1)
    await this.join()
  }
}

describe.for([
  [1, false],
  [2, true],
  [3, false],
  [4, true],
] as const)('seed %i, with failover %s', ([seed, failover]) => {
  it('no run is told twice or unprepared, and none is forgotten in silence', async () => {
    const cluster = await SimulatedCluster.start({ seed })
    const churn = new Churn(cluster, seed, failover)
    for (let count = 0; count < 4; count++) await churn.join()
    for (let steps = 0; steps < 25; steps++) {
      await cluster.advance(1_000 + churn.below(15_000))
      await churn.step()
    }
    await cluster.advance(calm)
    const { rounds, calls } = churn
    const quietFrom = cluster.clock.now()
    await cluster.advance(5 * period)

    // With failover a call is made again when its caller has died.
    const repeated = calls.filter((call, index) => calls.indexOf(call) !== index)
    expect(failover ? [] : repeated).toEqual([])

    const times = [...new Set(rounds.happenings.map(({ fireTime }) => fireTime))]
    const over = times.filter((fireTime) => fireTime < quietFrom + 4 * period)
    const timedOut = cluster.told('barrier:timed-out')
    const broken = cluster.told('barrier:broken')
    const isTold = (fireTime: number, phase: 'started' | 'completed'): boolean =>
      [...timedOut, ...broken].some((one) => one.fireTime === fireTime && one.phase === phase)

    const unprepared = over.filter((fireTime) => {
      const order = rounds.order(fireTime)
      const begin = order.findIndex((what) => what.startsWith('begin'))
      const before = order.indexOf('before')
      return begin !== -1 && (before === -1 || before > begin) && !isTold(fireTime, 'started')
    })
    expect(unprepared.map((fireTime) => rounds.order(fireTime))).toEqual([])

    const unended = over.filter(
      (fireTime) => !rounds.order(fireTime).includes('after') && !isTold(fireTime, 'completed'),
    )
    expect(unended.map((fireTime) => rounds.order(fireTime))).toEqual([])

    const quiet = over.filter((fireTime) => fireTime > quietFrom)
    expect(quiet.length).toBeGreaterThan(0)
    for (const fireTime of quiet) {
      const order = rounds.order(fireTime)
      expect([order[0], order.at(-1), order.length]).toEqual(['before', 'after', 2 * shards + 2])
    }
    await cluster.stop()
  })
})
