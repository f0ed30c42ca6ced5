/** The barrier of a job in mixed mode, or of one that writes no shard states. It registers shards in Java's nodes. */
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

/** How many lost races against other instances are retried before the change is left to the next check. */
const attempts = 10

/** A call of the listeners by this process that the other instances may not know about yet. */
interface Called {
  /** The id of the folder that held the registrations. */
  readonly czxid: bigint | undefined
  readonly outcome: PromiseSettledResult<void>
}

export class RegisteredBarrier extends BarrierProtocol {
  readonly #registered = new WeakSet<Wait>()
  readonly #calling = new Set<BarrierPhase>()
  readonly #called = new Map<BarrierPhase, Called>()

  /**
   * Withdraws only the shards of this instance: other instances may still wait with theirs. The nodes do not identify
   * the run, so a leftover registration would let the next run begin or end without these shards.
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
      // Normally the last instance to register calls the listeners. A Java instance does not if it waits for a disabled
      // shard.
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
    // A wait that joined in the meantime is not registered yet; its missing nodes are not a release.
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
        // Another process may hold the latch and never release it.
        this.checkSoon()
      }),
    )
  }

  async #register(phase: BarrierPhase): Promise<void> {
    const fresh = this.#waiting(phase).filter((wait) => !this.#registered.has(wait))
    if (fresh.length === 0) return
    const shards = fresh.flatMap(({ arrival }) => arrival.shards)
    // A shard that begins again has not ended.
    if (phase === 'started') await this.withdraw('completed', shards)
    await this.#change(phase, (now) => planRegistering(this.host.member(), phase, now, shards))
    for (const wait of fresh) this.#registered.add(wait)
  }

  /**
   * Calls the listeners inside the latch. Only one instance finds all shards registered there; the next one finds the
   * folder deleted.
   */
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

  /**
   * Calls the listeners unless an earlier attempt already did and lost the connection before it could release the
   * others.
   */
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

  /** Other instances register and release concurrently, so every attempt plans on freshly read nodes. */
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
