import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { inLatch } from './latch.ts'
import { leads, planAbdication, planElection, planCandidacy, unpausedCandidates } from './plan.ts'
import { planTakeover, planTakingOver, type TakeoverContext } from './takeover-plan.ts'

/** How long a leader that could not do its work leaves the election to others, in milliseconds. */
const abstention = 60_000

export interface ElectionSettings extends Omit<TakeoverContext, 'now'> {
  /** Whether to replace a Java leader that is stuck. */
  readonly takesOver: boolean
}

/** Carries out elections. */
export class ElectionService {
  readonly #host: Coordination
  #vacantSince: number | undefined
  #abstainUntil = 0
  /** Instances that did not stand although they could have when this instance stood. */
  #declined: ReadonlySet<string> = new Set()

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, settings: ElectionSettings): Step {
    return this.#elect(now) ?? (settings.takesOver ? this.#replaceLeader(now, settings) : undefined)
  }

  #elect(now: number): Step {
    const { replica } = this.#host
    if (replica.leader === undefined) this.#vacantSince ??= now
    else this.#vacantSince = undefined
    const member = this.#host.member()
    const decision = planElection(
      replica,
      member,
      now,
      this.#vacantSince ?? now,
      this.#abstainUntil,
      this.#declined,
    )
    switch (decision.do) {
      case 'nothing':
        return undefined
      case 'wait':
        return decision.until
      case 'abdicate':
        return this.#abdicate(decision.operations, decision.reason)
      case 'stand':
        return decision.inLatch ? this.#inLatch((node) => this.#stand(node)) : this.#stand()
    }
  }

  #replaceLeader(now: number, settings: ElectionSettings): Step {
    const { replica } = this.#host
    const decision = planTakeover(replica, this.#host.member(), { ...settings, now })
    switch (decision.do) {
      case 'nothing':
        return undefined
      case 'wait':
        return decision.until
      case 'take over':
        return this.#inLatch((node) => this.#takeOver(node))
    }
  }

  async #takeOver(latchNode: string): Promise<void> {
    const { jobName, session, replica, emit } = this.#host
    const member = this.#host.member()
    const former = replica.leader?.instance ?? ''
    await session.commit(planTakingOver(replica, member, latchNode))
    emit('leader:took-over', { jobName, instance: member.instance, former })
    emit('leader:elected', { jobName, instance: member.instance })
  }

  /** Called when this leader cannot plan: another instance may be able to. */
  async abstain(now: number, reason: string): Promise<void> {
    this.#abstainUntil = now + abstention
    const { replica, session } = this.#host
    if (!leads(replica, session.instance)) return
    await this.#abdicate(planAbdication(replica, this.#host.member()), reason)
  }

  async #stand(latchNode?: string): Promise<void> {
    const { jobName, session, replica, emit } = this.#host
    const member = this.#host.member()
    this.#declined = new Set(unpausedCandidates(replica))
    await session.commit(planCandidacy(replica, member, latchNode))
    emit('leader:elected', { jobName, instance: member.instance })
  }

  /** Java elects inside Curator's latch: only the holder of the latch may become leader. */
  async #inLatch(become: (latchNode: string) => Promise<void>): Promise<void> {
    const { session } = this.#host
    try {
      await inLatch(session, this.#host.member().paths.electionLatch, become)
    } catch (error) {
      // The previous holder of the latch has become leader, which is a valid result of the election.
      if (!isRegistryError(error, 'REGISTRY_NODE_EXISTS')) throw error
    }
  }

  async #abdicate(
    operations: Parameters<Coordination['session']['commit']>[0],
    reason: string,
  ): Promise<void> {
    const { jobName, session, emit } = this.#host
    await session.commit(operations)
    emit('leader:abdicated', { jobName, instance: session.instance, reason })
  }
}
