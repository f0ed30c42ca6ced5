/** Why no job was found: the registry is unreachable, or the namespace or the name is wrong. */
import { suggesting } from '../../config/suggest.ts'
import { isElasticJobError } from '../../errors.ts'
import { isRegistryError } from '../../registry/registry-error.ts'
import { message, type Message } from '../../message.ts'
import { type Finding, finding } from './finding.ts'

/** The finding for a failed connection; undefined if the error has another cause. */
export function findingOfConnection(error: unknown): Finding | undefined {
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) {
    return finding({
      cause: 'registry-unreachable',
      severity: 'error',
      what: message('registry-unreachable', { reason: error.message.split('\n')[0] ?? '' }),
      remedy: message('registry-unreachable-remedy'),
    })
  }
  if (!isRegistryError(error, 'REGISTRY_NO_AUTH', 'REGISTRY_AUTH_FAILED')) return undefined
  return finding({
    cause: 'registry-refuses',
    severity: 'error',
    what: message('registry-denied'),
    remedy: message('registry-denied-remedy'),
  })
}

/** The other content of the registry. */
export interface Surroundings {
  readonly namespace: string
  /** The jobs of the namespace; undefined if the namespace does not exist. */
  readonly jobNames: readonly string[] | undefined
  /** The other namespaces, and the jobs of each. */
  readonly others: ReadonlyMap<string, readonly string[]>
  /** Other namespaces without read permission; their content is unknown. */
  readonly unreadable: readonly string[]
}

/** The finding for a job or a namespace that does not exist. */
export function findingOfAbsence(jobName: string | undefined, around: Surroundings): Finding {
  const { namespace, jobNames, others, unreadable } = around
  const elsewhere = [...others].filter(
    ([, names]) => jobName !== undefined && names.includes(jobName),
  )
  if (jobName !== undefined && elsewhere.length > 0) {
    const names = elsewhere.map(([name]) => `"${name}"`).join(', ')
    return finding({
      cause: jobNames === undefined ? 'namespace-unknown' : 'job-unknown',
      severity: 'error',
      what: message('job-elsewhere', { namespace, jobName, namespaces: names }),
      remedy: message('job-elsewhere-remedy'),
    })
  }
  if (jobNames === undefined) {
    const known = [...others.keys()]
    const remedy =
      known.length === 0
        ? message('namespaces-absent-remedy')
        : message('namespace-unknown-remedy', { namespaces: known.join(', ') })
    return finding({
      cause: 'namespace-unknown',
      severity: 'error',
      what: suggesting(message('namespace-unknown', { namespace }), namespace, known),
      remedy: orIn(unreadable, remedy),
    })
  }
  const remedy =
    jobNames.length === 0 ? message('namespace-empty-remedy') : message('job-absent-remedy')
  return finding({
    cause: 'job-unknown',
    severity: 'error',
    what:
      jobName === undefined
        ? message('namespace-empty', { namespace })
        : suggesting(message('job-absent', { namespace, jobName }), jobName, jobNames),
    remedy: orIn(unreadable, remedy),
  })
}

/** Adds the unreadable namespaces to a remedy: the job may be in one of them. */
function orIn(namespaces: readonly string[], remedy: Message): Message {
  if (namespaces.length === 0) return remedy
  return message('namespaces-denied-remedy', { remedy, namespaces: namespaces.join(', ') })
}
