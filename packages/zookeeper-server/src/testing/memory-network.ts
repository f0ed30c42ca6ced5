import type { ByteStream, ByteStreamHandler, Clock, Transport } from '@elasticjob/zookeeper'
import { type Acceptor, MemoryLink } from './memory-link.ts'

export interface MemoryNetworkOptions {
  readonly clock: Clock
  /**
   * How many milliseconds a chunk takes from one machine to another. Asked for every chunk: chunks
   * of one stream keep their order whatever it answers.
   * @default 0
   */
  readonly latency?: (from: string, to: string) => number
}

/** The first port given to clients; only four-letter words ever show it. */
const firstClientPort = 40_000

/**
 * A network in memory, with machines known by their address. Time is the only thing it depends on,
 * so that with a simulated clock every run is the same.
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

  /** What a client on this machine connects with. */
  transport(machine: string): Transport {
    return {
      resolve: (host) => Promise.resolve([host]),
      connect: ({ address, port }, handler) => this.#connect(machine, address, port, handler),
    }
  }

  /** Lets clients connect to this port, until the function that is answered is called. */
  listen(machine: string, port: number, acceptor: Acceptor): () => void {
    const key = `${machine}:${port}`
    if (this.#acceptors.has(key)) throw new Error(`${key} is in use`)
    this.#acceptors.set(key, acceptor)
    return () => void this.#acceptors.delete(key)
  }

  /** What is sent between these machines stays under way, as with a broken cable, until `release`. */
  hold(one: string, other: string): void {
    this.#held.add(pair(one, other))
    this.#update(one, other)
  }

  release(one: string, other: string): void {
    this.#held.delete(pair(one, other))
    this.#update(one, other)
  }

  /** Ends all connections between these machines; both sides hear of it. */
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
    link.setHeld(this.#held.has(pair(machine, server)))
    return link
  }

  #update(one: string, other: string): void {
    const isHeld = this.#held.has(pair(one, other))
    for (const link of this.#between(one, other)) link.setHeld(isHeld)
  }

  #between(one: string, other: string): MemoryLink[] {
    return [...this.#links].filter(
      ({ client, server }) =>
        (client === one && server === other) || (client === other && server === one),
    )
  }
}

function pair(one: string, other: string): string {
  return [one, other].toSorted().join('|')
}
