/**
 * One process of the cluster, as its machine sees it: what it is called back with, timers and sockets,
 * can be held up and thrown away, so that a process can freeze, wake and die at any moment.
 */
import type { ByteStream, ByteStreamHandler, Clock, Timer, Transport } from '@elasticjob/zookeeper'

import type { SessionLog } from './session-log.ts'

type State = 'running' | 'frozen' | 'waking' | 'dead'

export class Process {
  readonly name: string
  readonly ip: string
  readonly clock: Clock
  readonly transport: Transport
  /** When it stood still: pairs of begin and end. */
  readonly freezes: [number, number][] = []
  #state: State = 'running'
  #wallOffset: number
  readonly #base: Clock
  /** What would have happened meanwhile; a loop that goes on takes its timers before its sockets. */
  readonly #timers: (() => void)[] = []
  readonly #sockets: (() => void)[] = []
  readonly #polls: (() => void)[] = []
  readonly #streams = new Set<ByteStream>()
  diedAt: number | undefined

  constructor(
    name: string,
    ip: string,
    base: Clock,
    network: Transport,
    sessions: SessionLog,
    wallOffset: number,
  ) {
    this.name = name
    this.ip = ip
    this.#base = base
    this.#wallOffset = wallOffset
    this.clock = this.#machineClock()
    this.transport = {
      resolve: (host) => network.resolve(host),
      connect: (endpoint, handler) => {
        const tapped = sessions.tap(handler)
        const held = this.#heldUp(tapped.handler, () => this.#streams.delete(stream))
        const stream = tapped.over(network.connect(endpoint, held))
        this.#streams.add(stream)
        return stream
      },
    }
  }

  get isAlive(): boolean {
    return this.#state !== 'dead'
  }

  /** The wall clock is set. */
  jump(milliseconds: number): void {
    this.#wallOffset += milliseconds
  }

  /** Stands still, like a process that was stopped or whose loop is blocked. */
  freeze(): void {
    if (this.#state === 'running') {
      this.#state = 'frozen'
      this.freezes.push([this.#base.monotonic(), Infinity])
    }
  }

  wake(): void {
    if (this.#state !== 'frozen') return
    const last = this.freezes.at(-1)
    if (last !== undefined) last[1] = this.#base.monotonic()
    this.#state = 'waking'
    this.#catchUp()
  }

  /** Its code is gone. `silently`: the machine went with it, and nobody closes its connections. */
  die(silently: boolean): void {
    if (this.#state === 'dead') return
    this.#state = 'dead'
    this.diedAt = this.#base.monotonic()
    for (const list of [this.#timers, this.#sockets, this.#polls]) list.length = 0
    if (!silently) for (const stream of this.#streams) stream.destroy()
    this.#streams.clear()
  }

  #machineClock(): Clock {
    const base = this.#base
    return {
      now: () => base.now() + this.#wallOffset,
      monotonic: () => base.monotonic(),
      boot: () => base.boot(),
      setTimer: (callback, milliseconds) => this.#timer(callback, milliseconds),
      afterPoll: (callback) => base.afterPoll(() => this.#happen(this.#polls, callback)),
    }
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

  #heldUp(handler: ByteStreamHandler, gone: () => void): ByteStreamHandler {
    return {
      opened: () => this.#happen(this.#sockets, () => handler.opened()),
      received: (chunk) => this.#happen(this.#sockets, () => handler.received(chunk)),
      closed: (error) => {
        gone()
        this.#happen(this.#sockets, () => handler.closed(error))
      },
    }
  }

  #happen(backlog: (() => void)[], event: () => void): void {
    if (this.#state === 'running') event()
    else if (this.#state !== 'dead') backlog.push(event)
  }

  /** One thing after the other, as a loop does; what comes meanwhile waits behind it. */
  #catchUp(): void {
    this.#base.setTimer(() => {
      if (this.#state !== 'waking') return
      const next = this.#timers.shift() ?? this.#sockets.shift() ?? this.#polls.shift()
      if (next === undefined) {
        this.#state = 'running'
        return
      }
      next()
      this.#catchUp()
    }, 0)
  }
}
