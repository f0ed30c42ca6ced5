/** Runs of a mixed job, or of one that writes no states: registered in Java's nodes, as Java does it. */
import { inLatch } from '../election/latch.ts'
import type { BarrierPhase } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { read, type ReadResult, type TransactionPart } from '../registry/transaction.ts'
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
import { safely, BarrierWaits } from './barrier-waits.ts'

const phases: readonly BarrierPhase[] = ['started', 'completed']

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
  readonly #room: BarrierWaits
  readonly #registered = new WeakSet<Wait>()
  readonly #calling = new Map<BarrierPhase, Promise<void>>()
  readonly #called = new Map<BarrierPhase, Called>()

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
    this.#room = new BarrierWaits(
      host,
      () => ({
        path: host.replica.paths.guarantee,
        mode: 'recursive',
        heard: ({ type }) => {
          if (type === 'deleted') void this.#room.look()
          // Whoever registers last calls the listeners; unless it is Java's, and waits for a disabled shard.
          else this.#room.lookSoon()
        },
      }),
      () => this.#look(),
    )
  }

  /** Resolves when it is known where the run stands. */
  join(wait: Wait): Promise<void> {
    return this.#room.join(wait)
  }

  async late(wait: Wait): Promise<void> {
    await this.#room.late(wait)
    // Only its own: others may still wait for theirs. But the nodes do not say which run they speak of, and what is
    // left of this one would make the next one begin, or end, without these shards.
    await this.withdraw(wait.phase, wait.arrival.shards)
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

  /** Shards whose run was never complete are registered no more. */
  withdraw(phase: BarrierPhase, shards: readonly number[]): Promise<void> {
    return safely(this.#host, () =>
      this.#change(phase, (now) => planWithdrawal(this.#host.member(), phase, now, shards)),
    )
  }

  async #look(): Promise<void> {
    if (this.#room.waits.length > 0) await this.#room.listening()
    for (const phase of phases) {
      if (this.#waiting(phase).length > 0) await this.#lookAt(phase)
    }
  }

  async #lookAt(phase: BarrierPhase): Promise<void> {
    await this.#register(phase)
    const registered = await this.#read(phase)
    // Who came meanwhile is not registered yet, which must not be taken for a release.
    const known = this.#waiting(phase).filter((wait) => this.#registered.has(wait))
    for (const wait of known) {
      if (isReleased(registered, wait.arrival.shards)) wait.release()
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

  async #register(phase: BarrierPhase): Promise<void> {
    const fresh = this.#waiting(phase).filter((wait) => !this.#registered.has(wait))
    if (fresh.length === 0) return
    const shards = fresh.flatMap(({ arrival }) => arrival.shards)
    // What begins again has not ended.
    if (phase === 'started') await this.withdraw('completed', shards)
    await this.#change(phase, (now) => planRegistering(this.#host.member(), phase, now, shards))
    for (const wait of fresh) this.#registered.add(wait)
  }

  /** In the latch only one finds all of them there: whoever comes next finds the folder gone. */
  async #call(wait: Wait): Promise<void> {
    const { session, replica } = this.#host
    const { phase, arrival } = wait
    await inLatch(session, replica.paths.guaranteeLatch(phase), async () => {
      const registered = await this.#read(phase)
      if (isReleased(registered, arrival.shards) || this.#missing(registered).length > 0) return
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
    phase: BarrierPhase,
    plan: (now: Registered) => readonly TransactionPart[],
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const operations = plan(await this.#read(phase))
      if (operations.length === 0) return
      try {
        await this.#host.session.commit(operations)
        return
      } catch (error) {
        const isOvertaken = isRegistryError(
          error,
          'REGISTRY_NODE_EXISTS',
          'REGISTRY_NO_NODE',
          'REGISTRY_NOT_EMPTY',
        )
        if (!isOvertaken || attempt === attempts) throw error
      }
    }
  }

  async #read(phase: BarrierPhase): Promise<Registered> {
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

  #waiting(phase: BarrierPhase): readonly Wait[] {
    return this.#room.waits.filter((wait) => wait.phase === phase)
  }
}

/** Unknown is not absent. */
function present(result: ReadResult | undefined): ReadResult | undefined {
  if (result === undefined || !('error' in result)) return result
  if (result.error.code === 'REGISTRY_NO_NODE') return undefined
  throw result.error
}

function childrenIn(result: ReadResult | undefined): readonly string[] | undefined {
  return result !== undefined && 'children' in result ? result.children : undefined
}

function czxidOf(result: ReadResult | undefined): bigint | undefined {
  return result !== undefined && 'data' in result ? result.stat.czxid : undefined
}
