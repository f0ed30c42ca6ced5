/** In which situation a cluster is when something happens to it: what its shards do, and what its leader. */
import { namespace } from './scenario.ts'
import type { TreeLog } from './tree-log.ts'

export const shardStates = ['none', 'idle', 'running', 'crashed', 'abandoned'] as const
type ShardSituation = (typeof shardStates)[number]

export const leaderPhases = ['none', 'new', 'resharding', 'settled'] as const
type LeaderPhase = (typeof leaderPhases)[number]

export interface Situation {
  readonly shard: ShardSituation
  readonly leader: LeaderPhase
}

/** For so long a leader is new, and has something to do after a change, in milliseconds. */
const shortly = 2000

/** What each job is in, read once for each transaction. */
export class Situations {
  readonly #log: TreeLog
  readonly #now: () => number
  readonly #shardStates = new Map<string, readonly ShardSituation[]>()
  /** How many transactions there were when they were read. */
  #readAt = -1

  constructor(log: TreeLog, now: () => number) {
    this.#log = log
    this.#now = now
  }

  /** All situations that a job is in now: one for each state that one of its shards has. */
  of(jobName: string): Situation[] {
    const leader = this.#leaderPhaseOf(jobName)
    return this.#shardStatesOf(jobName).map((shard) => ({ shard, leader }))
  }

  /** Whether a job is in this situation now. */
  has(jobName: string, { shard, leader }: Situation): boolean {
    return this.#leaderPhaseOf(jobName) === leader && this.#shardStatesOf(jobName).includes(shard)
  }

  /** When the phase of a leader ends without a transaction, in milliseconds from now. */
  phaseEndsIn(jobName: string): number | undefined {
    const phase = this.#leaderPhaseOf(jobName)
    if (phase !== 'new' && phase !== 'resharding') return undefined
    const { electedAt, changedAt } = this.#log
    const since = (phase === 'new' ? electedAt : changedAt).get(jobName) ?? 0
    return since + shortly - this.#now()
  }

  #shardStatesOf(jobName: string): readonly ShardSituation[] {
    const { tree, transactions } = this.#log
    if (this.#readAt !== transactions.length) {
      this.#readAt = transactions.length
      this.#shardStates.clear()
    }
    const known = this.#shardStates.get(jobName)
    if (known !== undefined) return known
    const states = new Set<ShardSituation>()
    for (let shard = 0; ; shard++) {
      const text = tree.get(`/${namespace}.state/execution/${jobName}/${shard}`)
      if (text === undefined) {
        if (shard === 0) states.add('none')
        break
      }
      states.add((stateIn.exec(text)?.[1] ?? 'none') as ShardSituation)
    }
    const all = [...states]
    this.#shardStates.set(jobName, all)
    return all
  }

  #leaderPhaseOf(jobName: string): LeaderPhase {
    const { tree, electedAt, changedAt } = this.#log
    if (!tree.has(`/${namespace}/${jobName}/leader/election/instance`)) return 'none'
    const now = this.#now()
    if (now - (electedAt.get(jobName) ?? 0) < shortly) return 'new'
    return now - (changedAt.get(jobName) ?? 0) < shortly ? 'resharding' : 'settled'
  }
}

const stateIn = /"state":"(\w+)"/
