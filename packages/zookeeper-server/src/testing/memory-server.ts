import type { EventEmitter } from 'node:events'
import type { Clock, Random } from '@elasticjob/zookeeper'
import type { CoreOptions } from '../core-options.ts'
import type { Durability } from '../durability.ts'
import type { ServerEvents } from '../events.ts'
import { assembleServer, insides, type ServerParts } from '../running-server.ts'
import type { Limits } from '../server-options.ts'
import type { MemoryNetwork } from './memory-network.ts'

/** The options of a `MemoryServer`. */
export interface MemoryServerOptions extends CoreOptions, Limits {
  readonly network: MemoryNetwork
  readonly clock: Clock
  readonly random: Random
  /**
   * The address of its machine.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /** @default 2181 */
  readonly port?: number
  /**
   * Its storage.
   * @default none
   */
  readonly durability?: Durability
}

/** A server on a memory network. */
export class MemoryServer {
  readonly connectString: string
  readonly #parts: ServerParts
  readonly #listener: { close(): Promise<void>; reopen(): Promise<void> }

  private constructor(connectString: string, parts: ServerParts, listen: () => () => void) {
    this.connectString = connectString
    this.#parts = parts
    let stop: (() => void) | undefined = listen()
    this.#listener = {
      close() {
        stop?.()
        stop = undefined
        return Promise.resolve()
      },
      reopen() {
        stop ??= listen()
        return Promise.resolve()
      },
    }
    insides.set(this, { ...parts, listener: this.#listener })
  }

  static async start(options: MemoryServerOptions): Promise<MemoryServer> {
    const { network, host = '127.0.0.1', port = 2181 } = options
    const parts = await assembleServer(options, options.durability)
    return new MemoryServer(`${host}:${port}`, parts, () =>
      network.listen(host, port, (stream, address, clientPort) =>
        parts.runtime.accept(stream, address, clientPort),
      ),
    )
  }

  get events(): EventEmitter<ServerEvents> {
    return this.#parts.runtime.events
  }

  async stop(): Promise<void> {
    await this.#listener.close()
    await this.#parts.runtime.close()
  }
}
