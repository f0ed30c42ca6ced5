import {
  isZooKeeperError,
  part,
  type Stat,
  type TransactionPart,
  ZooKeeper,
} from '@elasticjob/zookeeper'
import type { SeededRandom } from '@elasticjob/zookeeper/testing'
import { Model } from './model.ts'
import type { Operation, Outcome, Step } from './operation.ts'
import { propose } from './propose.ts'

/** The answer of a server: the outcome, and the stat of each step if it was returned. */
interface Answer {
  readonly outcome: Outcome
  readonly stats: readonly (Stat | undefined)[]
}

/** A request since the state was last known. */
export interface Asked {
  readonly operation: Operation
  readonly expected: Outcome
  /** Absent without an answer. */
  answer: Answer | undefined
}

/** A client that writes as fast as it gets answers, and knows the state it has to find afterwards. */
export class Writer {
  readonly client: ZooKeeper
  readonly root: string
  /** The last known state of the server, and the requests since then. */
  #settled: Model
  #asked: Asked[] = []
  readonly #chance: SeededRandom
  /** The state of the server after all requests are executed. */
  #coming: Model

  private constructor(client: ZooKeeper, root: string, chance: SeededRandom) {
    this.client = client
    this.root = root
    this.#chance = chance
    this.#settled = Model.withRoot(root)
    this.#coming = this.#settled.copy()
  }

  static async start(servers: string, root: string, chance: SeededRandom): Promise<Writer> {
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

  get settled(): Model {
    return this.#settled
  }

  get asked(): readonly Asked[] {
    return this.#asked
  }

  /** Writes until the connection is lost, with this many requests in flight. */
  async write(window: number, onAnswer: () => void): Promise<void> {
    const slot = async (): Promise<void> => {
      while (await this.#ask()) onAnswer()
    }
    await Promise.all(Array.from({ length: window }, slot))
  }

  /** The state is known again. */
  settle(model: Model): void {
    this.#settled = model
    this.#coming = model.copy()
    this.#asked = []
  }

  /** Sends one request; returns whether an answer arrived. */
  async #ask(): Promise<boolean> {
    const operation = propose(this.#chance, this.#coming, this.root)
    const expected = this.#coming.apply(operation)
    const asked: Asked = { operation, expected, answer: undefined }
    this.#asked.push(asked)
    try {
      asked.answer = await this.#submit(operation)
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      if (error.errno === undefined || error.outcomeUnknown) return false
      asked.answer = { outcome: { error: error.code }, stats: [] }
    }
    return true
  }

  async #submit(operation: Operation): Promise<Answer> {
    const { client } = this
    switch (operation.kind) {
      case 'create': {
        const { path, data } = operation
        const created = await client.create(path, data, modeOf(operation))
        return { outcome: { results: [created.path] }, stats: [created.stat] }
      }
      case 'set': {
        const { path, data, version } = operation
        const stat = await client.set(path, data, { version })
        return { outcome: { results: [stat.version] }, stats: [stat] }
      }
      case 'delete':
        await client.delete(operation.path, { version: operation.version })
        return { outcome: { results: [0] }, stats: [undefined] }
      case 'multi': {
        const answers = await client.multi(operation.steps.map(partOf))
        const stats = answers.map((answer) => ('stat' in answer ? answer.stat : undefined))
        const results = operation.steps.map(({ kind }, index) => {
          const answer = answers[index]
          return kind === 'create' && answer !== undefined && 'path' in answer
            ? answer.path
            : (stats[index]?.version ?? 0)
        })
        return { outcome: { results }, stats }
      }
    }
  }
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

function modeOf(step: Step & { kind: 'create' }): {
  mode: 'ephemeral' | 'persistent'
  sequential: boolean
} {
  return { mode: step.isEphemeral ? 'ephemeral' : 'persistent', sequential: step.isSequential }
}
