/** Watches a job's tree as somebody else: when the `running` of which shard comes, and when it goes. */
import { ZooKeeper } from '@elasticjob/zookeeper'
import { WallClock } from '../drivers/schedulers/wall-clock.ts'

export interface Mark {
  readonly shard: number
  readonly what: 'created' | 'deleted'
  /** In milliseconds since 1970. */
  readonly at: number
}

/** When a node was deleted, in milliseconds since 1970. */
export interface Deletion {
  readonly at: Promise<number>
}

const markPath = /\/sharding\/(\d+)\/running$/

export class Observer {
  readonly #client: ZooKeeper
  readonly #clock = new WallClock()

  private constructor(client: ZooKeeper) {
    this.#client = client
  }

  static async connect(servers: string): Promise<Observer> {
    return new Observer(await ZooKeeper.connect({ servers }))
  }

  /** Notes every mark of the job from now on; what it returns is filled meanwhile. */
  async marksOf(namespace: string, job: string): Promise<Mark[]> {
    const marks: Mark[] = []
    this.#clock.set()
    await this.#client.addWatch(`/${namespace}/${job}`, 'recursive', ({ type, path }) => {
      const at = this.#clock.now()
      const shard = markPath.exec(path)?.[1]
      if (shard === undefined || (type !== 'created' && type !== 'deleted')) return
      marks.push({ shard: Number(shard), what: type, at })
    })
    return marks
  }

  /** Resolves when the node of an instance is watched; `at` does when it is deleted. */
  async deletionOf(namespace: string, job: string, instance: string): Promise<Deletion> {
    this.#clock.set()
    const { promise, resolve } = deferred()
    await this.#client.exists(`/${namespace}/${job}/instances/${instance}`, {
      watch: ({ type }) => {
        if (type === 'deleted') resolve(this.#clock.now())
      },
    })
    return { at: promise }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

function deferred(): { promise: Promise<number>; resolve: (value: number) => void } {
  let resolve: (value: number) => void = () => {}
  const promise = new Promise<number>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/**
 * How long fires took, one of each second, from the second to the last mark that was deleted. One of which not all
 * shards ended within its second is none.
 */
export function fireTimesOf(marks: readonly Mark[], shards: number): number[] {
  const bySecond = new Map<number, number[]>()
  for (const { what, at } of marks) {
    if (what !== 'deleted') continue
    const second = Math.floor(at / 1000) * 1000
    bySecond.set(second, [...(bySecond.get(second) ?? []), at - second])
  }
  return [...bySecond.values()]
    .filter((times) => times.length === shards)
    .map((times) => Math.max(...times))
}

/** The shards that have a mark after all of these. */
export function marked(marks: readonly Mark[]): Set<number> {
  const shards = new Set<number>()
  for (const { shard, what } of marks) {
    if (what === 'created') shards.add(shard)
    else shards.delete(shard)
  }
  return shards
}
