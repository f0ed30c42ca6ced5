import type { Measurement, Task } from '../drivers/contract.ts'
import { LineProcess } from './line-process.ts'

/** A running driver of one client: see the contract. */
export class Driver {
  readonly #process: LineProcess
  #tasks = 0

  private constructor(running: LineProcess) {
    this.#process = running
  }

  /** Starts a driver; resolves when its client is connected. */
  static async start(command: readonly string[]): Promise<Driver> {
    return new Driver(await LineProcess.start(command))
  }

  /** What the task comes to; null when the client cannot do it. */
  async measure(task: Task): Promise<Measurement | null> {
    this.#process.write({ id: ++this.#tasks, ...task })
    const { result, error } = (await this.#process.next()) as {
      result?: Measurement | null
      error?: string
    }
    if (error !== undefined || result === undefined) throw new Error(error ?? 'no result came')
    return result
  }

  /** Lets the driver close its client and end. */
  end(): Promise<void> {
    return this.#process.end()
  }

  /** Ends the driver whatever it is doing. */
  kill(): void {
    this.#process.kill()
  }
}
