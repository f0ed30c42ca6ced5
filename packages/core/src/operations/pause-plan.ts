/** Cron fires off and on, for a job or for a server in it. */
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { type JobWord, noJobWord } from '../job-tree/job-word.ts'
import { say } from '../sentence.ts'
import { changeWord, type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { type Effect, effectOn, type Omission, omissionOf } from './result.ts'

export function planPause(view: JobView, operator: Operator, server?: string): Draft {
  requireStaying(view)
  const { jobName } = view
  const { paused = false, pausedServers = [] } = view.word?.value ?? noJobWord
  const draft = emptyDraft()
  draft.skipped.push(...javaInstances(view, server))
  if (server === undefined) {
    const effect = effectOn({ jobName }, say`job ${jobName} is paused`)
    if (paused) draft.unchanged.push(effect)
    else {
      draft.operations.push(...changeWord(view, operator, { paused: true }))
      draft.done.push(effect)
    }
    return draft
  }
  const effect = effectOn({ jobName, server }, say`job ${jobName} is paused on server ${server}`)
  if (pausedServers.includes(server)) draft.unchanged.push(effect)
  else {
    const servers = [...pausedServers, server].toSorted()
    draft.operations.push(...changeWord(view, operator, { pausedServers: servers }))
    draft.done.push(effect)
  }
  return draft
}

/** What was scheduled until now is not made up for: it was not meant to run. */
export function planResume(view: JobView, operator: Operator, now: number, server?: string): Draft {
  requireStaying(view)
  const { jobName } = view
  const word = view.word?.value ?? noJobWord
  const { paused = false, pausedServers = [] } = word
  const draft = emptyDraft()
  if (server === undefined) {
    const effect = effectOn({ jobName }, say`job ${jobName} fires again`)
    if (!paused && pausedServers.length === 0) draft.unchanged.push(effect)
    else {
      const changes = { paused: undefined, pausedServers: undefined, resumed: now }
      draft.operations.push(...changeWord(view, operator, changes))
      draft.done.push(effect)
      draft.done.push(...pausedServers.map((one) => lifted(jobName, one)))
    }
    return draft
  }
  if (paused) {
    const why = say`the whole job ${jobName} is paused: resume the job, then pause the other servers`
    draft.skipped.push(omissionOf({ jobName, server }, why))
  }
  const effect = effectOn({ jobName, server }, say`job ${jobName} fires again on server ${server}`)
  if (!pausedServers.includes(server)) {
    if (!paused) draft.unchanged.push(effect)
    return draft
  }
  draft.operations.push(...changeWord(view, operator, liftedFor(word, server, now)))
  draft.done.push(paused ? lifted(jobName, server) : effect)
  return draft
}

function lifted(jobName: string, server: string): Effect {
  return effectOn({ jobName, server }, say`the pause of server ${server} is lifted`)
}

function liftedFor(word: JobWord, server: string, now: number): Partial<JobWord> {
  const left = (word.pausedServers ?? []).filter((ip) => ip !== server)
  return {
    ...(left.length === 0 ? { pausedServers: undefined } : { pausedServers: left }),
    resumedServers: { ...word.resumedServers, [server]: now },
  } as Partial<JobWord>
}

/** They know no pause: they go on. */
function javaInstances(view: JobView, server: string | undefined): Omission[] {
  return [...view.instances]
    .filter((instance) => isJavaInstance(instance))
    .filter((instance) => server === undefined || serverOf(instance) === server)
    .toSorted()
    .map((instance) =>
      omissionOf(
        { jobName: view.jobName, server: serverOf(instance), instance },
        say`${instance} is a Java instance and knows no pause: it goes on; disable its server instead`,
      ),
    )
}
