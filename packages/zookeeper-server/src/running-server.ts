import type { EventEmitter } from 'node:events'
import type { Durability } from './durability.ts'
import type { ServerEvents } from './events.ts'
import { Listener } from './net/listener.ts'
import { ServerRuntime } from './runtime.ts'
import { ServerCore } from './server-core.ts'
import { resolveServerOptions, type ServerOptions } from './server-options.ts'
import { ShiftableClock } from './shiftable-clock.ts'

/** What a server is made of. */
export interface ServerParts {
  readonly core: ServerCore
  readonly runtime: ServerRuntime
  readonly clock: ShiftableClock
}

/** Puts a server together, with what is stored if there is a place where things are. */
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
  #closing: Promise<void> | undefined

  private constructor(parts: ServerParts, listener: Listener) {
    this.#parts = parts
    this.#listener = listener
    insides.set(this, { ...parts, listener })
    this.events.once('server:failed', () => void this.close())
  }

  /** Recovers what is stored, and begins to listen. */
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

  /** The port that the server listens on. */
  get port(): number {
    return this.#listener.port
  }

  /** What a client on this machine is given to connect: `host:port`. */
  get connectString(): string {
    const { host } = this.#parts.runtime.options
    const reachable = anyAddress.get(host) ?? host
    return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${this.port}`
  }

  /** What the server tells of itself. */
  get events(): EventEmitter<ServerEvents> {
    return this.#parts.runtime.events
  }

  /** The number of sessions that live. */
  get sessionCount(): number {
    return this.#parts.core.sessions.size
  }

  /** Ends all connections and stops. May be called more than once; sessions are not closed by it. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    await this.#listener.close()
    await this.#parts.runtime.close()
  }
}

/** What of a server those need who make it fail on purpose. */
export interface ServerInsides extends ServerParts {
  readonly listener: { close(): Promise<void>; reopen(): Promise<void> }
}

/** Kept apart from the server itself: what is in here is nobody's business but a test's. */
export const insides: WeakMap<object, ServerInsides> = new WeakMap()

/** Where a client of this machine reaches a server that listens on every address. */
const anyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
