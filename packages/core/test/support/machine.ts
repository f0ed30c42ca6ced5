import type { ByteStream, ByteStreamHandler, Clock, Timer, Transport } from '@elasticjob/zookeeper'

/** A machine with one process on it, which can stand still, go on, and die. */
export class Machine {
  readonly clock: Clock
  readonly transport: Transport
  readonly #base: Clock
  readonly #streams = new Set<ByteStream>()
  /** What would have happened while it stood still: a loop that goes on takes its timers first. */
  readonly #timers: (() => void)[] = []
  readonly #others: (() => void)[] = []
  #state: 'running' | 'frozen' | 'dead' = 'running'
  /** By how much its wall clock is ahead of everybody's. */
  ahead = 0

  constructor(base: Clock, network: Transport) {
    this.#base = base
    this.clock = {
      now: () => base.now() + this.ahead,
      monotonic: () => base.monotonic(),
      boot: () => base.boot(),
      setTimer: (callback, milliseconds) => this.#timer(callback, milliseconds),
      afterPoll: (callback) => base.afterPoll(() => this.#happen(this.#others, callback)),
    }
    this.transport = {
      resolve: (host) => network.resolve(host),
      connect: (endpoint, handler) => {
        const stream = network.connect(endpoint, this.#heldUp(handler))
        this.#streams.add(stream)
        return stream
      },
    }
  }

  get isDead(): boolean {
    return this.#state === 'dead'
  }

  /** Nothing happens here until it wakes; its connections stay open. */
  freeze(): void {
    this.#state = 'frozen'
  }

  wake(): void {
    this.#state = 'running'
    for (const event of [...this.#timers.splice(0), ...this.#others.splice(0)]) event()
  }

  /** Like `kill -9`: no code of it runs any more, and its connections are closed. */
  die(): void {
    this.#state = 'dead'
    for (const stream of this.#streams) stream.destroy()
  }

  #timer(callback: () => void, milliseconds: number): Timer {
    let isCancelled = false
    const timer = this.#base.setTimer(() => {
      this.#happen(this.#timers, () => {
        if (!isCancelled) callback()
      })
    }, milliseconds)
    return {
      cancel() {
        isCancelled = true
        timer.cancel()
      },
    }
  }

  #heldUp(handler: ByteStreamHandler): ByteStreamHandler {
    return {
      opened: () => this.#happen(this.#others, () => handler.opened()),
      received: (chunk) => this.#happen(this.#others, () => handler.received(chunk)),
      closed: (error) => this.#happen(this.#others, () => handler.closed(error)),
    }
  }

  #happen(backlog: (() => void)[], event: () => void): void {
    if (this.#state === 'running') event()
    else if (this.#state === 'frozen') backlog.push(event)
  }
}
