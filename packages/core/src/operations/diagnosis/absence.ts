/** Why there is nothing to look at: no registry, another namespace, another name. */
import { isZooKeeperError } from '@elasticjob/zookeeper'

import { suggest } from '../../config/suggest.ts'
import { isElasticJobError } from '../../errors.ts'
import type { Finding } from './finding.ts'

/** What a failed connection means; undefined if it is something else that failed. */
export function findingOfConnection(error: unknown): Finding | undefined {
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')) {
    return {
      cause: 'registry-unreachable',
      severity: 'stops',
      what: error.message.split('\n')[0] ?? error.message,
      remedy:
        'see that ZooKeeper runs and that the address is right; for development, `elasticjob ' +
        'zookeeper` starts one',
    }
  }
  if (!isZooKeeperError(error, 'ZK_NO_AUTH', 'ZK_AUTH_FAILED')) return undefined
  return {
    cause: 'registry-refuses',
    severity: 'stops',
    what: 'the registry does not let us read there',
    remedy: 'give the digest (name:password) with which the jobs were made, or the right sasl user',
  }
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
  if (elsewhere.length > 0) {
    const names = elsewhere.map(([name]) => `"${name}"`).join(', ')
    return {
      cause: jobNames === undefined ? 'namespace-unknown' : 'job-unknown',
      severity: 'stops',
      what: `namespace "${namespace}" has no job "${jobName}"; ${names} has one`,
      remedy: 'look there with --namespace, or let the processes of the job use the same namespace',
    }
  }
  if (jobNames === undefined) {
    const known = [...others.keys()]
    return {
      cause: 'namespace-unknown',
      severity: 'stops',
      what: `there is no namespace "${namespace}"${suggest(namespace, known)}`,
      remedy:
        (known.length === 0
          ? 'start a process that schedules a job: it makes the namespace'
          : `there are ${known.join(', ')}; choose one with --namespace`) + unknown(unreadable),
    }
  }
  return {
    cause: 'job-unknown',
    severity: 'stops',
    what: `namespace "${namespace}" has no job "${jobName}"${suggest(jobName ?? '', jobNames)}`,
    remedy:
      (jobNames.length === 0
        ? 'it has no job at all: start a process that schedules one'
        : '`elasticjob jobs` lists those that there are') + unknown(unreadable),
  }
}

/** What cannot be read may be what was looked for. */
function unknown(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return ''
  return `; or look with its digest into ${namespaces.join(', ')}, where we may not read`
}
