import { part } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { type JobWord, noJobWord } from '../job-tree/job-word.ts'
import { say } from '../sentence.ts'
import { changeWord, type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { effectOn } from './result.ts'
import { instancesOn } from './server-status.ts'

/** The names of the guards below the items' words: whose it is, he removes the job. */
const guardPrefix = 'removal-'

/** The node that one operator has made who removes a job; no other one ever has its name. */
export function guardOf({ paths }: Operator, name: string): string {
  return `${paths.words}/${guardPrefix}${name}`
}

/**
 * Says that the job is being removed, and by whom: ours leave it, and Java's are sent away as Java's own
 * tools do it. Whoever removed it before us has to stop: of two, one could delete what was made anew after
 * the other had finished.
 * @param beside what stands below the items' words; undefined if that folder is missing
 */
export function planMark(
  view: JobView,
  operator: Operator,
  name: string,
  beside: readonly string[] | undefined,
): Draft {
  const { jobName } = view
  const { paths, make } = operator
  const guard = guardOf(operator, name)
  const draft = emptyDraft()
  draft.operations.push(...changeWord(view, operator, { removing: true }))
  if (view.word !== undefined && beside === undefined) {
    draft.operations.push(make.persistent(paths.words))
  }
  for (const other of beside ?? []) {
    if (other.startsWith(guardPrefix)) draft.operations.push(part.delete(`${paths.words}/${other}`))
  }
  draft.operations.push(make.persistent(guard))
  for (const instance of [...view.instances].toSorted()) {
    if (isJavaInstance(instance)) draft.operations.push(part.delete(paths.instance(instance)))
    const said = say`${instance} is asked to leave job ${jobName}`
    draft.done.push(effectOn({ jobName, server: serverOf(instance), instance }, said))
  }
  return draft
}

/** The server's node, and whatever the job's word says of it. */
export function planServerRemoval(view: JobView, operator: Operator, server: string): Draft {
  requireStaying(view)
  const { jobName } = view
  const [back] = instancesOn(view, server)
  if (back !== undefined) {
    throw new ElasticJobError(
      'JOB_DEPARTURE_PENDING',
      say`${back} has joined job ${jobName} again; a server is removed when none of its instances is left`,
    )
  }
  const draft = emptyDraft()
  const said = say`server ${server} is removed from job ${jobName}`
  const effect = effectOn({ jobName, server }, said)
  if (!view.servers.has(server)) draft.unchanged.push(effect)
  else {
    draft.operations.push(part.delete(operator.paths.server(server)))
    draft.done.push(effect)
  }
  const forgotten = forget(view.word?.value ?? noJobWord, server)
  if (Object.keys(forgotten).length > 0) {
    draft.operations.push(...changeWord(view, operator, forgotten))
  }
  return draft
}

type Changes = Parameters<typeof changeWord>[2]

/** What changes in a word that is to know nothing of a server any more. */
function forget(word: JobWord, server: string): Changes {
  const { pausedServers, resumedServers, shutdown, emptyServers } = word
  const isOther = (instance: string): boolean => serverOf(instance) !== server
  return {
    ...(pausedServers?.includes(server) === true
      ? { pausedServers: orNothing(pausedServers.filter((ip) => ip !== server)) }
      : {}),
    ...(shutdown?.every(isOther) === false
      ? { shutdown: orNothing(shutdown.filter(isOther)) }
      : {}),
    ...(resumedServers?.[server] === undefined
      ? {}
      : { resumedServers: without(resumedServers, server) }),
    ...(emptyServers?.[server] === undefined
      ? {}
      : { emptyServers: without(emptyServers, server) }),
  }
}

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list
}

function without(
  record: Readonly<Record<string, number>>,
  key: string,
): Readonly<Record<string, number>> | undefined {
  const left = Object.entries(record).filter(([name]) => name !== key)
  return left.length === 0 ? undefined : Object.fromEntries(left)
}
