/** Why there is nothing to look at: no registry, another namespace, another name. */
import { suggesting } from '../../config/suggest.ts'
import { isElasticJobError } from '../../errors.ts'
import { isRegistryError } from '../../registry/registry-error.ts'
import { message, type Message } from '../../message.ts'
import { type Finding, finding } from './finding.ts'

/** What a failed connection means; undefined if it is something else that failed. */
export function findingOfConnection(error: unknown): Finding | undefined {
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) {
    return finding({
      cause: 'registry-unreachable',
      severity: 'error',
      what: message`the registry cannot be reached: ${error.message.split('\n')[0] ?? ''}`,
      remedy: message`see that ZooKeeper runs and that the address is right; for development, \`elasticjob zookeeper\` starts one`,
    })
  }
  if (!isRegistryError(error, 'REGISTRY_NO_AUTH', 'REGISTRY_AUTH_FAILED')) return undefined
  return finding({
    cause: 'registry-refuses',
    severity: 'error',
    what: message`the registry does not let us read there`,
    remedy: message`give the digest (name:password) with which the jobs were made, or the right sasl user`,
  })
}

/** What else there is in the registry. */
export interface Surroundings {
  readonly namespace: string
  /** The jobs of the namespace; undefined if there is no such namespace. */
  readonly jobNames: readonly string[] | undefined
  /** Other namespaces, and the jobs of each. */
  readonly others: ReadonlyMap<string, readonly string[]>
  /** Other namespaces that belong to somebody else: what is in them is not known. */
  readonly unreadable: readonly string[]
}

/** There is no such job, or nobody knows the namespace. */
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
      what: message`namespace "${namespace}" has no job "${jobName}"; ${names} has one`,
      remedy: message`look there with --namespace, or let the processes of the job use the same namespace`,
    })
  }
  if (jobNames === undefined) {
    const known = [...others.keys()]
    const remedy =
      known.length === 0
        ? message`start a process that schedules a job: it makes the namespace`
        : message`there are ${known.join(', ')}; choose one with --namespace`
    return finding({
      cause: 'namespace-unknown',
      severity: 'error',
      what: suggesting(message`there is no namespace "${namespace}"`, namespace, known),
      remedy: orIn(unreadable, remedy),
    })
  }
  const remedy =
    jobNames.length === 0
      ? message`it has no job at all: start a process that schedules one`
      : message`\`elasticjob jobs\` lists those that there are`
  return finding({
    cause: 'job-unknown',
    severity: 'error',
    what:
      jobName === undefined
        ? message`namespace "${namespace}" has no job`
        : suggesting(message`namespace "${namespace}" has no job "${jobName}"`, jobName, jobNames),
    remedy: orIn(unreadable, remedy),
  })
}

/** What cannot be read may be what was looked for. */
function orIn(namespaces: readonly string[], remedy: Message): Message {
  if (namespaces.length === 0) return remedy
  return message`${remedy}; or look with its digest into ${namespaces.join(', ')}, where we may not read`
}
