import { setTimeout as sleep } from 'node:timers/promises'
import type { Heard } from '../operations/decode.ts'
import { isAnsweredAlone, isLast } from '../operations/manners.ts'
import { type FuzzOperation, isRequest, type Request, slotCount } from '../operations/operation.ts'
import { EmbeddedServer } from '../servers/embedded.ts'
import { RealServer } from '../servers/real.ts'
import { type Difference, differenceOf } from './difference.ts'
import { Janitor, janitorSlot } from './janitor.ts'
import { Side } from './side.ts'
import { SilentServerError } from './wire-connection.ts'
import { ZxidScale } from './zxid-scale.ts'

/** The number of compared items. */
export interface Tally {
  operations: number
  sessions: number
  events: number
  /** The number of answers by kind of request and error. */
  readonly answers: Map<string, number>
}

/** The number of steps after which the other connections are compared as well. */
const turnsUnsettled = 16

/** Longer than the shortest TTL in use, in milliseconds. */
const ttlTime = 4

type Found = Omit<Difference, 'index' | 'operation'>

/**
 * A real server and ours that receive the same operations. Each step is completed on both before the next one, so
 * that the real server, which reads its connections with several threads, cannot choose the order.
 */
export class Lockstep {
  readonly tally: Tally = { operations: 0, sessions: 0, events: 0, answers: new Map() }
  readonly #scale = new ZxidScale()
  readonly #real: Side
  readonly #embedded: Side
  readonly #janitor: Janitor
  #turns = 0

  private constructor(real: RealServer, embedded: EmbeddedServer) {
    this.#real = new Side(real, slotCount + 1, this.#scale)
    this.#embedded = new Side(embedded, slotCount + 1, this.#scale)
    this.#janitor = new Janitor(() => embedded.paths)
  }

  static async start(): Promise<Lockstep> {
    const [real, embedded] = await Promise.all([RealServer.start(), EmbeddedServer.start()])
    return new Lockstep(real, embedded)
  }

  async stop(): Promise<void> {
    await this.#both((side) => side.close())
  }

  /** Runs all operations until the servers differ, and cleans up afterwards. */
  async run(
    operations: readonly FuzzOperation[],
    progress?: (done: number) => void,
  ): Promise<Difference | undefined> {
    for (let index = 0; index < operations.length;) {
      const batch = batchAt(operations, index)
      const operation = batch[0]
      if (operation === undefined) break
      const found = await this.#tryToDo(batch)
      index += batch.length
      if (found !== undefined) return { index: index - 1, operation, ...found }
      this.tally.operations += batch.length
      progress?.(index)
    }
    const found = await this.#tryToDo([{ do: 'reset' }])
    this.tally.sessions = this.#real.sessionCount
    if (found === undefined) return undefined
    return { index: operations.length, operation: { do: 'reset' }, ...found }
  }

  async #tryToDo(batch: readonly FuzzOperation[]): Promise<Found | undefined> {
    try {
      return await this.#do(batch)
    } catch (error) {
      if (!(error instanceof SilentServerError)) throw error
      return this.#compareAll(false) ?? { slot: -1, real: [{ both: 'silent' }], embedded: [] }
    }
  }

  async #do(batch: readonly FuzzOperation[]): Promise<Found | undefined> {
    const [operation] = batch
    if (operation === undefined) return undefined
    if (isRequest(operation)) return this.#request(operation, batch as readonly Request[])
    switch (operation.do) {
      case 'connect':
        // The real server closes the connection of a session even for a client with a wrong password. Ours does not,
        // on
        // purpose.
        if (operation.password !== 'right' && this.#real.isAttached(operation.sessionOf)) {
          return undefined
        }
        return this.#settled((side) => side.connect(operation))
      case 'drop':
        return this.#settled((side) => side.drop(operation.on))
      case 'expire':
        return this.#unordered((side) => side.expire(operation.on))
      case 'badFrame':
        if (!this.#real.isConnected(operation.on)) return undefined
        return this.#settled((side) => side.sendBadFrame(operation.on, operation.length))
      case 'cleanUp':
        return this.#cleanUp()
      case 'reset':
        return this.#reset()
    }
  }

  async #request(first: Request, batch: readonly Request[]): Promise<Found | undefined> {
    const { on } = first
    if (!this.#real.isConnected(on)) return undefined
    if (first.do === 'closeSession') return this.#unordered((side) => side.requestLast(on, first))
    if (isLast(first)) return this.#settled((side) => side.requestLast(on, first))
    if (isAnsweredAlone(first)) return this.#settled((side) => side.requestAlone(on, first))
    await this.#both((side) => side.request(on, batch))
    const found = this.#compare(on, false)
    if (found !== undefined || ++this.#turns % turnsUnsettled !== 0) return found
    return this.#settle(false)
  }

  async #cleanUp(): Promise<Found | undefined> {
    const found = await this.#settle(false)
    if (found !== undefined) return found
    const before = this.#real.lastZxid
    await sleep(ttlTime)
    const changed = await this.#unordered((side) => side.server.cleanUp())
    this.#scale.equate(before, this.#real.lastZxid)
    return changed
  }

  async #reset(): Promise<Found | undefined> {
    for (let on = 0; on < slotCount; on++) {
      const found = await this.#unordered((side) => side.expire(on))
      if (found !== undefined) return found
    }
    await this.#both((side) => this.#janitor.wipe(side))
    return this.#settle(false)
  }

  /** An operation that may end a connection: events in flight may or may not be lost. */
  async #settled(action: (side: Side) => Promise<void>): Promise<Found | undefined> {
    const found = await this.#settle(false)
    if (found !== undefined) return found
    await this.#both(action)
    return this.#compareAll(false)
  }

  /** An operation on several nodes in no particular order: their events are unordered as well. */
  async #unordered(action: (side: Side) => Promise<void>): Promise<Found | undefined> {
    const found = await this.#settle(false)
    if (found !== undefined) return found
    await this.#both(action)
    return this.#settle(true)
  }

  async #settle(isUnordered: boolean): Promise<Found | undefined> {
    await this.#both((side) => side.settle())
    return this.#compareAll(isUnordered)
  }

  #compareAll(isUnordered: boolean): Found | undefined {
    for (let on = 0; on <= janitorSlot; on++) {
      const found = this.#compare(on, isUnordered)
      if (found !== undefined) return found
    }
    return undefined
  }

  #compare(on: number, isUnordered: boolean): Found | undefined {
    const [real, embedded] = [this.#real, this.#embedded].map((side) => {
      const heard = side.takeHeard(on)
      return isUnordered ? eventsSorted(heard) : heard
    }) as [Heard[], Heard[]]
    for (const each of real) this.#count(each)
    const found = differenceOf(real, embedded)
    return found === undefined ? undefined : { slot: on, ...found }
  }

  #count({ event, answer, error }: Heard): void {
    const { answers } = this.tally
    if (event !== undefined) this.tally.events++
    if (answer === undefined) return
    const kind = JSON.stringify([answer, error])
    answers.set(kind, (answers.get(kind) ?? 0) + 1)
  }

  async #both(action: (side: Side) => Promise<void>): Promise<void> {
    const outcomes = await Promise.allSettled([action(this.#real), action(this.#embedded)])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

/** The operation at this index, with the requests that are pipelined after it. */
function batchAt(operations: readonly FuzzOperation[], index: number): readonly FuzzOperation[] {
  let end = index
  for (let operation = operations[end++]; operation !== undefined; operation = operations[end++]) {
    if (!isRequest(operation) || operation.isPipelined !== true || isSpecial(operation)) break
    const next = operations[end]
    if (next === undefined || !isRequest(next) || next.on !== operation.on || isSpecial(next)) break
  }
  return operations.slice(index, end)
}

function isSpecial(request: Request): boolean {
  return isLast(request) || isAnsweredAlone(request)
}

function eventsSorted(heard: readonly Heard[]): Heard[] {
  const events = heard.filter((each) => 'event' in each)
  const others = heard.filter((each) => !('event' in each))
  return [...events.toSorted(byText), ...others]
}

function byText(a: Heard, b: Heard): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
