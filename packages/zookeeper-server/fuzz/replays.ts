import type { Difference } from './lockstep/difference.ts'
import { Lockstep } from './lockstep/lockstep.ts'
import type { FuzzOperation } from './operations/operation.ts'

/** Runs lists of operations from the same initial state, on servers that are reused until they differ. */
export class Replays implements AsyncDisposable {
  #servers: Lockstep | undefined

  async run(operations: readonly FuzzOperation[]): Promise<Difference | undefined> {
    this.#servers ??= await Lockstep.start()
    const difference = await this.#servers.run(operations)
    if (difference !== undefined) await this[Symbol.asyncDispose]()
    return difference
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#servers?.stop()
    this.#servers = undefined
  }
}
