import type { ErrorContext, OnError } from '../error-handlers/error-handler.ts'
import { JobFailures } from '../error-handlers/job-failures.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'

/** What becomes of the failures of a job, by the error handler that its configuration names at that moment. */
export function failuresOf(
  { jobName, session, emit }: Pick<Coordination, 'jobName' | 'session' | 'emit'>,
  { errorHandlers, logger }: ProcessServices,
  live: LiveConfiguration,
  onError: OnError | undefined,
): JobFailures {
  const context = (): ErrorContext => ({
    get props() {
      return live.value.props
    },
    clock: session.clock,
    logger,
    report: (error) => emit('error:unhandled', { jobName, error }),
  })
  return new JobFailures(errorHandlers, context, () => live.value.jobErrorHandlerType, onError)
}
