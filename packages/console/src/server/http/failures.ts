/** Converts every error into an answer: a status, and JSON with the reason. */
import {
  ConfigurationError,
  type ElasticJobErrorCode,
  isElasticJobError,
  isRegistryError,
  type Message,
} from '@elasticjob/core'
import { HistoryError } from '@elasticjob/tracing'

import type { Failure } from '../../contract/common.ts'
import { ConsoleError, type ConsoleErrorCode, isConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { problemsOf, messageFields } from '../message-fields.ts'

type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 421 | 422 | 429 | 500 | 502 | 503

export interface FailedAnswer {
  readonly status: FailureStatus
  readonly body: Failure
}

const ownStatuses: Readonly<Record<ConsoleErrorCode, FailureStatus>> = {
  CONSOLE_INPUT_INVALID: 400,
  CONSOLE_UNAUTHENTICATED: 401,
  CONSOLE_FORBIDDEN: 403,
  CONSOLE_FORGED: 403,
  CONSOLE_HOST_REFUSED: 421,
  CONSOLE_THROTTLED: 429,
  CONSOLE_NOT_FOUND: 404,
  CONSOLE_METHOD_NOT_ALLOWED: 405,
  CONSOLE_BODY_TOO_LARGE: 413,
  CONSOLE_REGISTRY_UNKNOWN: 404,
  CONSOLE_NO_REGISTRY: 409,
  CONSOLE_REGISTRY_LOST: 503,
  CONSOLE_REGISTRY_LOADING: 503,
  CONSOLE_SOURCE_UNKNOWN: 404,
  CONSOLE_NO_SOURCE: 409,
  CONSOLE_FIXED: 409,
  CONSOLE_DUMP_REFUSED: 403,
  CONSOLE_DUMP_FAILED: 502,
  CONSOLE_BUSY: 503,
  CONSOLE_STATE_UNREADABLE: 500,
  CONSOLE_FAILED: 500,
}

/** The codes of job errors that are not conflicts with the state of the job. */
const jobStatuses: Readonly<Partial<Record<ElasticJobErrorCode, FailureStatus>>> = {
  JOB_CRON_INVALID: 400,
  JOB_CONFIGURATION_INVALID: 422,
  JOB_NOT_FOUND: 404,
  JOB_SERVER_NOT_FOUND: 404,
  JOB_INSTANCE_NOT_FOUND: 404,
  JOB_SHARD_NOT_FOUND: 404,
  JOB_REGISTRY_UNREACHABLE: 503,
}

export function failedAnswer(error: unknown): FailedAnswer {
  if (isConsoleError(error)) {
    const { code, problems, retryAfter } = error
    return {
      status: ownStatuses[code],
      body: {
        error: {
          code,
          ...messageFields(error),
          ...(problems === undefined ? {} : { problems: problemsOf(problems) }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      },
    }
  }
  if (error instanceof ConfigurationError) {
    const { code, problems } = error
    return {
      status: 422,
      body: { error: { code, ...messageFields(error), problems: problemsOf(problems) } },
    }
  }
  if (isElasticJobError(error)) return plain(jobStatuses[error.code] ?? 409, error)
  if (isRegistryError(error, 'REGISTRY_INVALID_PATH', 'REGISTRY_INVALID_ARGUMENT'))
    return plain(400, error)
  if (isRegistryError(error)) return plain(502, error)
  if (error instanceof HistoryError) {
    return plain(error.code === 'HISTORY_QUERY_INVALID' ? 400 : 503, error)
  }
  // An unexpected error can contain anything: it is logged, and not sent to the browser.
  return failedAnswer(new ConsoleError('CONSOLE_FAILED', message('console-failure')))
}

function plain(
  status: FailureStatus,
  error: {
    readonly code: string
    readonly message: string
    readonly messageParts?: Message | undefined
  },
): FailedAnswer {
  return { status, body: { error: { code: error.code, ...messageFields(error) } } }
}
