/**
 * Wakes a job and reconciles it, in a fixed order. A change of the replica, a timer, a change of the session or the end
 * of a run leads to one reconciliation of the whole state: decisions depend on the state, not on the event.
 */
import type { BarrierService } from '../barrier/service.ts'
import { ElasticJobError } from '../errors.ts'
import { unproven } from '../execution/run-abort.ts'
import type { ExecutionService } from '../execution/service.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { Change } from '../job-tree/replica.ts'
import { ownershipOf, shardsOf } from '../sharding/ownership.ts'
import type { Wakeable } from '../timing/timer-queue.ts'
import type { Reconcilable } from './dirty-queue.ts'
import type { JobContext } from './job-context.ts'
import type { JobCoordinator } from './job-coordinator.ts'
import type { Membership } from './membership.ts'
import type { SlotJob } from './session-slot.ts'

export class JobLoop implements SlotJob, Wakeable, Reconcilable {
  readonly #context: JobContext
  readonly #membership: Membership
  readonly #coordinator: JobCoordinator
  readonly #execution: ExecutionService
  readonly #barrier: BarrierService
  /** Whether a change affects more than one shard. */
  #isStructureDirty = true
  /** When to reconcile the structure of the job again. */
  #structureWake: number | undefined
  #ownedShards = ''
  /** The last fire time at which the loop checked for shards that still ran. */
  #metFireTime: number | undefined

  constructor(
    context: JobContext,
    membership: Membership,
    coordinator: JobCoordinator,
    execution: ExecutionService,
    barrier: BarrierService,
  ) {
    this.#context = context
    this.#membership = membership
    this.#coordinator = coordinator
    this.#execution = execution
    this.#barrier = barrier
  }

  /** A node of the job has changed; undefined if any node may have changed. */
  touched(change: Change): void {
    // Other instances run the job while this instance still sets the watch; the replica reads their changes once the
    // watch is set.
    if (!this.#membership.isWatching) return
    const { replica, session } = this.#context
    this.#barrier.touched(change)
    if (change === undefined) this.#execution.readAgain()
    if (change?.kind === 'owner') this.#execution.ownerTouched(change.shard)
    // A Java leader creates surplus shards again without reading native shard states: a run that crashed before their
    // removal is still recorded there.
    if (change?.kind === 'shard' && isMixed(replica)) this.#coordinator.lookAgain()
    if (change?.kind === 'mark') {
      const nodes = replica.shards.get(change.shard)
      if (change.mark === 'disabled') {
        if (nodes?.disabled === true) this.#coordinator.disabled(change.shard, session.now())
        else this.#execution.enabled(change.shard)
      }
      if (change.mark === 'running') {
        this.#execution.runTouched(change.shard)
        if (nodes?.running === true) this.#coordinator.marked(change.shard, session.now())
        if (!this.#coordinator.concernsAll(change.shard)) {
          // The run of a shard that this instance does not own has no effect here.
          if (this.#execution.concerns(change.shard)) this.#context.look()
          return
        }
      }
    }
    this.changed()
  }

  /** A change affects all parts of the job. */
  changed(): void {
    this.#isStructureDirty = true
    this.#context.look()
  }

  /** A transaction failed because a node is missing. */
  nodeMissing(): void {
    this.#coordinator.nodeMissing()
    this.#isStructureDirty = true
  }

  /** The connection is restored; the replica reads the job again. */
  resumed(): void {
    this.#execution.resume()
    this.#coordinator.lookAgain()
    this.changed()
  }

  /** The session was lost; this process joins again as a new instance. */
  renewed(): void {
    this.#execution.orphanAll(
      new ElasticJobError('JOB_STOPPED', 'the session that claimed this run is gone'),
    )
    this.#membership.renewed()
    this.#coordinator.lookAgain()
    this.#ownedShards = ''
    this.changed()
  }

  /** The session is not proven any more: all runs have to stop before other instances may run the shards. */
  leaseEnded(): number {
    const { runningCount } = this.#execution
    this.#execution.abortAll(unproven())
    return runningCount
  }

  /** The next fire time of the job, in milliseconds; undefined if there is none. */
  get nextFire(): number | undefined {
    return this.#context.live.schedule.next(this.#context.session.now())
  }

  wake(time: number): void {
    const { live, session } = this.#context
    this.#execution.fired(time)
    const fireTime = live.schedule.latest(time)
    const isNew = fireTime !== undefined && fireTime !== this.#metFireTime
    if (isNew && this.#membership.isRegistered) {
      this.#metFireTime = fireTime
      this.#execution.meet(fireTime)
    }
    if (this.#structureWake !== undefined && this.#structureWake <= session.now()) {
      this.#isStructureDirty = true
    }
    this.#lookAt(time)
  }

  reconcile(): void {
    this.#lookAt(this.#context.session.now())
  }

  /**
   * Reconciles the whole job as of `now`. `now` may lie slightly in the future, to prepare the runs that are due then.
   */
  #lookAt(now: number): void {
    const { session, replica, health } = this.#context
    if (!this.#context.isKnown) return
    health.follow(replica)
    this.#context.settleWaiters()
    // A broken job makes no decisions; its current runs end normally.
    if (replica.isBroken) return this.#membership.jobBroken()
    if (!this.#membership.step(now)) return
    // After a long silence a write would not prove the session for long enough.
    const { settlesIn } = session.client.lease
    if (settlesIn > 0) return this.#context.wakeAt(now + settlesIn)
    this.#membership.applyConfiguration()
    if (this.#membership.withdrawIfClockRefused()) return this.#giveUpShards()
    const stops = replica.jobState?.value.stops
    if (stops !== undefined) this.#execution.stop(stops)
    if (this.#isStructureDirty) {
      this.#coordinator.followOwners(now)
      this.#takeOwnership()
      const present = session.now()
      if (this.#context.transactions.isFree(present)) this.#coordinate(present)
    }
    this.#execution.step(now)
    this.#sleep(now)
  }

  #takeOwnership(): void {
    const { jobName, session, replica, emit } = this.#context
    const member = this.#context.member()
    const resharding = this.#coordinator.resharding()
    const mine = shardsOf(replica, member, resharding)
    const key = [...mine].join()
    if (key === this.#ownedShards) return
    this.#ownedShards = key
    const now = session.now()
    const { formerOwners: former } = this.#coordinator
    this.#execution.own(mine, (shard) =>
      ownershipOf(replica, shard, member, resharding, now, former),
    )
    emit('shards:owned', { jobName, shards: [...mine].toSorted((a, b) => a - b) })
  }

  /** Gives up all shards after this instance has withdrawn. */
  #giveUpShards(): void {
    const { jobName, emit } = this.#context
    this.#ownedShards = ''
    this.#execution.own(new Set(), () => ({ since: 0, byTurn: false }))
    emit('shards:owned', { jobName, shards: [] })
  }

  #coordinate(now: number): void {
    this.#isStructureDirty = false
    const missingUntil = this.#membership.missingUntil(now)
    const step = missingUntil ?? this.#coordinator.step(now)
    this.#structureWake = step instanceof Promise ? undefined : step
    if (step instanceof Promise) this.#context.transactions.carryOut(step)
  }

  #sleep(now: number): void {
    const fire = this.#context.live.schedule.next(now)
    // While a transaction is in progress, its end wakes the job. A wake time in the past would wake the job repeatedly.
    const isFree = this.#context.transactions.isFree(now)
    const structural = isFree ? this.#structureWake : this.#context.transactions.freeFrom(now)
    const wake = Math.min(fire ?? Infinity, structural ?? Infinity)
    const precision = wake === fire ? 'just before' : 'about then'
    const at = wake === Infinity ? undefined : wake
    this.#context.wakeAt(at, precision, Math.max(this.#execution.slotCount, 1))
  }
}
