/** The configuration in a snapshot, and the description of a job whose configuration is unreadable. */
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
  /** The configuration as stored. */
  readonly configuration: JobConfiguration | undefined
  /** Whether crashed runs are taken over in effect, whatever the configuration sets. */
  readonly failover: boolean
  readonly fires: FireTimes | undefined
  /** Settings whose effect may differ from what their author expects. */
  readonly warnings: readonly Message[]
  /** Why the configuration is unreadable or unusable. */
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

/** The fire times. A job with Java instances fires exactly when Java does, so its expression is strict. */
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

/** The kind of instances that run the job. Without instances, it is `ours` if a native instance ever ran it. */
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
