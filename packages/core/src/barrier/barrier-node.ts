import type { Coordination } from '../job-tree/coordination.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part, toText } from '../registry/transaction.ts'
import {
  decodeBarrierState,
  encodeBarrierState,
  noBarriers,
  type BarrierState,
} from './barrier-state.ts'

/** The barrier state as it was last read or written. */
export class BarrierNode {
  readonly #host: Coordination
  #value: BarrierState = noBarriers
  #version = -1

  constructor(host: Coordination) {
    this.#host = host
  }

  get value(): BarrierState {
    return this.#value
  }

  /** Answers whether it can be read. */
  async read(): Promise<boolean> {
    const { session, replica, health } = this.#host
    const path = replica.paths.shardStates
    const { data, stat } = await session.get(path)
    const { value, problem } = decodeBarrierState(toText(data), path)
    health.read(path, problem)
    if (value === undefined) return false
    this.#value = value
    this.#version = stat.version
    return true
  }

  /** Answers whether nobody had changed it since it was read. */
  async write(state: BarrierState): Promise<boolean> {
    const { session, replica } = this.#host
    const operation = part.set(replica.paths.shardStates, encodeBarrierState(state), this.#version)
    try {
      const [result] = await session.commit([operation])
      this.#value = state
      this.#version = result?.stat?.version ?? -1
      return true
    } catch (error) {
      if (isRegistryError(error, 'REGISTRY_BAD_VERSION')) return false
      throw error
    }
  }
}
