import type { ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { afterEach, describe, expect, it } from 'vitest'

import { SimulatedCluster, type SimulatedInstance } from '../simulated-cluster.ts'
import { everyShardOnce, runsByShard } from '../support/counting.ts'

let cluster: SimulatedCluster

afterEach(() => cluster.stop())

/** Instances of one job that come, go, are disabled and enabled, by chance. */
class Fleet {
  readonly #random: SeededRandom
  readonly #operator: ZooKeeper
  readonly #total: number
  readonly #failover: boolean
  #members: SimulatedInstance[] = []
  readonly #disabled = new Set<string>()
  #next = 1

  constructor(random: SeededRandom, operator: ZooKeeper, total: number) {
    this.#random = random
    this.#operator = operator
    this.#total = total
    this.#failover = random.happens(0.5)
  }

  async join(): Promise<void> {
    const instance = await cluster.join(`10.0.1.${this.#next++}`)
    this.#members.push(instance)
    const options = {
      jobName: 'job',
      cron: '* * * * * ?',
      shardingTotalCount: this.#total,
      failover: this.#failover,
    }
    await cluster.until(instance.jobs.schedule(options, () => this.#work()))
  }

  /** Something happens, and somebody is always left who may run shards. */
  async change(): Promise<void> {
    const enabled = this.#members.filter(({ ip }) => !this.#disabled.has(ip))
    const one = this.#random.pick(enabled)
    const kind = this.#random.below(4)
    if (kind === 0 || enabled.length < 2) await this.join()
    else if (kind === 1) {
      this.#members = this.#members.filter((member) => member !== one)
      await cluster.until(one.jobs.stop())
    } else if (kind === 2) {
      this.#disabled.add(one.ip)
      await this.#say(one.ip, 'DISABLED')
    } else {
      for (const ip of this.#disabled) await this.#say(ip, 'ENABLED')
      this.#disabled.clear()
    }
  }

  #work(): Promise<void> {
    return new Promise((resolve) => {
      cluster.clock.setTimer(resolve, this.#random.below(400))
    })
  }

  async #say(ip: string, shardState: string): Promise<void> {
    await cluster.until(this.#operator.set(cluster.pathsOf('job').server(ip), shardState))
  }
}

describe('a fleet that changes all the time', () => {
  for (const seed of Array.from({ length: 8 }, (_, index) => index + 1)) {
    it(`runs every shard at every fire once, seed ${seed}`, async () => {
      const random = new SeededRandom(seed)
      cluster = await SimulatedCluster.start({ seed, latency: random.below(20) })
      const total = 1 + random.below(12)
      const fleet = new Fleet(random, await cluster.client(), total)
      await fleet.join()
      await cluster.advance(2_000)
      await cluster.toPhase(500)
      const from = cluster.clock.now()
      for (let step = 0; step < 25; step++) {
        await cluster.advance(random.below(2_500))
        await fleet.change()
      }
      await cluster.advance(3_000)
      await cluster.toPhase(990)
      const to = Math.floor(cluster.clock.now() / 1000) * 1000
      const runs = cluster.runs.filter(({ fireTime }) => fireTime > from && fireTime <= to)
      expect(runsByShard(runs)).toEqual(everyShardOnce(total, 1000, from, to))
      // Before the next fire, however the shard moved.
      expect(Math.max(...runs.map(({ at, fireTime }) => at - fireTime))).toBeLessThan(1000)
      expect(cluster.told('run:superseded')).toEqual([])
    })
  }
})
