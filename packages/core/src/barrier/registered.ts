/** Runs of a mixed job, or of one that writes no states: registered in Java's nodes, as Java does it. */
import { inLatch } from '../election/latch.ts'
import type { BarrierPhase } from '../events.ts'
import { readNodesWithChildren } from '../registry/read-nodes.ts'
import type { Watch, WatchEvent } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import { BarrierProtocol } from './protocol.ts'
import {
  isReleased,
  planRegistering,
  planRelease,
  planWithdrawal,
  type Registered,
  unregistered,
} from './registered-plan.ts'
import type { Wait } from './wait.ts'

const phases: readonly BarrierPhase[] = ['started', 'completed']

/** How often another instance may be quicker before the change is left for the next check. */
const attempts = 10

/** Listeners that were called here, and the others do not know it yet. */
interface Called {
  /** Of the folder that all had registered in. */
  readonly czxid: bigint | undefined
  readonly outcome: PromiseSettledResult<void>
}

export class RegisteredBarrier extends BarrierProtocol {
  readonly #registered = new WeakSet<Wait>()
  readonly #calling = new Set<BarrierPhase>()
  readonly #called = new Map<BarrierPhase, Called>()

  /**
   * Only its own shards: others may still wait for theirs. But the nodes do not say which run they speak of, and what is
   * left of one would make the next one begin, or end, without these shards.
   */
  override withdraw(phase: BarrierPhase, shards: readonly number[]): Promise<void> {
    return this.safely(() =>
      this.#change(phase, (now) => planWithdrawal(this.host.member(), phase, now, shards)),
    )
  }

  protected override listen(): Promise<Watch> {
    const { session, replica } = this.host
    const check = ({ type }: WatchEvent): void => {
      if (type === 'deleted') void this.check()
      // Whoever registers last calls the listeners; unless it is Java's, and waits for a disabled shard.
      else this.checkSoon()
    }
    const options = { whileDisconnected: 'fail' } as const
    return session.client.watch(replica.paths.guarantee, 'recursive', check, options)
  }

  protected override async checkAll(): Promise<void> {
    for (const phase of phases) {
      if (this.#waiting(phase).length > 0) await this.#checkPhase(phase)
    }
  }

  async #checkPhase(phase: BarrierPhase): Promise<void> {
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
    this.#calling.add(phase)
    this.calling(
      this.safely(() => this.#call(first)).then(() => {
        this.#calling.delete(phase)
        // Somebody may hold the latch and never let go of it.
        this.checkSoon()
      }),
    )
  }

  async #register(phase: BarrierPhase): Promise<void> {
    const fresh = this.#waiting(phase).filter((wait) => !this.#registered.has(wait))
    if (fresh.length === 0) return
    const shards = fresh.flatMap(({ arrival }) => arrival.shards)
    // What begins again has not ended.
    if (phase === 'started') await this.withdraw('completed', shards)
    await this.#change(phase, (now) => planRegistering(this.host.member(), phase, now, shards))
    for (const wait of fresh) this.#registered.add(wait)
  }

  /** In the latch only one finds all of them there: whoever comes next finds the folder gone. */
  async #call(wait: Wait): Promise<void> {
    const { session, replica } = this.host
    const { phase, arrival } = wait
    await inLatch(session, replica.paths.guaranteeLatch(phase), async () => {
      const registered = await this.#read(phase)
      if (isReleased(registered, arrival.shards) || this.#missing(registered).length > 0) return
      const { outcome } = await this.#callOnce(wait, registered)
      await this.#change(phase, (now) => planRelease(this.host.member(), phase, now))
      if (outcome.status === 'fulfilled') wait.release()
      else wait.fail(outcome.reason)
    })
  }

  /** Unless they were called already, and the connection was lost before the others could be told. */
  async #callOnce({ phase, call }: Wait, { czxid }: Registered): Promise<Called> {
    const before = this.#called.get(phase)
    if (before !== undefined && before.czxid === czxid) return before
    const [outcome] = await Promise.allSettled([call.act?.()])
    const called = { czxid, outcome }
    this.#called.set(phase, called)
    return called
  }

  #missing(registered: Registered): number[] {
    return unregistered(this.host.replica, this.settings().shardingTotalCount, registered)
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
        await this.host.session.commit(operations)
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
    const { session, replica } = this.host
    const { guarantee } = replica.paths
    const folder = replica.paths.guaranteed(phase)
    const nodes = await readNodesWithChildren((parts) => session.read(parts), [guarantee, folder])
    const found = nodes.get(folder)
    return { hasRoot: nodes.has(guarantee), names: found?.children, czxid: found?.stat.czxid }
  }

  #waiting(phase: BarrierPhase): readonly Wait[] {
    return this.waits.filter((wait) => wait.phase === phase)
  }
}
