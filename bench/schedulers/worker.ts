import type {
  BareTransactions,
  Command,
  FireTimes,
  RunLine,
  Started,
  WantedJob,
} from '../drivers/schedulers/contract.ts'
import { LineProcess } from '../measure/line-process.ts'
import { type Usage, usageOf } from '../measure/process-usage.ts'

/** A run as it is spoken of here. */
export interface Run {
  readonly job: string
  readonly shard: number
  /** The scheduled time. */
  readonly fire: number
  /** The first line of its code. */
  readonly at: number
}

/** A process with a scheduler that is told what to do; see the contract. */
export class Worker {
  readonly side: string
  readonly #process: LineProcess

  private constructor(side: string, running: LineProcess) {
    this.side = side
    this.#process = running
  }

  static async start(side: string, command: readonly string[]): Promise<Worker> {
    return new Worker(side, await LineProcess.start(command))
  }

  async startJobs(jobs: readonly WantedJob[]): Promise<Started> {
    return (await this.#ask({ do: 'start', jobs })) as Started
  }

  async stopJob(job: string): Promise<void> {
    await this.#ask({ do: 'stop', job })
  }

  /** Forgets what has run. */
  async clear(): Promise<void> {
    await this.#ask({ do: 'clear' })
  }

  async runs(): Promise<Run[]> {
    const { runs } = (await this.#ask({ do: 'runs' })) as { runs: readonly RunLine[] }
    return runs.map(([job, shard, fire, at]) => ({ job, shard, fire, at }))
  }

  async bareTransactions(job: WantedJob, count: number): Promise<BareTransactions> {
    const { name, shards, failover } = job
    const command = { do: 'bare', job: name, shards, failover, count } as const
    return (await this.#ask(command)) as BareTransactions
  }

  /** How long so many more fires took, as the process itself sees it. */
  async ownFires(count: number): Promise<FireTimes> {
    return (await this.#ask({ do: 'own-fires', count })) as FireTimes
  }

  /** Collects garbage. */
  async collect(): Promise<void> {
    await this.#ask({ do: 'collect' })
  }

  /** What the process uses, garbage aside. */
  async usage(): Promise<Usage> {
    await this.collect()
    return this.usageNow()
  }

  usageNow(): Usage {
    return usageOf(this.#process.pid)
  }

  end(): Promise<void> {
    return this.#process.end()
  }

  /** kill -9. */
  async crash(): Promise<void> {
    this.#process.kill()
    await this.#process.end()
  }

  async #ask(command: Command): Promise<unknown> {
    this.#process.write(command)
    return this.#process.next()
  }
}
