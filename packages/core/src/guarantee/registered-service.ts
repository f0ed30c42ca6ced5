/** Rounds of a mixed job, or of one that writes no words: registered in Java's nodes, as Java does it. */
import {
  isZooKeeperError,
  type MultiReadResult,
  read,
  type TransactionPart,
} from '@elasticjob/zookeeper'

import { inLatch } from '../election/latch.ts'
import type { RoundPhase } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { CountSettings } from './plan.ts'
import {
  isReleased,
  planRegistering,
  planRelease,
  planWithdrawal,
  type Registered,
  unregistered,
} from './registered-plan.ts'
import type { Wait } from './wait.ts'
import { safely, WaitingRoom } from './waiting-room.ts'

const phases: readonly RoundPhase[] = ['started', 'completed']

/** How often somebody else may be quicker before it is left for the next look. */
const attempts = 10

/** Listeners that were called here, and the others do not know it yet. */
interface Called {
  /** Of the folder that all had registered in. */
  readonly czxid: bigint | undefined
  readonly failure: { readonly error: unknown } | undefined
}

export class RegisteredService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #room: WaitingRoom
  readonly #registered = new WeakSet<Wait>()
  readonly #calling = new Map<RoundPhase, Promise<void>>()
  readonly #called = new Map<RoundPhase, Called>()

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
    this.#room = new WaitingRoom(
      host,
      () => ({
        path: host.replica.paths.guarantee,
        mode: 'recursive',
        heard: ({ type }) => {
          if (type === 'deleted') void this.#room.look()
          // Whoever registers last calls the listeners; unless it is Java's, and waits for a disabled item.
          else this.#room.lookSoon()
        },
      }),
      () => this.#look(),
    )
  }

  /** Resolves when it is known where the round stands. */
  join(wait: Wait): Promise<void> {
    return this.#room.join(wait)
  }

  async late(wait: Wait): Promise<void> {
    await this.#room.late(wait)
    // Only its own: others may still wait for theirs. But the nodes do not say which round they speak of,
    // and what is left of this one would make the next one begin, or end, without these items.
    await this.withdraw(wait.phase, wait.party.items)
  }

  touched(): void {
    this.#room.lookSoon()
  }

  resumed(): void {
    void this.#room.look()
  }

  /** Resolves when no listener is being called here, and the others know it. */
  async idle(): Promise<void> {
    await Promise.all(this.#calling.values())
  }

  stop(): Promise<void> {
    return this.#room.stop()
  }

  /** Items whose round was never complete are registered no more. */
  withdraw(phase: RoundPhase, items: readonly number[]): Promise<void> {
    return safely(this.#host, () =>
      this.#change(phase, (now) => planWithdrawal(this.#host.member(), phase, now, items)),
    )
  }

  async #look(): Promise<void> {
    if (this.#room.waits.length > 0) await this.#room.listening()
    for (const phase of phases) {
      if (this.#waiting(phase).length > 0) await this.#lookAt(phase)
    }
  }

  async #lookAt(phase: RoundPhase): Promise<void> {
    await this.#register(phase)
    const registered = await this.#read(phase)
    // Who came meanwhile is not registered yet, which must not be taken for a release.
    const known = this.#waiting(phase).filter((wait) => this.#registered.has(wait))
    for (const wait of known) {
      if (isReleased(registered, wait.party.items)) wait.release()
    }
    const waits = known.filter(({ isOver }) => !isOver)
    const missing = this.#missing(registered)
    for (const wait of waits) wait.missing = missing
    const [first] = waits
    if (first === undefined || missing.length > 0 || this.#calling.has(phase)) return
    const calling = safely(this.#host, () => this.#call(first))
    this.#calling.set(phase, calling)
    void calling.then(() => {
      this.#calling.delete(phase)
      // Somebody may hold the latch and never let go of it.
      this.#room.lookSoon()
    })
  }

  async #register(phase: RoundPhase): Promise<void> {
    const fresh = this.#waiting(phase).filter((wait) => !this.#registered.has(wait))
    if (fresh.length === 0) return
    const items = fresh.flatMap(({ party }) => party.items)
    // What begins again has not ended.
    if (phase === 'started') await this.withdraw('completed', items)
    await this.#change(phase, (now) => planRegistering(this.#host.member(), phase, now, items))
    for (const wait of fresh) this.#registered.add(wait)
  }

  /** In the latch only one finds all of them there: whoever comes next finds the folder gone. */
  async #call(wait: Wait): Promise<void> {
    const { session, replica } = this.#host
    const { phase, party } = wait
    await inLatch(session, replica.paths.guaranteeLatch(phase), async () => {
      const registered = await this.#read(phase)
      if (isReleased(registered, party.items) || this.#missing(registered).length > 0) return
      const { failure } = await this.#callOnce(wait, registered)
      await this.#change(phase, (now) => planRelease(this.#host.member(), phase, now))
      if (failure === undefined) wait.release()
      else wait.fail(failure.error)
    })
  }

  /** Unless they were called already, and the connection was lost before the others could be told. */
  async #callOnce({ phase, call }: Wait, { czxid }: Registered): Promise<Called> {
    const before = this.#called.get(phase)
    if (before !== undefined && before.czxid === czxid) return before
    let failure: Called['failure']
    try {
      await call.act?.()
    } catch (error) {
      failure = { error }
    }
    const called = { czxid, failure }
    this.#called.set(phase, called)
    return called
  }

  #missing(registered: Registered): number[] {
    return unregistered(this.#host.replica, this.#settings().shardingTotalCount, registered)
  }

  /** Others register and release at the same time: what is planned is planned on what is there then. */
  async #change(
    phase: RoundPhase,
    plan: (now: Registered) => readonly TransactionPart[],
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const operations = plan(await this.#read(phase))
      if (operations.length === 0) return
      try {
        await this.#host.session.commit(operations)
        return
      } catch (error) {
        const isOvertaken = isZooKeeperError(error, 'ZK_NODE_EXISTS', 'ZK_NO_NODE', 'ZK_NOT_EMPTY')
        if (!isOvertaken || attempt === attempts) throw error
      }
    }
  }

  async #read(phase: RoundPhase): Promise<Registered> {
    const { session, replica } = this.#host
    const folder = replica.paths.guaranteed(phase)
    const [root, node, children] = await session.read([
      read.get(replica.paths.guarantee),
      read.get(folder),
      read.children(folder),
    ])
    return {
      hasRoot: present(root) !== undefined,
      names: childrenIn(present(children)),
      czxid: czxidOf(present(node)),
    }
  }

  #waiting(phase: RoundPhase): readonly Wait[] {
    return this.#room.waits.filter((wait) => wait.phase === phase)
  }
}

/** Unknown is not absent. */
function present(result: MultiReadResult | undefined): MultiReadResult | undefined {
  if (result === undefined || !('error' in result)) return result
  if (result.error.code === 'ZK_NO_NODE') return undefined
  throw result.error
}

function childrenIn(result: MultiReadResult | undefined): readonly string[] | undefined {
  return result !== undefined && 'children' in result ? result.children : undefined
}

function czxidOf(result: MultiReadResult | undefined): bigint | undefined {
  return result !== undefined && 'data' in result ? result.stat.czxid : undefined
}
