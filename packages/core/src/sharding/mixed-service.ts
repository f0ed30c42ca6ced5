/** The duties of native instances in mixed mode, whichever instance leads. */
import { isDeputy } from '../election/deputy.ts'
import { leads } from '../election/plan.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import { overlookedNeed, type OverlookedSettings, planReminder } from './overlooked-plan.ts'
import { goesByTurns, planNextTurn, planTurnRepair } from './turn.ts'

export class MixedService {
  readonly #host: Coordination
  #overlooked: { readonly key: string; readonly since: number } | undefined
  /** The situation that was left after a requested resharding: the strategy intends it. */
  #settled = ''

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, settings: OverlookedSettings): Step {
    const { replica, session } = this.#host
    if (!isMixed(replica)) return undefined
    const isLeader = leads(replica, session.instance)
    return (isLeader ? undefined : this.#remind(now, settings)) ?? this.#repairTurn(settings)
  }

  /** The parts that the end of a run commits together with its own. */
  nextTurn(settings: OverlookedSettings): readonly TransactionPart[] {
    const { replica } = this.#host
    return goesByTurns(replica, settings) ? planNextTurn(replica, this.#host.member()) : []
  }

  /** Raises the flag for a change that the Java leader has overlooked. */
  #remind(now: number, settings: OverlookedSettings): Step {
    const { replica, session, jobName, emit } = this.#host
    const need = overlookedNeed(replica, settings)
    if (need === undefined || need.key === this.#settled) {
      this.#overlooked = undefined
      return undefined
    }
    if (this.#overlooked?.key !== need.key) this.#overlooked = { key: need.key, since: now }
    const decision = planReminder(replica, this.#host.member(), now, this.#overlooked.since)
    if (decision === undefined) return undefined
    if (decision.do === 'wait') return decision.until
    return session.commit(decision.operations).then(() => {
      this.#overlooked = undefined
      if (need.reason === 'instance without shards') this.#settled = need.key
      emit('sharding:requested', { jobName, reason: need.reason })
    })
  }

  #repairTurn(settings: OverlookedSettings): Step {
    const { replica, session } = this.#host
    if (!goesByTurns(replica, settings) || !isDeputy(replica, session.instance)) return undefined
    const operations = planTurnRepair(replica, this.#host.member())
    if (operations.length === 0) return undefined
    return session.commit(operations).then(() => undefined)
  }
}
