/**
 * One process of the cluster, as its machine sees it: what it is called back with, timers and sockets,
 * can be held up and thrown away, so that a process can freeze, wake and die at any moment.
 */
import type { ByteStream, ByteStreamHandler, Clock, Timer, Transport } from '@elasticjob/zookeeper'

import type { SessionLog } from './session-log.ts'

type State = 'running' | 'frozen' | 'waking' | 'dead'

/** How the clocks of a machine differ from the simulation's. */
export interface MachineClock {
  /** By how much its wall clock is ahead, in milliseconds. */
  readonly ahead: number
  /** How fast its clocks run: 1 for as fast as the simulation's. */
  readonly rate: number
}

export const exactClock: MachineClock = { ahead: 0, rate: 1 }

/** So long after its machine was suspended a process need not know it: its timers stood still, too. */
const unnoticed = 500

/** A timer of the process. */
interface Waiting {
  readonly callback: () => void
  /** When it is due, by the process's monotonic clock. */
  readonly due: number
  timer: Timer | undefined
}

export class Process {
  readonly name: string
  readonly ip: string
  readonly clock: Clock
  readonly transport: Transport
  /** When it stood still: pairs of begin and end. */
  readonly freezes: [number, number][] = []
  #state: State = 'running'
  #wallOffset: number
  readonly #rate: number
  /** How long the machine was suspended, by its own clock. */
  #suspended = 0
  #suspendedAt: number | undefined
  /** How long each turn of its loop takes. */
  #turn = 0
  #isCatchingUp = false
  readonly #waiting = new Set<Waiting>()
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
    { ahead, rate }: MachineClock,
  ) {
    this.name = name
    this.ip = ip
    this.#base = base
    this.#wallOffset = ahead
    this.#rate = rate
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
    if (this.#state === 'running' || this.#state === 'waking') {
      this.#state = 'frozen'
      this.freezes.push([this.#base.monotonic(), Infinity])
    }
  }

  /** The whole machine stands still: its monotonic clock does, too, and the clock since its boot does not. */
  suspend(): void {
    if (this.#state !== 'running' && this.#state !== 'waking') return
    this.freeze()
    this.#suspendedAt = this.#base.monotonic()
    for (const { timer } of this.#waiting) timer?.cancel()
  }

  /** Every turn of its loop takes so many milliseconds, until it is 0 again. */
  slowDown(milliseconds: number): void {
    if (this.#state === 'dead') return
    const now = this.#base.monotonic()
    if (this.#turn === 0 && milliseconds > 0) this.freezes.push([now, Infinity])
    else if (milliseconds === 0 && this.#state !== 'frozen') this.#endFreezes(now)
    this.#turn = milliseconds
  }

  #endFreezes(now: number): void {
    for (const freeze of this.freezes) freeze[1] = Math.min(freeze[1], now)
  }

  wake(): void {
    if (this.#state !== 'frozen') return
    const now = this.#base.monotonic()
    if (this.#turn === 0) this.#endFreezes(now)
    if (this.#suspendedAt !== undefined) {
      this.#suspended += (now - this.#suspendedAt) * this.#rate
      this.#suspendedAt = undefined
      const last = this.freezes.at(-1)
      if (last !== undefined) last[1] = Math.max(last[1], now + unnoticed)
      for (const waiting of this.#waiting) this.#arm(waiting)
    }
    this.#state = 'waking'
    this.#catchUp()
  }

  /** Its code is gone. `silently`: the machine went with it, and nobody closes its connections. */
  die(silently: boolean): void {
    if (this.#state === 'dead') return
    this.#state = 'dead'
    this.diedAt = this.#base.monotonic()
    for (const list of [this.#timers, this.#sockets, this.#polls]) list.length = 0
    this.#waiting.clear()
    if (!silently) for (const stream of this.#streams) stream.destroy()
    this.#streams.clear()
  }

  #machineClock(): Clock {
    const base = this.#base
    return {
      now: () => base.now() + base.monotonic() * (this.#rate - 1) + this.#wallOffset,
      monotonic: () => this.#monotonic(),
      boot: () => base.boot() * this.#rate,
      setTimer: (callback, milliseconds) => this.#timer(callback, milliseconds),
      afterPoll: (callback) => base.afterPoll(() => this.#happen(this.#polls, callback)),
    }
  }

  #monotonic(): number {
    return this.#base.monotonic() * this.#rate - this.#suspended
  }

  #timer(callback: () => void, milliseconds: number): Timer {
    const due = this.#monotonic() + milliseconds
    const waiting: Waiting = { callback, due, timer: undefined }
    this.#waiting.add(waiting)
    this.#arm(waiting)
    return {
      cancel: () => {
        this.#waiting.delete(waiting)
        waiting.timer?.cancel()
      },
    }
  }

  /** How long it is until a time of its own clock: in whole milliseconds, as timers are, and never too short. */
  #until(due: number): number {
    return Math.ceil((due - this.#monotonic()) / this.#rate)
  }

  #arm(waiting: Waiting): void {
    waiting.timer = this.#base.setTimer(() => {
      this.#happen(this.#timers, () => {
        // Only if nobody has cancelled it meanwhile.
        if (this.#waiting.delete(waiting)) waiting.callback()
      })
    }, this.#until(waiting.due))
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
    if (this.#state === 'running' && this.#turn === 0) event()
    else if (this.#state !== 'dead') {
      backlog.push(event)
      if (this.#state !== 'running') return
      this.#state = 'waking'
      this.#catchUp()
    }
  }

  /** One thing after the other, as a loop does; what comes meanwhile waits behind it. */
  #catchUp(): void {
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    this.#base.setTimer(() => {
      this.#isCatchingUp = false
      if (this.#state !== 'waking') return
      const next = this.#timers.shift() ?? this.#sockets.shift() ?? this.#polls.shift()
      if (next === undefined) {
        this.#state = 'running'
        return
      }
      next()
      this.#catchUp()
    }, this.#turn)
  }
}
