/** One operation on many jobs: failures are reported by job, and the others continue. */
import type { OperationResult as CoreResult, Operations } from '@elasticjob/core/operations'

import type { BulkAction, BulkResult } from '../../contract/results.ts'
import { message } from '../../message.ts'
import { failedAnswer } from '../http/failures.ts'
import type { Handlers } from '../http/handler.ts'
import { problemOfName } from '../http/input.ts'
import { messageFields } from '../message-fields.ts'
import { registryOf, resultOf, seen } from './action.ts'

/** The number of jobs processed concurrently. */
const jobsAtOnce = 20

const actions: Readonly<
  Record<BulkAction, (operations: Operations, job: string) => Promise<CoreResult>>
> = {
  trigger: (operations, job) => operations.trigger(job),
  pause: (operations, job) => operations.pause({ job }),
  resume: (operations, job) => operations.resume({ job }),
  enable: (operations, job) => operations.enable({ job }),
  disable: (operations, job) => operations.disable({ job }),
  shutdown: (operations, job) => operations.shutdown({ job }),
  remove: (operations, job) => operations.remove({ job }),
  reshard: (operations, job) => operations.reshard(job),
}

export const bulkHandlers: Pick<Handlers, 'bulk'> = {
  bulk: async (ask) => {
    const { operations, view } = await registryOf(ask)
    const { action, jobs } = ask.body
    const names = [...new Set(jobs)]
    ask.notes.jobNames = names
    const results: BulkResult['results'] = []
    for (let start = 0; start < names.length; start += jobsAtOnce) {
      const some = names.slice(start, start + jobsAtOnce)
      results.push(...(await Promise.all(some.map((job) => once(operations, action, job)))))
    }
    await seen(view)
    const failed = results.filter(({ error }) => error !== undefined).length
    ask.notes.messageParts = message('bulk-action', { action, count: names.length, failed })
    return { action, results }
  },
}

async function once(
  operations: Operations,
  action: BulkAction,
  jobName: string,
): Promise<BulkResult['results'][number]> {
  const problem = problemOfName(jobName)
  if (problem !== undefined) {
    const messageParts = message('job-problem', { problem })
    return {
      jobName,
      error: {
        code: 'CONSOLE_INPUT_INVALID',
        ...messageFields({ message: messageParts.text, messageParts }),
      },
    }
  }
  try {
    return { jobName, result: resultOf(await actions[action](operations, jobName)) }
  } catch (error) {
    const { code, message: text, messageParts } = failedAnswer(error).body.error
    return { jobName, error: { code, message: text, messageParts } }
  }
}
