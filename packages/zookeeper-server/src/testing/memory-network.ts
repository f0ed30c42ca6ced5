import type { ByteStream, ByteStreamHandler, Clock, Transport } from '@elasticjob/zookeeper'
import { type Acceptor, MemoryLink } from './memory-link.ts'

/** The options of a `MemoryNetwork`. */
export interface MemoryNetworkOptions {
  readonly clock: Clock
  /**
   * The latency of a chunk between two machines, in milliseconds. Called for every chunk; chunks of one
   * stream always keep their order.
   * @default 0
   */
  readonly latency?: (from: string, to: string) => number
}

/** The first client port; only four-letter words show it. */
const firstClientPort = 40_000

/**
 * A network in memory, with machines identified by address. It depends on the clock only, so that with a
 * simulated clock every run is the same.
 */
export class MemoryNetwork {
  readonly #clock: Clock
  readonly #latency: (from: string, to: string) => number
  readonly #acceptors = new Map<string, Acceptor>()
  readonly #links = new Set<MemoryLink>()
  readonly #held = new Set<string>()
  #nextPort = firstClientPort

  constructor({ clock, latency = () => 0 }: MemoryNetworkOptions) {
    this.#clock = clock
    this.#latency = latency
  }

  /** The transport of a client on this machine. */
  transport(machine: string): Transport {
    return {
      resolve: (host) => Promise.resolve([host]),
      connect: ({ address, port }, handler) => this.#connect(machine, address, port, handler),
    }
  }

  /** Accepts clients on this port until the returned function is called. */
  listen(machine: string, port: number, acceptor: Acceptor): () => void {
    const key = `${machine}:${port}`
    if (this.#acceptors.has(key)) throw new Error(`${key} is in use`)
    this.#acceptors.set(key, acceptor)
    return () => void this.#acceptors.delete(key)
  }

  /** Holds everything sent between these machines, like a broken cable, until `release`. */
  hold(one: string, other: string): void {
    this.holdWay(one, other)
    this.holdWay(other, one)
  }

  release(one: string, other: string): void {
    this.releaseWay(one, other)
    this.releaseWay(other, one)
  }

  /** Holds one direction only. */
  holdWay(from: string, to: string): void {
    this.#held.add(way(from, to))
    this.#update(from, to)
  }

  releaseWay(from: string, to: string): void {
    this.#held.delete(way(from, to))
    this.#update(from, to)
  }

  /** Resets all connections between these machines; both sides are notified. */
  reset(one: string, other: string): void {
    for (const link of this.#between(one, other)) link.reset()
  }

  #connect(machine: string, server: string, port: number, handler: ByteStreamHandler): ByteStream {
    const link = new MemoryLink({
      clock: this.#clock,
      client: machine,
      clientPort: this.#nextPort++,
      server,
      latency: this.#latency,
      handler,
      findAcceptor: () => this.#acceptors.get(`${server}:${port}`),
      onClosed: () => void this.#links.delete(link),
    })
    this.#links.add(link)
    this.#updateLink(link)
    return link
  }

  #update(one: string, other: string): void {
    for (const link of this.#between(one, other)) this.#updateLink(link)
  }

  #updateLink(link: MemoryLink): void {
    const { client, server } = link
    link.setHeld(this.#held.has(way(client, server)), this.#held.has(way(server, client)))
  }

  #between(one: string, other: string): MemoryLink[] {
    return [...this.#links].filter(
      ({ client, server }) =>
        (client === one && server === other) || (client === other && server === one),
    )
  }
}

function way(from: string, to: string): string {
  return `${from}|${to}`
}
