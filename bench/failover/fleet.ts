/** The processes that a failover is measured with: some that survive, and one after the other that does not. */
import { EventEmitter } from 'node:events'
import { program } from '../measure/build.ts'
import { launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'

export const namespace = 'failover'

/** A shard's first line of code, in milliseconds of the machine's clock. */
export interface Begun {
  readonly shard: number
  readonly at: number
}

export interface FleetSettings {
  readonly servers: string
  readonly shards: number
  readonly pinned: boolean
}

/** The one that will be gone has a short session: what is measured begins when that is over. */
const victimTimeout = 1_000
const victimIp = '10.9.0.1'

function command(
  { servers, shards, pinned }: FleetSettings,
  ip: string,
  timeout: number,
): readonly string[] {
  return [
    ...launcher('client', pinned),
    ...program('drivers/failover/instance.js'),
    servers,
    namespace,
    ip,
    String(shards),
    String(timeout),
  ]
}

/** Instances that stay, and all that they say. */
export class Survivors extends EventEmitter<{ begun: [Begun] }> {
  readonly #processes: LineProcess[] = []
  #isEnding = false

  static async start(count: number, settings: FleetSettings): Promise<Survivors> {
    const survivors = new Survivors()
    for (let index = 0; index < count; index++) {
      const running = await LineProcess.start(command(settings, `10.1.0.${index + 1}`, 0))
      survivors.#processes.push(running)
      void survivors.#follow(running)
    }
    return survivors
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#processes.map((running) => running.end()))
  }

  async #follow(running: LineProcess): Promise<void> {
    try {
      for (;;) this.emit('begun', (await running.next()) as Begun)
    } catch (error) {
      if (!this.#isEnding) throw error
    }
  }
}

/** An instance that owns all shards and runs them until it is ended. */
export class Victim {
  readonly instance: string
  readonly #process: LineProcess

  private constructor(running: LineProcess<{ instance: string }>) {
    this.#process = running
    this.instance = running.greeting.instance
  }

  /** Resolves when it runs all shards. */
  static async start(settings: FleetSettings): Promise<Victim> {
    const running = await LineProcess.start<{ instance: string }>(
      command(settings, victimIp, victimTimeout),
    )
    running.write({ do: 'run' })
    await running.next()
    return new Victim(running)
  }

  /** kill -9, or the signal that lets it drain. */
  end(signal: 'SIGKILL' | 'SIGTERM'): void {
    process.kill(this.#process.pid, signal)
  }

  /** Resolves when its process is gone. */
  gone(): Promise<void> {
    return this.#process.end()
  }
}
