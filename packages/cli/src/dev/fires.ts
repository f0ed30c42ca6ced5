/** What the workers say, gathered into fires: one job, one scheduled time. */
import type { RunReport } from './messages.ts'

/** One fire of one job. */
export interface Fire {
  readonly jobName: string
  readonly time: number
  /** Asked for by somebody, maybe for some items alone. */
  readonly isTriggered: boolean
  /** The workers that ran an item, by item: one each, if all is well. */
  readonly runners: ReadonlyMap<number, readonly string[]>
}

export interface FiresSummary {
  readonly fires: number
  /** How many runs each worker had. */
  readonly runs: ReadonlyMap<string, number>
  /** Items that ran more than once for one time, in words. */
  readonly twice: readonly string[]
  /** Items that did not run although their time had come, in words. */
  readonly missing: readonly string[]
}

interface OpenFire extends Fire {
  readonly runners: Map<number, readonly string[]>
  isShown: boolean
}

/** So many of the last fires of each job may still be added to. */
const openFires = 10

export class Fires {
  readonly #countOf: (jobName: string) => number | undefined
  readonly #show: (fire: Fire) => void
  /** The latest fires of each job. */
  readonly #open = new Map<string, OpenFire[]>()
  readonly #runs = new Map<string, number>()
  readonly #twice: string[] = []
  readonly #missing: string[] = []
  #count = 0

  /**
   * @param countOf how many items a job has; undefined while that is not known
   * @param show is told of each fire once: when all its items have run, or else when the next begins
   */
  constructor(countOf: (jobName: string) => number | undefined, show: (fire: Fire) => void) {
    this.#countOf = countOf
    this.#show = show
  }

  ran(worker: string, run: RunReport): void {
    this.#runs.set(worker, (this.#runs.get(worker) ?? 0) + 1)
    const fire = this.#fireOf(run)
    fire.runners.set(run.item, [...(fire.runners.get(run.item) ?? []), worker])
    if (fire.runners.size === this.#countOf(run.jobName)) this.#showOnce(fire)
  }

  /** Of those that were shown; one that the end has interrupted is not among them. */
  summary(): FiresSummary {
    for (const fires of this.#open.values()) for (const fire of fires.splice(0)) this.#judge(fire)
    return {
      fires: this.#count,
      runs: this.#runs,
      twice: this.#twice,
      missing: this.#missing,
    }
  }

  #fireOf({ jobName, fireTime: time, source }: RunReport): OpenFire {
    const fires = this.#open.get(jobName) ?? []
    this.#open.set(jobName, fires)
    const known = fires.find((fire) => fire.time === time)
    if (known !== undefined) return known
    for (const earlier of fires) this.#showOnce(earlier)
    const isTriggered = source === 'trigger'
    const fire = { jobName, time, isTriggered, runners: new Map(), isShown: false }
    fires.push(fire)
    for (const old of fires.splice(0, fires.length - openFires)) this.#judge(old)
    return fire
  }

  #showOnce(fire: OpenFire): void {
    if (fire.isShown) return
    fire.isShown = true
    this.#count += 1
    this.#show(fire)
  }

  #judge({ jobName, time, runners, isTriggered, isShown }: OpenFire): void {
    if (!isShown) return
    const when = `${jobName}, ${new Date(time).toISOString()}`
    for (const [item, workers] of runners) {
      if (workers.length > 1) this.#twice.push(`${when}: item ${item} ran ${workers.length} times`)
    }
    if (isTriggered) return
    for (const item of missingItems(runners, this.#countOf(jobName))) {
      this.#missing.push(`${when}: item ${item} did not run`)
    }
  }
}

export function missingItems(runners: Fire['runners'], count = 0): number[] {
  return Array.from({ length: count }, (_, item) => item).filter((item) => !runners.has(item))
}
