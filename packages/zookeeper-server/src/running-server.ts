import type { EventEmitter } from 'node:events'
import type { Durability } from './durability.ts'
import type { ServerEvents } from './events.ts'
import { Listener } from './net/listener.ts'
import { ServerRuntime } from './runtime.ts'
import { ServerCore } from './server-core.ts'
import { resolveServerOptions, type ServerOptions } from './server-options.ts'
import { ShiftableClock } from './shiftable-clock.ts'

/** The parts of a server. */
export interface ServerParts {
  readonly core: ServerCore
  readonly runtime: ServerRuntime
  readonly clock: ShiftableClock
}

/** Assembles a server, and recovers its state if it has storage. */
export async function assembleServer(
  options: ServerOptions,
  durability?: Durability,
): Promise<ServerParts> {
  const resolved = resolveServerOptions(options)
  const clock = new ShiftableClock(resolved.clock)
  const core = new ServerCore(options, { clock, random: resolved.random, log: durability })
  try {
    await durability?.recover(core.state)
  } catch (error) {
    await durability?.close()
    throw error
  }
  core.resume()
  return { core, runtime: new ServerRuntime(core, { ...resolved, clock }, durability), clock }
}

/** A server that clients can connect to. */
export class RunningServer implements AsyncDisposable {
  readonly #parts: ServerParts
  readonly #listener: Listener
  #stopping: Promise<void> | undefined

  private constructor(parts: ServerParts, listener: Listener) {
    this.#parts = parts
    this.#listener = listener
    insides.set(this, { ...parts, listener })
    this.events.once('server:failed', () => void this.stop())
  }

  /** Recovers the stored state, and starts listening. */
  static async start(options: ServerOptions, durability?: Durability): Promise<RunningServer> {
    const parts = await assembleServer(options, durability)
    const { port, host } = parts.runtime.options
    const listener = new Listener(parts.runtime, options.tls)
    try {
      await listener.open(port, host)
    } catch (error) {
      await parts.runtime.close()
      throw error
    }
    return new RunningServer(parts, listener)
  }

  get port(): number {
    return this.#listener.port
  }

  /** The connect string for clients on this machine: `host:port`. */
  get connectString(): string {
    const { host } = this.#parts.runtime.options
    const reachable = anyAddress.get(host) ?? host
    return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${this.port}`
  }

  get events(): EventEmitter<ServerEvents> {
    return this.#parts.runtime.events
  }

  /** The number of live sessions. */
  get sessionCount(): number {
    return this.#parts.core.sessions.size
  }

  /** Closes all connections and stops. Safe to repeat; sessions are not closed. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #stop(): Promise<void> {
    await this.#listener.close()
    await this.#parts.runtime.close()
  }
}

/** The internals of a server, for fault injection. */
export interface ServerInsides extends ServerParts {
  readonly listener: { close(): Promise<void>; reopen(): Promise<void> }
}

/** Kept outside the server object: only tests use it. */
export const insides: WeakMap<object, ServerInsides> = new WeakMap()

/** The address at which a local client reaches a server that listens on every address. */
const anyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
