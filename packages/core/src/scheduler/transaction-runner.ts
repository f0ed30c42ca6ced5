import { isElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isRegistryError } from '../registry/registry-error.ts'

/** The delay before the next attempt after a failed transaction, at first and at most, in milliseconds. */
const firstRetry = 50
const lastRetry = 5000

/** Commits changes to the structure of a job, one transaction at a time. */
export class TransactionRunner {
  readonly #host: Coordination
  #underWay: Promise<void> | undefined
  #failures = 0
  #retryAt = 0

  constructor(host: Coordination) {
    this.#host = host
  }

  /** Whether no transaction is in progress and the delay after the last failure has passed. */
  isFree(now: number): boolean {
    return this.#underWay === undefined && this.freeFrom(now) === undefined
  }

  /** When the delay after a failure ends; undefined if there is no delay. */
  freeFrom(now: number): number | undefined {
    // A later time is from before the registry's clock was set back.
    return this.#retryAt > now && this.#retryAt <= now + lastRetry ? this.#retryAt : undefined
  }

  /** A failed transaction has lost a race or its connection: all parts of the job reconcile again. */
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

  /** Resolves when no transaction is in progress. */
  async settled(): Promise<void> {
    await this.#underWay
  }
}
