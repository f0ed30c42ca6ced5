/** Groups the reports of the workers by job and fire time. */
import type { RunReport } from './messages.ts'

/** One fire time of one job. */
export interface Fire {
  readonly jobName: string
  readonly time: number
  /** A manual run, possibly of some shards only. */
  readonly isTriggered: boolean
  /** The workers that ran each shard: expected to be one each. */
  readonly runners: ReadonlyMap<number, readonly string[]>
}

export interface FiresSummary {
  readonly fires: number
  /** The number of runs of each worker. */
  readonly runs: ReadonlyMap<string, number>
  /** Descriptions of shards that ran more than once for one fire time. */
  readonly twice: readonly string[]
  /** Descriptions of shards that missed a fire time. */
  readonly missing: readonly string[]
}

interface OpenFire extends Fire {
  readonly runners: Map<number, readonly string[]>
  isShown: boolean
}

/** The number of recent fire times of each job that still accept reports. */
const openFires = 10

export class Fires {
  readonly #countOf: (jobName: string) => number | undefined
  readonly #show: (fire: Fire) => void
  /** The latest fire times of each job. */
  readonly #open = new Map<string, OpenFire[]>()
  readonly #runs = new Map<string, number>()
  readonly #twice: string[] = []
  readonly #missing: string[] = []
  #count = 0

  /**
   * @param countOf the number of shards of a job; undefined while it is unknown
   * @param show called once for each fire time: when all its shards have run, or when the next fire time starts
   */
  constructor(countOf: (jobName: string) => number | undefined, show: (fire: Fire) => void) {
    this.#countOf = countOf
    this.#show = show
  }

  ran(worker: string, run: RunReport): void {
    this.#runs.set(worker, (this.#runs.get(worker) ?? 0) + 1)
    const fire = this.#fireOf(run)
    fire.runners.set(run.shard, [...(fire.runners.get(run.shard) ?? []), worker])
    if (fire.runners.size === this.#countOf(run.jobName)) this.#showOnce(fire)
  }

  /** Of the fire times that were shown; one that was interrupted by the end is not included. */
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
    for (const [shard, workers] of runners) {
      if (workers.length > 1)
        this.#twice.push(`${when}: shard ${shard} ran ${workers.length} times`)
    }
    if (isTriggered) return
    for (const shard of missingShards(runners, this.#countOf(jobName))) {
      this.#missing.push(`${when}: shard ${shard} did not run`)
    }
  }
}

export function missingShards(runners: Fire['runners'], count = 0): number[] {
  return Array.from({ length: count }, (_, shard) => shard).filter((shard) => !runners.has(shard))
}
