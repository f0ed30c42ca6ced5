import type { Clock, Random } from '@elasticjob/zookeeper'
import { type CoreOptions, type ResolvedCoreOptions, resolveCoreOptions } from '../core-options.ts'
import type { Transaction } from '../transaction.ts'
import { EnsembleLeader } from './ensemble-leader.ts'
import { EnsembleMember } from './ensemble-member.ts'
import type { Outcome, ToLeader, ToMember } from './ensemble-messages.ts'
import type { MemoryNetwork } from './memory-network.ts'
import { MemoryPipe } from './memory-pipe.ts'

/** The options of a `SimulatedEnsemble`. */
export interface SimulatedEnsembleOptions extends CoreOptions {
  readonly network: MemoryNetwork
  readonly clock: Clock
  readonly random: Random
  /** The addresses of the members' machines. The first is the initial leader. */
  readonly hosts: readonly string[]
  /** @default 2181 */
  readonly port?: number
  /**
   * After how many ticks without contact a member gives up the leader, and the leader gives up without a
   * quorum.
   * @default 5
   */
  readonly syncLimit?: number
  /**
   * The latency of a message between members, in milliseconds.
   * @default 1
   */
  readonly latency?: number
  /**
   * Called for every committed transaction.
   * @default none
   */
  readonly onCommit?: (transaction: Transaction) => void
}

/** A member with its links to and from the leader. */
interface Seat {
  readonly host: string
  readonly member: EnsembleMember
  readonly toLeader: MemoryPipe<ToLeader>
  readonly toMember: MemoryPipe<ToMember>
  /** The sessions heard from since the leader last asked. */
  touches: Map<bigint, number>
  /** When it last heard from the leader, and the leader from it. */
  heardLeader: number
  heardMember: number
  /** How much later than others it receives transactions, in milliseconds. */
  lag: number
  /** Whether it has a leader; without one it serves no clients. */
  isFollowing: boolean
  isPaused: boolean
}

/**
 * An ensemble as its clients see it, with the weaknesses of a real one. Members answer pings and reads
 * themselves, from a state that may be old. Only the leader expires sessions, and it learns of clients of
 * other members when these answer its pings, each half tick. There is one history: a leader commits only what
 * a majority can receive, at once, and a committed transaction is never lost.
 */
export class SimulatedEnsemble {
  readonly connectString: string
  readonly #clock: Clock
  readonly #options: ResolvedCoreOptions
  readonly #timeout: number
  readonly #latency: number
  readonly #leader: EnsembleLeader
  readonly #seats: readonly Seat[]
  readonly #history: Transaction[] = []
  readonly #onCommit: ((transaction: Transaction) => void) | undefined
  readonly #cuts = new Set<string>()
  /** Requests that wait for a quorum. */
  #parked: [number, ToLeader][] = []
  readonly #stopListening: readonly (() => void)[]
  /** The index of the leader; undefined without a quorum. */
  #chair: number | undefined = 0
  #isClosed = false

  constructor(options: SimulatedEnsembleOptions) {
    const { network, clock, random, hosts, port = 2181, syncLimit = 5, latency = 1 } = options
    this.#clock = clock
    this.#options = resolveCoreOptions(options)
    this.#timeout = syncLimit * this.#options.tickTime
    this.#latency = latency
    this.#onCommit = options.onCommit
    this.connectString = hosts.map((host) => `${host}:${port}`).join(',')
    this.#leader = new EnsembleLeader(this.#options, clock, random, {
      tell: (index, message) => this.#seats[index]?.toMember.push(message),
      commit: (transaction, to, outcome) => this.#commit(transaction, to, outcome),
    })
    this.#seats = hosts.map((host, index) => this.#seat(host, index))
    this.#stopListening = this.#seats.map((seat) =>
      network.listen(seat.host, port, (stream, address) => {
        if (!seat.isFollowing) return undefined
        const handler = seat.member.accept(stream, address)
        if (seat.isPaused) stream.pause()
        return handler
      }),
    )
    this.#scheduleHalfTick()
  }

  /** The leader's machine, if there is a leader. */
  get leader(): string | undefined {
    return this.#chair === undefined ? undefined : this.#seats[this.#chair]?.host
  }

  /** The live sessions, as the leader sees them. */
  get sessionIds(): readonly bigint[] {
    return this.#leader.sessionIds
  }

  /** Expires a session as if its client had been silent for too long. */
  expireSession(sessionId: bigint): void {
    this.#leader.expire(sessionId)
  }

  /** Closes the connection of a session at any member; the session lives on. */
  dropConnection(sessionId: bigint): void {
    for (const { member } of this.#seats) member.dropSession(sessionId)
  }

  /** Suspends a member like a stopped process. */
  pause(host: string): void {
    const seat = this.#at(host)
    seat.isPaused = true
    seat.member.setSuspended(true)
    this.#updatePipes()
  }

  /** Resumes a member: a leader first expires the sessions that it has not heard from. */
  resume(host: string): void {
    const seat = this.#at(host)
    seat.isPaused = false
    if (!seat.isFollowing) seat.member.dropClients()
    if (seat.host === this.leader && this.#hasQuorum()) this.#leader.advance()
    seat.member.setSuspended(false)
    this.#updatePipes()
  }

  /** Holds messages between these members until `heal`. */
  cut(one: string, other: string): void {
    this.#cuts.add(pair(one, other))
    this.#updatePipes()
  }

  heal(one: string, other: string): void {
    this.#cuts.delete(pair(one, other))
    this.#updatePipes()
  }

  /** Delays the transactions of a member by this many milliseconds. */
  setLag(host: string, milliseconds: number): void {
    this.#at(host).lag = milliseconds
  }

  /** Makes another member the leader. As in a real election, all clients lose their connections. */
  elect(host: string): void {
    this.#chair = this.#seats.indexOf(this.#at(host))
    this.#parked = []
    for (const seat of this.#seats) this.#unseat(seat)
    this.#leader.takeOffice()
    this.#updatePipes()
    for (const seat of this.#seats) this.#follow(seat)
  }

  stop(): void {
    this.#isClosed = true
    for (const stop of this.#stopListening) stop()
    for (const seat of this.#seats) this.#unseat(seat)
  }

  #seat(host: string, index: number): Seat {
    const now = this.#clock.monotonic()
    const isChair = (): boolean => this.#chair === index
    const between = (): number => (isChair() ? 0 : this.#latency)
    const toLeader = new MemoryPipe<ToLeader>(this.#clock, between, (message) => {
      seat.heardMember = this.#clock.monotonic()
      if (needsQuorum(message) && !this.#hasQuorum()) this.#parked.push([index, message])
      else this.#leader.handle(index, message)
    })
    const toMember = new MemoryPipe<ToMember>(
      this.#clock,
      () => between() + seat.lag,
      (message) => this.#arrive(seat, message),
    )
    const member = new EnsembleMember(
      this.#options,
      (message) => toLeader.push(message),
      (sessionId, timeout) => {
        if (isChair()) this.#leader.touch(sessionId, timeout)
        else seat.touches.set(sessionId, timeout)
      },
    )
    const seat: Seat = {
      host,
      member,
      toLeader,
      toMember,
      touches: new Map(),
      heardLeader: now,
      heardMember: now,
      lag: 0,
      isFollowing: true,
      isPaused: false,
    }
    return seat
  }

  #arrive(seat: Seat, message: ToMember): void {
    seat.heardLeader = this.#clock.monotonic()
    if (message.kind === 'ping') {
      seat.toLeader.push({ kind: 'touches', sessions: seat.touches })
      seat.touches = new Map()
    } else {
      seat.member.handle(message)
    }
  }

  #commit(transaction: Transaction, to: number | undefined, outcome: Outcome | undefined): void {
    this.#history.push(transaction)
    this.#onCommit?.(transaction)
    for (const [index, seat] of this.#seats.entries()) {
      if (!seat.isFollowing) continue
      const mine = index === to ? outcome : undefined
      seat.toMember.push({ kind: 'commit', transaction, outcome: mine })
    }
  }

  #scheduleHalfTick(): void {
    this.#clock.setTimer(() => {
      if (this.#isClosed) return
      this.#halfTick()
      this.#scheduleHalfTick()
    }, this.#options.tickTime / 2)
  }

  #halfTick(): void {
    const chair = this.#chair === undefined ? undefined : this.#seats[this.#chair]
    if (chair !== undefined && !chair.isPaused) {
      for (const seat of this.#seats) if (seat.isFollowing) seat.toMember.push({ kind: 'ping' })
      if (this.#hasQuorum()) this.#leader.advance()
    }
    this.#loseLeaders()
    for (const seat of this.#seats) if (!seat.isFollowing) this.#follow(seat)
  }

  /** Members without contact to the leader for too long give it up; if a majority does, it is deposed. */
  #loseLeaders(): void {
    const now = this.#clock.monotonic()
    const isTooLong = (since: number): boolean => now - since > this.#timeout
    for (const seat of this.#seats) {
      if (seat.isFollowing && !seat.isPaused && isTooLong(seat.heardLeader)) this.#unseat(seat)
    }
    const chair = this.#chair === undefined ? undefined : this.#seats[this.#chair]
    const following = this.#seats.filter((seat) => seat.isFollowing && !isTooLong(seat.heardMember))
    if (chair !== undefined && this.#isMajority(following.length)) return
    this.#chair = undefined
    const candidates = this.#seats.filter((seat) => !seat.isPaused && seat !== chair)
    const reachable = candidates.filter((seat) => this.#isMajority(this.#neighbours(seat).length))
    const [next] = reachable.toSorted((a, b) => b.member.state.lastZxid - a.member.state.lastZxid)
    if (next !== undefined) this.elect(next.host)
  }

  /** Lets a member that reaches the leader follow again, with all missed transactions. */
  #follow(seat: Seat): void {
    const { leader } = this
    if (leader === undefined || seat.isPaused || this.#isCut(seat.host, leader)) return
    seat.isFollowing = true
    seat.heardLeader = this.#clock.monotonic()
    seat.heardMember = this.#clock.monotonic()
    const known = seat.member.state.lastZxid
    for (const transaction of this.#history) {
      if (transaction.zxid <= known) continue
      seat.toMember.push({ kind: 'commit', transaction, outcome: undefined })
    }
  }

  #unseat(seat: Seat): void {
    seat.isFollowing = false
    seat.touches = new Map()
    seat.toLeader.clear()
    seat.toMember.clear()
    // A suspended member notices nothing, and neither do its clients until it resumes.
    if (!seat.isPaused) seat.member.dropClients()
  }

  #updatePipes(): void {
    const { leader } = this
    const isLeaderPaused = leader !== undefined && this.#at(leader).isPaused
    for (const seat of this.#seats) {
      const isCut = leader !== undefined && this.#isCut(seat.host, leader)
      seat.toMember.setHeld(isCut || seat.isPaused)
      seat.toLeader.setHeld(isCut || isLeaderPaused)
    }
    if (!this.#hasQuorum()) return
    const parked = this.#parked
    this.#parked = []
    for (const [index, message] of parked) this.#leader.handle(index, message)
  }

  /** Whether the leader reaches a majority, including itself: without one nothing is committed. */
  #hasQuorum(): boolean {
    const { leader } = this
    return leader !== undefined && this.#isMajority(this.#neighbours(this.#at(leader)).length)
  }

  /** The running members that this one reaches, including itself. */
  #neighbours({ host }: Seat): Seat[] {
    return this.#seats.filter((seat) => !seat.isPaused && !this.#isCut(seat.host, host))
  }

  #isMajority(count: number): boolean {
    return count * 2 > this.#seats.length
  }

  #isCut(one: string, other: string): boolean {
    return one !== other && this.#cuts.has(pair(one, other))
  }

  #at(host: string): Seat {
    const seat = this.#seats.find((candidate) => candidate.host === host)
    if (seat === undefined) throw new Error(`no member on ${host}`)
    return seat
  }
}

/** Only requests that become a transaction: a leader without followers answers the others. */
function needsQuorum({ kind }: ToLeader): boolean {
  return kind === 'write' || kind === 'createSession' || kind === 'closeSession'
}

function pair(one: string, other: string): string {
  return one < other ? `${one}|${other}` : `${other}|${one}`
}
