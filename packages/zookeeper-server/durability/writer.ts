import { isZooKeeperError, part, type Stat, type TransactionPart, ZooKeeper } from '@elasticjob/zookeeper'
import type { Chance } from './chance.ts'
import { Model } from './model.ts'
import { type Operation, type Outcome, type Step, stepsOf } from './operation.ts'
import { propose } from './propose.ts'

/** Something that was asked for since the state was last known. */
export interface Asked {
  readonly operation: Operation
  readonly expected: Outcome
  /** Whether an answer came. */
  isAcknowledged: boolean
}

/** A client that writes as fast as it is answered, and knows what it has to find afterwards. */
export class Writer {
  readonly client: ZooKeeper
  readonly root: string
  /** What was answered that should not have been. */
  readonly surprises: string[] = []
  /** What the server was known to hold, and what was asked of it since. */
  settled: Model
  asked: Asked[] = []
  /** The stats that were answered, of nodes that did not change since. */
  readonly stats: Map<string, Stat> = new Map()
  acknowledged = 0
  readonly #chance: Chance
  /** What the server will hold when it has carried out all that was asked. */
  #coming: Model

  private constructor(client: ZooKeeper, root: string, chance: Chance) {
    this.client = client
    this.root = root
    this.#chance = chance
    this.settled = Model.withRoot(root)
    this.#coming = this.settled.copy()
  }

  static async start(servers: string, root: string, chance: Chance): Promise<Writer> {
    const client = await ZooKeeper.connect({
      servers,
      sessionTimeout: 60_000,
      whileDisconnected: 'fail',
      ephemeralBytesLimit: 2 ** 30,
      reconnect: { initialDelay: 10, maxDelay: 50 },
    })
    await client.create(root)
    return new Writer(client, root, chance)
  }

  /** Writes until the connection is lost, with so many requests under way at a time. */
  async write(window: number, onAcknowledged: () => void): Promise<void> {
    let isLost = false
    const underWay = new Set<Promise<void>>()
    while (!isLost) {
      while (underWay.size < window) {
        const done = this.#ask(onAcknowledged).then((wasAnswered) => {
          underWay.delete(done)
          if (!wasAnswered) isLost = true
        })
        underWay.add(done)
      }
      await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }

  /** The state is known again. */
  settle(model: Model): void {
    this.settled = model
    this.#coming = model.copy()
    this.asked = []
  }

  /** Asks for one thing, and says whether an answer came. */
  async #ask(onAcknowledged: () => void): Promise<boolean> {
    const operation = propose(this.#chance, this.#coming, this.root)
    const asked = { operation, expected: this.#coming.apply(operation), isAcknowledged: false }
    this.asked.push(asked)
    const answer = await this.#submit(operation)
    if (answer === undefined) return false
    asked.isAcknowledged = true
    this.acknowledged++
    if (JSON.stringify(answer) !== JSON.stringify(asked.expected)) {
      this.surprises.push(
        `${JSON.stringify(operation)} was answered ${JSON.stringify(answer)}, ` +
          `not ${JSON.stringify(asked.expected)}`,
      )
    }
    onAcknowledged()
    return true
  }

  /** What the server answers; nothing if it does not. */
  async #submit(operation: Operation): Promise<Outcome | undefined> {
    try {
      return { results: await this.#results(operation) }
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      return error.errno === undefined || error.outcomeUnknown ? undefined : { error: error.code }
    }
  }

  async #results(operation: Operation): Promise<(string | number)[]> {
    switch (operation.kind) {
      case 'create': {
        const { path, stat } = await this.client.create(operation.path, operation.data, modeOf(operation))
        this.stats.set(path, stat)
        return [path]
      }
      case 'set': {
        const { path, data, version } = operation
        const stat = await this.client.set(path, data, { version })
        this.stats.set(path, stat)
        return [stat.version]
      }
      case 'delete':
        await this.client.delete(operation.path, { version: operation.version })
        this.stats.delete(operation.path)
        return [0]
      case 'multi':
        return this.#multi(operation.steps)
    }
  }

  async #multi(steps: readonly Step[]): Promise<(string | number)[]> {
    const answers = await this.client.multi(steps.map(partOf))
    return steps.map((step, index) => {
      const answer = answers[index] as { path: string } | { stat: Stat }
      if ('stat' in answer) {
        this.stats.set(step.path, answer.stat)
        return answer.stat.version
      }
      // Its creation told no times, or it is gone.
      if (step.kind !== 'check') this.stats.delete(answer.path)
      return step.kind === 'create' ? answer.path : 0
    })
  }
}

/** The paths that an operation changes, if it comes to this. */
export function changedBy({ operation, expected }: Asked): string[] {
  if ('error' in expected) return []
  return stepsOf(operation).map(({ path }, index) => {
    const result = expected.results[index]
    return typeof result === 'string' ? result : path
  })
}

function partOf(step: Step): TransactionPart {
  switch (step.kind) {
    case 'create':
      return part.create(step.path, step.data, modeOf(step))
    case 'set':
      return part.set(step.path, step.data, step.version)
    case 'delete':
      return part.delete(step.path, step.version)
    case 'check':
      return part.check(step.path, step.version)
  }
}

function modeOf(step: Step & { kind: 'create' }): { mode: 'ephemeral' | 'persistent'; sequential: boolean } {
  return { mode: step.isEphemeral ? 'ephemeral' : 'persistent', sequential: step.isSequential }
}
