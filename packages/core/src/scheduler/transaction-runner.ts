import { isElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isRegistryError } from '../registry/registry-error.ts'

/** After a transaction that lost a race: at once if something changed, else a little later. */
const firstRetry = 50
const lastRetry = 5000

/** Carries out what changes the structure of a job, one transaction at a time. */
export class TransactionRunner {
  readonly #host: Coordination
  #underWay: Promise<void> | undefined
  #failures = 0
  #retryAt = 0

  constructor(host: Coordination) {
    this.#host = host
  }

  /** Whether nothing is under way, and a failure before it is long enough ago. */
  isFree(now: number): boolean {
    return this.#underWay === undefined && this.freeFrom(now) === undefined
  }

  /** When it is free again after a failure; undefined if it need not be waited for. */
  freeFrom(now: number): number | undefined {
    // A time that lies further ahead is from before the registry's clock was set back.
    return this.#retryAt > now && this.#retryAt <= now + lastRetry ? this.#retryAt : undefined
  }

  /** A transaction that fails has lost a race, or its connection: everybody looks again. */
  carryOut(transaction: Promise<void>): void {
    const { session, jobName, emit } = this.#host
    this.#underWay = transaction
      .then(
        () => {
          this.#failures = 0
        },
        (error: unknown) => {
          this.#retryAt = session.now() + Math.min(firstRetry * 2 ** this.#failures, lastRetry)
          this.#failures += 1
          if (isRegistryError(error, 'REGISTRY_NO_NODE')) this.#host.nodeMissing()
          const isExpected = isRegistryError(error) || isElasticJobError(error, 'JOB_STOPPED')
          if (!isExpected) emit('error:unhandled', { jobName, error })
        },
      )
      .then(() => {
        this.#underWay = undefined
        this.#host.changed()
      })
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#underWay
  }
}
