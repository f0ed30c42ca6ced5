/** Composes one job in this process: its context, membership and loop, and the services that the loop calls. */
import { BarrierService } from '../barrier/service.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { OnError } from '../error-handlers/error-handler.ts'
import type { ExecutionHost } from '../execution/host.ts'
import { ExecutionService } from '../execution/service.ts'
import { Takeover } from '../failover/takeover.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { Runner } from '../job-types/job-type.ts'
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
import type { SessionSlot } from './session-slot.ts'

export class JobScheduler {
  readonly context: JobContext
  readonly membership: Membership
  readonly loop: JobLoop
  readonly #execution: ExecutionService
  readonly #coordinator: JobCoordinator

  constructor(
    services: ProcessServices,
    slot: SessionSlot,
    declaration: JobDeclaration,
    runnerOf: (props: JobConfiguration['props']) => Runner,
    onError?: OnError,
  ) {
    const { configuration } = declaration
    const live = new LiveConfiguration(services, slot.session, configuration, runnerOf)
    const context = new JobContext(configuration.jobName, services, slot, live, () => this.loop)
    const barrier = new BarrierService(context, () => live.value)
    const due = new DueTimes(context)
    const isYielding = (shard: number): boolean =>
      !this.membership.isRegistered || this.#execution.isYielding(shard)
    const code = new JobCode(context, barrier, isYielding, onError)
    const isStopping = (): boolean => this.membership.isStopping
    const { jobName, session, replica, emit, health } = context
    const { member, changed, look, nodeMissing, quiet } = context
    this.context = context
    const host: ExecutionHost = {
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
      dueContext: (now) => due.dueContext(now, this.membership.isHeld),
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
    }
    const execution = new ExecutionService(host)
    this.#execution = execution
    const takeover = new Takeover(host, execution.slots, execution.claimer)
    this.#coordinator = new JobCoordinator(context, due, takeover)
    this.membership = new Membership(context, declaration, execution, barrier)
    this.loop = new JobLoop(context, this.membership, this.#coordinator, execution, barrier)
  }

  /** The shards that this instance owns. */
  get shards(): readonly number[] {
    return this.#execution.shards
  }

  get isLeader(): boolean {
    return this.#coordinator.isLeader
  }

  /** The status; undefined while this instance is not registered. */
  get status(): JobRuntimeStatus | undefined {
    if (!this.membership.isRegistered) return undefined
    const { jobName, replica } = this.context
    return {
      jobName,
      isLeader: this.isLeader,
      hasLeader: replica.leader !== undefined,
      shards: this.#execution.ownedCount,
      due: this.#execution.dueCount,
    }
  }

  trigger(request: ManualRunRequest): Promise<ManualRun> {
    return this.#coordinator.ask(request)
  }

  rerunFailed(parameter?: string): Promise<ManualRun> {
    return this.#coordinator.askForFailed(parameter)
  }
}
