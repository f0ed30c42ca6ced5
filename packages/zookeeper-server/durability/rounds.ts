import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AbandonedSession } from './abandoned-session.ts'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { explain } from './explain.ts'
import { observe } from './observe.ts'
import { type ChildOptions, ServerChild } from './server-child.ts'
import { Writer } from './writer.ts'

export type FsyncMode = 'on' | 'off'

/** What was done and found. */
export interface Tally {
  rounds: number
  kills: number
  acknowledged: number
  /** Requests without an answer, and how many of them were executed nevertheless. */
  lost: number
  unanswered: number
  snapshots: number
  cuts: number
  expirations: number
}

const tickTime = 500
/** Two clients, each with its own session and nodes. */
const writerCount = 2

/** Kills and checks the server in this many rounds; throws at the first violation. */
export async function runRounds(
  rounds: number,
  seed: number,
  mode: FsyncMode,
  onRound: (round: number) => void,
): Promise<Tally> {
  const dataDir = await mkdtemp(join(tmpdir(), 'elasticjob-durability-'))
  const run = new DurabilityRun(dataDir, new SeededRandom(seed), mode === 'on')
  try {
    await run.begin()
    for (let round = 1; round <= rounds; round++) {
      await run.round(round)
      onRound(round)
    }
    await run.end()
  } catch (error) {
    await run.abort()
    throw new Error(`seed ${seed}, round ${run.tally.rounds + 1}; its data is in ${dataDir}`, {
      cause: error,
    })
  }
  await rm(dataDir, { recursive: true })
  return run.tally
}

class DurabilityRun {
  readonly tally: Tally = {
    rounds: 0,
    kills: 0,
    acknowledged: 0,
    lost: 0,
    unanswered: 0,
    snapshots: 0,
    cuts: 0,
    expirations: 0,
  }
  readonly #dataDir: string
  readonly #chance: SeededRandom
  readonly #fsync: boolean
  #server: ServerChild | undefined
  #port = 0
  #writers: Writer[] = []
  #sessions: bigint[] = []

  constructor(dataDir: string, chance: SeededRandom, fsync: boolean) {
    this.#dataDir = dataDir
    this.#chance = chance
    this.#fsync = fsync
  }

  async begin(): Promise<void> {
    await this.#start()
    for (let index = 0; index < writerCount; index++) {
      const chance = new SeededRandom(this.#chance.below(2 ** 31))
      this.#writers.push(await Writer.start(`127.0.0.1:${this.#port}`, `/writer-${index}`, chance))
    }
    this.#sessions = this.#writers.map(({ client }) => client.sessionId)
  }

  /** Clients write, the server is killed, a new server starts, and its state is checked. */
  async round(round: number): Promise<void> {
    const abandoned =
      round % 10 === 0
        ? await AbandonedSession.open(
            `127.0.0.1:${this.#port}`,
            `/abandoned-${round}`,
            4 * tickTime,
          )
        : undefined
    await this.#writeAndKill()
    await abandoned?.leave()
    if (this.#chance.happens(0.25)) await this.#killWhileItStarts()
    const started = performance.now()
    await this.#start()
    await this.#reconnected()
    if (abandoned !== undefined) {
      await abandoned.expectToExpire(this.#anyWriter.client, started)
      this.tally.expirations++
    }
    await this.#check()
    this.tally.rounds++
  }

  /** A server that was shut down normally has everything, too. */
  async end(): Promise<void> {
    await this.#server?.stop()
    await this.#start()
    await this.#reconnected()
    await this.#check()
    for (const { client } of this.#writers) await client.close()
    await this.#server?.stop()
  }

  async abort(): Promise<void> {
    await this.#server?.kill()
    for (const { client } of this.#writers) await client.close()
  }

  get #anyWriter(): Writer {
    return this.#chance.pick(this.#writers)
  }

  async #start(): Promise<void> {
    this.#server = new ServerChild(this.#options())
    this.#port = await this.#server.ready
    if (this.#server.hasCutLog) this.tally.cuts++
  }

  #options(): ChildOptions {
    return {
      port: this.#port,
      dataDir: this.#dataDir,
      fsync: this.#fsync,
      tickTime,
      maxSessionTimeout: 60_000,
      snapshotAfterTransactions: this.#chance.pick([20, 100, 500, 100_000]),
      keepSnapshots: 1 + this.#chance.below(3),
    }
  }

  async #writeAndKill(): Promise<void> {
    const server = this.#server as ServerChild
    const answersToGo = this.#chance.below(1500)
    const timeout = this.#chance.fraction() * 10
    let answers = 0
    let killed: Promise<void> | undefined
    const kill = async (): Promise<void> => {
      await delay(timeout)
      await server.kill()
    }
    const onAnswer = (): void => {
      if (++answers > answersToGo) killed ??= kill()
    }
    const window = 1 + this.#chance.below(150)
    await Promise.all(this.#writers.map((writer) => writer.write(window, onAnswer)))
    await killed
    this.tally.kills++
    this.tally.snapshots += server.snapshots
  }

  async #killWhileItStarts(): Promise<void> {
    const server = new ServerChild(this.#options())
    await delay(this.#chance.below(1000))
    await server.kill()
    this.tally.kills++
  }

  /** Sessions survive: the clients resume theirs. */
  async #reconnected(): Promise<void> {
    for (const [index, { client }] of this.#writers.entries()) {
      await client.sync('/', { whileDisconnected: 'wait' })
      if (client.sessionId === this.#sessions[index]) continue
      throw new Error(`the session of ${this.#writers[index]?.root} is gone`)
    }
  }

  async #check(): Promise<void> {
    for (const writer of this.#writers) {
      const { client, settled, asked } = writer
      const observed = await observe(client, writer.root)
      const explanation = explain(settled, asked, observed, client.sessionId)
      this.tally.acknowledged += explanation.acknowledged
      this.tally.unanswered += explanation.unanswered
      this.tally.lost += asked.length - explanation.acknowledged
      writer.settle(explanation.model)
    }
  }
}
