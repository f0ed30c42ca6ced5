import type { BarrierService } from '../barrier/service.ts'
import type { ErrorContext, OnError } from '../error-handlers/error-handler.ts'
import { JobFailures } from '../error-handlers/job-failures.ts'
import type { Code } from '../execution/host.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { JobContext } from './job-context.ts'
import { ClaimedCode } from './run-body.ts'

/** The code of one job, and the objects that its runs use in addition to the job's context. */
export class JobCode {
  readonly context: JobContext
  readonly barrier: BarrierService
  readonly failures: JobFailures
  /** Whether a streaming run of the shard should end after its batch. */
  readonly isYielding: (shard: number) => boolean

  constructor(
    context: JobContext,
    barrier: BarrierService,
    isYielding: (shard: number) => boolean,
    onError: OnError | undefined,
  ) {
    this.context = context
    this.barrier = barrier
    this.isYielding = isYielding
    const { jobName, services, session, live, emit } = context
    const errorContext = (): ErrorContext => ({
      get props() {
        return live.value.props
      },
      clock: session.clock,
      logger: services.logger,
      report: (error) => emit('error:unhandled', { jobName, error }),
    })
    const handlerType = (): string | undefined => live.value.jobErrorHandlerType
    this.failures = new JobFailures(services.errorHandlers, errorContext, handlerType, onError)
  }

  /** Prepares the arguments for the code of these runs, which were claimed together. */
  codeOf(runs: readonly ClaimedRun[]): Code {
    return new ClaimedCode(this, this.context.live.runner, runs)
  }
}
