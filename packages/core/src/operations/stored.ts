/** The configuration in a snapshot, and the description of a job whose configuration cannot be read. */
import { effective } from '../config/effective.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { readJob } from '../config/read-job.ts'
import { parseCron } from '../cron/cron.ts'
import { isElasticJobError } from '../errors.ts'
import type { FireTimes } from '../fire-times/due.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { message, type Message, type MessageValue } from '../message.ts'
import type { JobSnapshot } from './snapshot.ts'
import { messageOf } from '../thrown.ts'

export interface Stored {
  /** As it stands there. */
  readonly configuration: JobConfiguration | undefined
  /** Whether crashed runs are taken over, whatever the configuration asks for. */
  readonly failover: boolean
  readonly fires: FireTimes | undefined
  /** What is read otherwise than its author may expect. */
  readonly warnings: readonly Message[]
  /** Why it cannot be read, or cannot be acted upon. */
  readonly problem: MessageValue | undefined
}

const unreadable = { configuration: undefined, failover: false, fires: undefined, warnings: [] }

export function storedIn({ view, paths, exists }: JobSnapshot): Stored {
  if (view.config === undefined) {
    const problem = exists ? message('configuration-absent') : message('nodes-absent')
    return { ...unreadable, problem }
  }
  try {
    const { configuration, warnings } = readJob(view.config.text, paths.config)
    const acted = effective(configuration)
    const { failover } = acted.configuration
    const stored = { configuration, failover, warnings: [...warnings, ...acted.warnings] }
    return { ...stored, ...firesOf(configuration, kindOf(view) !== 'ours') }
  } catch (error) {
    const reason = reasonOf(error)
    const problem =
      view.config.text.trim() === '' ? message('configuration-legacy-hint', { reason }) : reason
    return { ...unreadable, problem }
  }
}

/** A job that Java takes part in fires when Java does, to the second. */
function firesOf(
  { cron, timeZone }: JobConfiguration,
  strict: boolean,
): Pick<Stored, 'fires' | 'problem'> {
  if (cron === undefined) return { fires: undefined, problem: undefined }
  try {
    return { fires: parseCron(cron, { timeZone, strict }), problem: undefined }
  } catch (error) {
    return { fires: undefined, problem: reasonOf(error) }
  }
}

/** Who runs the job; where nobody is there, whether one of ours ever did. */
export function kindOf({ instances, jobState }: JobView): 'ours' | 'java' | 'mixed' {
  const java = [...instances].filter(isJavaInstance).length
  if (instances.size === 0) return jobState === undefined ? 'java' : 'ours'
  if (java === 0) return 'ours'
  return java === instances.size ? 'java' : 'mixed'
}

function reasonOf(error: unknown): MessageValue {
  if (isElasticJobError(error) && error.messageParts !== undefined) return error.messageParts
  return messageOf(error)
}
