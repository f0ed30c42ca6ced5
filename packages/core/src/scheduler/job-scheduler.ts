/** One job in this process, put together: its context, its membership, its loop, and what the loop calls. */
import { BarrierService } from '../barrier/service.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { OnError } from '../error-handlers/error-handler.ts'
import { ElasticJobError } from '../errors.ts'
import { unproven } from '../execution/aborts.ts'
import { ExecutionService } from '../execution/service.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { Change, JobReplica } from '../job-tree/replica.ts'
import type { Runner } from '../job-types/job-type.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { ManualRunRequest } from '../trigger/plan.ts'
import { DueTimes } from './due-times.ts'
import { JobCode } from './job-code.ts'
import { JobContext } from './job-context.ts'
import { JobCoordinator } from './job-coordinator.ts'
import { JobLoop } from './job-loop.ts'
import type { JobDeclaration } from './job-setup.ts'
import { LiveConfiguration } from './live-configuration.ts'
import { Membership } from './membership.ts'
import type { ProcessServices } from './process-services.ts'
import type { JobRuntimeStatus } from './process-status.ts'
import type { SessionSlot, SlotJob } from './session-slot.ts'

export class JobScheduler implements SlotJob {
  readonly #context: JobContext
  readonly #execution: ExecutionService
  readonly #coordinator: JobCoordinator
  readonly #membership: Membership
  readonly #loop: JobLoop

  constructor(
    services: ProcessServices,
    slot: SessionSlot,
    declaration: JobDeclaration,
    runnerOf: (props: JobConfiguration['props']) => Runner,
    onError?: OnError,
  ) {
    const { configuration } = declaration
    const live = new LiveConfiguration(services, slot.session, configuration, runnerOf)
    const context = new JobContext(configuration.jobName, services, slot, live, () => this.#loop)
    const barrier = new BarrierService(context, () => live.value)
    const due = new DueTimes(context)
    const isYielding = (shard: number): boolean =>
      !this.#membership.isRegistered || this.#execution.isYielding(shard)
    const code = new JobCode(context, barrier, isYielding, onError)
    const isStopping = (): boolean => this.#membership.isStopping
    const { jobName, session, replica, emit, health } = context
    const { member, changed, look, nodeMissing, quiet } = context
    this.#context = context
    this.#execution = new ExecutionService({
      jobName,
      session,
      replica,
      emit,
      health,
      member,
      changed,
      look,
      nodeMissing,
      quiet,
      settings: () => live.value,
      dueContext: (now) => due.dueContext(now, this.#membership.isHeld),
      fireHistory: () => due.fireHistory,
      nextFireTime: (now) => live.schedule.next(now),
      newRunId: () => services.newRunId(),
      givesAway: (shard) => this.#coordinator.givesAway(shard),
      nextTurn: () => this.#coordinator.nextTurn(),
      get isStopping() {
        return isStopping()
      },
      ready: (time) => services.timing.ready(time),
      startPriority: services.timing.startPriority,
      codeOf: (runs) => code.codeOf(runs),
    })
    const execution = this.#execution
    this.#coordinator = new JobCoordinator(context, due, execution)
    this.#membership = new Membership(context, declaration, execution, barrier)
    this.#loop = new JobLoop(context, this.#membership, this.#coordinator, execution, barrier)
  }

  get jobName(): string {
    return this.#context.jobName
  }

  get session(): RegistrySession {
    return this.#context.session
  }

  get replica(): JobReplica {
    return this.#context.replica
  }

  get configuration(): JobConfiguration {
    return this.#context.live.value
  }

  /** The shards that this instance owns. */
  get shards(): readonly number[] {
    return this.#execution.shards
  }

  /** Whether it takes no part any more although its code may still run. */
  get isStopping(): boolean {
    return this.#membership.isStopping
  }

  get isLeader(): boolean {
    return this.#coordinator.isLeader
  }

  /** The status; undefined while it is not known here. */
  get status(): JobRuntimeStatus | undefined {
    if (!this.#membership.isRegistered) return undefined
    return {
      jobName: this.jobName,
      isLeader: this.isLeader,
      hasLeader: this.replica.leader !== undefined,
      shards: this.#execution.ownedCount,
      due: this.#execution.dueCount,
    }
  }

  /** When it fires next, in milliseconds; undefined for never. */
  get nextFire(): number | undefined {
    return this.#context.live.schedule.next(this.session.now())
  }

  /** Resolves when this instance has no part in the job any more, whoever wanted it so. */
  get ended(): Promise<void> {
    return this.#membership.ended
  }

  /** Joins the job; resolves when this instance takes part, or when the job is broken. */
  start(): Promise<void> {
    return this.#membership.start()
  }

  /** Takes no further part; what runs gets `limit` milliseconds to end. */
  stop(limit: number): Promise<void> {
    return this.#membership.stop(limit)
  }

  trigger(request: ManualRunRequest): Promise<ManualRun> {
    return this.#coordinator.ask(request)
  }

  rerunFailed(parameter?: string): Promise<ManualRun> {
    return this.#coordinator.askForFailed(parameter)
  }

  touched(change: Change): void {
    this.#loop.touched(change)
  }

  changed(): void {
    this.#loop.changed()
  }

  /** The connection is back: what is here is being read again. */
  resumed(): void {
    this.#execution.resume()
    this.#coordinator.lookAgain()
    this.#loop.changed()
  }

  /** The session was lost; this process comes back as another instance. */
  renewed(): void {
    this.#execution.orphanAll(
      new ElasticJobError('JOB_STOPPED', 'the session that claimed this run is gone'),
    )
    this.#membership.renewed()
    this.#coordinator.lookAgain()
    this.#loop.forgetShards()
    this.#loop.changed()
  }

  /** Nothing proves the session: what runs has to stop before others may run it. */
  leaseEnded(): number {
    const { runningCount } = this.#execution
    this.#execution.abortAll(unproven())
    return runningCount
  }
}
