import { isZooKeeperError } from '@elasticjob/zookeeper'

import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isJavaAbout } from '../job-tree/job-view.ts'
import { readWords } from '../job-tree/read-words.ts'
import { planRepairs, type Repair, type RepairSettings, suspiciousItems } from './plan.ts'

export interface ReconcileSettings extends RepairSettings {
  readonly leads: boolean
  /** How often to look without a reason, in milliseconds; 0 for never. */
  readonly interval: number
}

/** A leader looks for what went wrong unnoticed: when it is elected, when somebody is gone, now and then. */
export class ReconcileService {
  readonly #host: Coordination
  #lookedAt = -Infinity
  #lookedOn = ''

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, settings: ReconcileSettings): Step {
    const { leads, interval } = settings
    const { replica } = this.#host
    if (!leads || isJavaAbout(replica)) {
      this.#lookedOn = ''
      return undefined
    }
    const members = [...replica.instances, ...replica.alive].toSorted().join()
    const isDue = interval > 0 && now >= this.#lookedAt + interval
    const next = interval > 0 ? this.#lookedAt + interval : undefined
    // One that was handed over by somebody who had not heard yet that there are fewer items.
    const isSurplus = [...replica.failoverItems].some((item) => item >= settings.total)
    if (members === this.#lookedOn && !isDue && !isSurplus) return next
    this.#lookedOn = members
    this.#lookedAt = now
    return this.#look(settings).catch((error: unknown) => {
      this.#lookedOn = ''
      throw error
    })
  }

  async #look(settings: RepairSettings): Promise<void> {
    const { session, replica } = this.#host
    const items = suspiciousItems(replica)
    const words = await readWords(session, replica.paths, items)
    const known = new Map(items.map((item) => [item, words.get(item)]))
    const repairs = planRepairs(replica, this.#host.member(), settings, known)
    await Promise.all(repairs.map((repair) => this.#mend(repair)))
  }

  async #mend({ what, operations }: Repair): Promise<void> {
    const { session, jobName, emit } = this.#host
    try {
      await session.commit(operations)
      emit('repair:made', { jobName, what })
    } catch (error) {
      // It is not as it was found: then it was not left behind, or somebody else has mended it.
      if (!isZooKeeperError(error)) throw error
    }
  }
}
