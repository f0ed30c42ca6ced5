import { Dice } from './dice.ts'
import { anyRequest } from './generate-request.ts'
import { isLast, isRead, isUnsteady } from './manners.ts'
import {
  type Connect,
  type Damage,
  type FuzzOperation,
  type Request,
  type RequestBody,
  slotCount,
} from './operation.ts'
import { anyData, limitsName, openAcl } from './vocabulary.ts'

/** After this many operations, everything is reset. */
const episode = 600

/** The same operations for the same seed. */
export function generate(count: number, seed: number): FuzzOperation[] {
  const generator = new Generator(new Dice(seed))
  return Array.from({ length: count }, (_, index) => generator.next(index))
}

class Generator {
  readonly #dice: Dice
  /** The connected slots and the live sessions, as far as the operations determine them. */
  readonly #connected = new Set<number>()
  readonly #sessions = new Map<number, { isAlive: boolean }>()
  #slot = 0
  /** With quotas, the real server decides on a write before it has applied the previous one. */
  #hasQuotas = false
  #opening: readonly string[] = nodes

  constructor(dice: Dice) {
    this.#dice = dice
  }

  next(index: number): FuzzOperation {
    if (index > 0 && index % episode === 0) {
      this.#connected.clear()
      this.#sessions.clear()
      this.#hasQuotas = this.#dice.happens(0.25)
      this.#slot = 0
      this.#opening = this.#hasQuotas ? [...nodes, ...quotas] : nodes
      return { do: 'reset' }
    }
    const dice = this.#dice
    if (this.#connected.has(0) && this.#opening.length > 0) return this.#open()
    if (!dice.happens(0.6)) this.#slot = dice.below(slotCount)
    if (!this.#connected.has(this.#slot) && dice.happens(0.95)) return this.#connect()
    return dice.weighted<() => FuzzOperation>([
      [1000, () => this.#request()],
      [8, () => this.#connect()],
      [6, () => this.#leave({ do: 'drop', on: this.#slot })],
      [5, () => this.#end({ do: 'expire', on: this.#slot })],
      [1, () => this.#leave({ do: 'badFrame', on: this.#slot, length: dice.pick(badLengths) })],
      [8, () => ({ do: 'cleanUp' })],
    ])()
  }

  /** Creates the next of the nodes that most requests use. */
  #open(): FuzzOperation {
    const [path = '', ...others] = this.#opening
    this.#opening = others
    const data = anyData(this.#dice, path)
    return { do: 'create', on: 0, path, data, acl: openAcl, flags: 0 }
  }

  #request(): FuzzOperation {
    const dice = this.#dice
    const body = this.#body()
    const request: Request = {
      on: this.#slot,
      ...body,
      ...(dice.happens(0.005) ? { xid: dice.pick([0, -8, -4, -100, 2 ** 31 - 1]) } : {}),
      ...(dice.happens(0.025) ? { damage: anyDamage(dice, hasVectors(body)) } : {}),
    }
    if (request.do === 'closeSession') return this.#end(request)
    if (isLast(request)) return this.#leave(request)
    const isSteady = isRead(request) || (!this.#hasQuotas && !isUnsteady(request))
    return isSteady && dice.happens(0.5) ? { ...request, isPipelined: true } : request
  }

  #body(): RequestBody {
    for (;;) {
      const body = anyRequest(this.#dice)
      if (this.#hasQuotas || !JSON.stringify(body).includes(limitsName)) return body
    }
  }

  #connect(): Connect {
    const dice = this.#dice
    const on = this.#slot
    const sessionOf = dice.weighted([
      [50, undefined],
      [40, on],
      [10, dice.below(slotCount)],
    ])
    const connect: Connect = {
      do: 'connect',
      on,
      ...(sessionOf === undefined ? {} : { sessionOf }),
      password: dice.weighted([
        [95, 'right'],
        [4, 'wrong'],
        [1, 'empty'],
      ]),
      timeout: dice.pick([4_000_000, 0, -1, 1, 30_000, 5_000_000, 2 ** 31 - 1, -(2 ** 31)]),
      seen: dice.weighted([
        [50, 'nothing'],
        [46, 'everything'],
        [4, 'more'],
      ]),
      ...(dice.happens(0.8) ? { readOnly: dice.happens(0.2) } : {}),
      ...(dice.happens(0.03) ? { damage: { cut: 1 + dice.below(40) } } : {}),
    }
    this.#attach(connect)
    return connect
  }

  #attach({ on, sessionOf, password, seen, damage }: Connect): void {
    this.#connected.delete(on)
    const session = sessionOf === undefined ? { isAlive: true } : this.#sessions.get(sessionOf)
    if (session?.isAlive !== true || seen === 'more' || damage !== undefined) return
    if (sessionOf !== undefined && password !== 'right') return
    for (const [slot, other] of this.#sessions) if (other === session) this.#connected.delete(slot)
    this.#connected.add(on)
    this.#sessions.set(on, session)
  }

  /** The connection of the slot will be closed. */
  #leave<T extends FuzzOperation>(operation: T): T {
    this.#connected.delete(this.#slot)
    return operation
  }

  /** The session of the slot will be over. */
  #end<T extends FuzzOperation>(operation: T): T {
    const session = this.#sessions.get(this.#slot)
    if (session !== undefined) session.isAlive = false
    return this.#leave(operation)
  }
}

const nodes = ['/a', '/b', '/a/x', '/a/x/1'] as const
const quotas = [
  '/zookeeper/quota/a',
  `/zookeeper/quota/a/${limitsName}`,
  '/zookeeper/quota/a/zookeeper_stats',
] as const

const badLengths = [-1, -(2 ** 31), 0x10_0000, 2 ** 31 - 1] as const

/**
 * No byte of a vector is changed: for the real server a negative length is an empty vector or none, and each request
 * handles it differently.
 */
function anyDamage(dice: Dice, withVectors: boolean): Damage {
  return dice.weighted<() => Damage>([
    [5, () => ({ cut: 1 + dice.below(12) })],
    [2, () => ({ add: dice.pick(['00', 'ffffffff', '0000000000000000']) })],
    [withVectors ? 0 : 3, () => ({ set: [dice.below(24), dice.pick([0, 1, 0x7f, 0x80, 0xff])] })],
  ])()
}

function hasVectors(body: RequestBody): boolean {
  return 'acl' in body || 'parts' in body || 'exist' in body
}
