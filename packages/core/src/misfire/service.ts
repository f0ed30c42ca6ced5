import type { Coordination, Step } from '../job-tree/coordination.ts'
import { readWords } from '../job-tree/read-words.ts'
import type { FireTimes } from '../execution/due.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { isMissed, reasonFor, silentItems } from './plan.ts'

export interface FireWatchSettings {
  /** Whether this instance leads, and runs are marked: else nobody can know. */
  readonly watches: boolean
  readonly fires: FireTimes | undefined
  readonly total: number
  /** Nothing that was scheduled until then is due. */
  readonly since: number
  /** How long after its time an item may be claimed without anybody asking why, in milliseconds. */
  readonly grace: number
}

/** Jobs fire at whole seconds: a look at the same moment would make them late. */
const aside = 500

/** Watches over what is due: a scheduled time that passes without a claim is said aloud. */
export class FireWatch {
  readonly #host: Coordination
  /** When the mark of each item was last seen to come. */
  readonly #marked = new MostlyEmptyMap<number, number>()
  #checked: number | undefined

  constructor(host: Coordination) {
    this.#host = host
  }

  /** A run has begun. */
  marked(item: number, now: number): void {
    if (this.#checked !== undefined) this.#marked.set(item, now)
  }

  step(now: number, settings: FireWatchSettings): Step {
    const { fires, since, grace, total } = settings
    if (!settings.watches || fires === undefined) {
      this.#checked = undefined
      this.#marked.clear()
      return undefined
    }
    // What passed before this leader looked is not its to judge.
    this.#checked = Math.max(this.#checked ?? now, since)
    const passed = fires.latestAtOrBefore(now - grace, this.#checked)
    if (passed === undefined) return lookAfter(fires, this.#checked, grace)
    this.#checked = passed
    const silent = silentItems(this.#host.replica, total, passed, this.#marked)
    if (silent.length > 0) return this.#ask(silent, passed)
    return lookAfter(fires, passed, grace)
  }

  async #ask(items: readonly number[], fireTime: number): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    const words = await readWords(session, replica.paths, items)
    for (const item of items) {
      if (!isMissed(words.get(item)?.value, fireTime)) continue
      emit('fire:missed', {
        jobName,
        shardingItem: item,
        first: fireTime,
        fireTime,
        reason: reasonFor(replica, item, fireTime),
      })
    }
  }
}

/** When the next scheduled time has to have been run. */
function lookAfter(fires: FireTimes, time: number, grace: number): number | undefined {
  const next = fires.nextAfter(time)
  return next === undefined ? undefined : next + grace + aside
}
