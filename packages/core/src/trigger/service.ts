import { isTriggerMark } from '../config/instance-yaml.ts'
import { ElasticJobError } from '../errors.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import { readStates } from '../job-tree/read-states.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part } from '../registry/transaction.ts'
import {
  failedShards,
  forgottenTriggers,
  isComplete,
  shardsOfManualRun,
  planAdvance,
  planConversion,
  planManualRun,
  type ManualRunRequest,
} from './plan.ts'

export interface ManualRunSettings {
  readonly total: number
  readonly monitorExecution: boolean
  readonly failover: boolean
  /** Whether this instance leads: the leader ends a manual run. */
  readonly leads: boolean
}

/** How often a request is retried because another instance changed the job state first. */
const attempts = 20

/** Requests manual runs, converts the triggers of Java and of 2.x, and ends manual runs that are complete. */
export class TriggerService {
  readonly #host: Coordination
  readonly #instanceText: () => string
  #firstTrigger: number | undefined
  /** The inputs of the last check of the shard states: the result cannot change before a mark appears or disappears. */
  #looked = ''
  /** The id of the last manual run that is known to be over. */
  #over: number | undefined

  constructor(host: Coordination, instanceText: () => string) {
    this.#host = host
    this.#instanceText = instanceText
  }

  async ask(request: ManualRunRequest): Promise<ManualRun> {
    const { session, replica, jobName, emit } = this.#host
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.#host.quiet()
      const plan = planManualRun(replica, this.#host.member(), request, session.now())
      if (plan.operations.length === 0) return plan.manualRun
      try {
        await session.commit(plan.operations)
        emit('trigger:requested', { jobName, manualRun: plan.manualRun.id })
        return plan.manualRun
      } catch (error) {
        if (!isRegistryError(error, 'REGISTRY_BAD_VERSION', 'REGISTRY_NODE_EXISTS')) throw error
      }
    }
    throw new ElasticJobError(
      'JOB_TRIGGER_PENDING',
      `job ${jobName} is being changed by others all the time; try again`,
    )
  }

  /** Requests a manual run of only those shards whose last run failed. */
  async askForFailed(
    { total, failover }: ManualRunSettings,
    parameter?: string,
  ): Promise<ManualRun> {
    const { replica, jobName } = this.#host
    await this.#host.quiet()
    const { states } = await readStates(this.#host, [...Array(total).keys()])
    const shards = failedShards(replica, states, failover)
    if (shards.length > 0)
      return this.ask({ shards, ...(parameter === undefined ? {} : { parameter }) })
    throw new ElasticJobError(
      'JOB_NOTHING_FAILED',
      `no shard of job ${jobName} has failed the last time it ran; there is nothing to run again`,
    )
  }

  step(now: number, settings: ManualRunSettings): Step {
    this.#tellOver()
    return (
      this.#oldTrigger() ??
      this.#convert(now) ??
      this.#advance(settings) ??
      (settings.leads ? this.#forget() : undefined)
    )
  }

  /** 2.x requests a manual run by writing into the instance node. */
  #oldTrigger(): Step {
    const { session, replica } = this.#host
    const { instanceData } = replica
    if (instanceData?.instance !== session.instance || !isTriggerMark(instanceData.text)) {
      return undefined
    }
    replica.acceptInstanceData()
    const { paths } = this.#host.member()
    return session
      .commit([part.set(paths.instance(session.instance), this.#instanceText())])
      .then(async () => {
        await this.ask({ instances: [session.instance] })
      })
  }

  #convert(now: number): Step {
    const { session, replica, jobName, emit } = this.#host
    if (replica.triggers.size === 0) {
      this.#firstTrigger = undefined
      return undefined
    }
    this.#firstTrigger ??= now
    const decision = planConversion(replica, this.#host.member(), now, this.#firstTrigger)
    if (decision.do === 'nothing') return undefined
    if (decision.do === 'wait') return decision.until
    return session.commit(decision.operations).then(() => {
      emit('trigger:requested', { jobName, manualRun: decision.round.id })
    })
  }

  #forget(): Step {
    const { session, replica, jobName, emit } = this.#host
    const [instance] = forgottenTriggers(replica)
    if (instance === undefined) return undefined
    return session.commit([part.delete(replica.paths.trigger(instance))]).then(() => {
      emit('reconcile:repaired', { jobName, what: `a trigger for ${instance}, which is gone` })
    })
  }

  #advance({ leads, total, monitorExecution, failover }: ManualRunSettings): Step {
    const { replica } = this.#host
    const manualRun = replica.jobState?.value.running
    if (manualRun === undefined || !leads) return undefined
    // Without `monitorExecution` no shard state records the result: every instance that has seen the manual run runs
    // it.
    if (!monitorExecution) return this.#advanceNow()
    const shards = shardsOfManualRun(replica, manualRun, total)
    if (shards.some((shard) => replica.shards.get(shard)?.running === true)) return undefined
    const living = [...replica.alive].toSorted().join()
    const looked = [manualRun.id, replica.marks, shards.join(), living].join(' ')
    if (this.#looked === looked) return undefined
    this.#looked = looked
    return this.#advanceIfComplete(manualRun, shards, failover)
  }

  async #advanceIfComplete(
    manualRun: ManualRun,
    shards: readonly number[],
    failover: boolean,
  ): Promise<void> {
    const { replica } = this.#host
    try {
      const { states } = await readStates(this.#host, shards)
      if (isComplete(replica, manualRun, shards, states, failover)) await this.#advanceNow()
    } catch (error) {
      // The job state changed first, or the connection is lost. No mark will change, so force another check.
      this.#looked = ''
      throw error
    }
  }

  async #advanceNow(): Promise<void> {
    const { session, replica } = this.#host
    await session.commit(planAdvance(replica, this.#host.member()))
  }

  /** Emits `trigger:completed` on every instance, whichever instance ended the manual run. */
  #tellOver(): void {
    const { replica, jobName, emit } = this.#host
    const over = replica.jobState?.value.previous?.id ?? 0
    const known = this.#over ?? over
    this.#over = over
    for (let manualRun = known + 1; manualRun <= over; manualRun++)
      emit('trigger:completed', { jobName, manualRun })
  }
}
