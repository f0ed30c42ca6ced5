/** Instances are asked to leave: ours by the job's word, Java's as Java's own tools do it. */
import { part } from '@elasticjob/zookeeper'

import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { noJobWord } from '../job-tree/job-word.ts'
import { say } from '../sentence.ts'
import { changeWord, type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { type Effect, effectOn } from './result.ts'

/**
 * Those who left are remembered until their server takes part again: that tells an operator's wish from
 * a crash.
 */
export function planShutdown(view: JobView, operator: Operator, server?: string): Draft {
  requireStaying(view)
  const { jobName } = view
  const draft = emptyDraft()
  const asked = new Set(view.word?.value.shutdown)
  const meant = [...view.instances]
    .filter((instance) => server === undefined || serverOf(instance) === server)
    .toSorted()
  for (const instance of meant) {
    const effect = effectOn(
      { jobName, server: serverOf(instance), instance },
      say`${instance} is asked to leave job ${jobName}`,
    )
    if (isJavaInstance(instance))
      draft.operations.push(part.delete(operator.paths.instance(instance)))
    else if (asked.has(instance)) {
      draft.unchanged.push(effect)
      continue
    }
    draft.done.push(effect)
  }
  if (meant.length === 0) draft.unchanged.push(nobodyThere(view, server))
  const named = draft.done.map(({ instance }) => instance as string)
  const isKept = named.some((instance) => !isJavaInstance(instance)) || view.word !== undefined
  if (named.length > 0 && isKept) {
    const shutdown = [...stillOf(view, server), ...named]
    draft.operations.push(...changeWord(view, operator, { shutdown: [...new Set(shutdown)] }))
  }
  return draft
}

/** Who was asked before, without those whose server takes part again: Java forgets nobody by itself. */
function stillOf(view: JobView, server: string | undefined): string[] {
  const { shutdown = [] } = view.word?.value ?? noJobWord
  const present = new Set(
    [...view.instances].filter((instance) => !shutdown.includes(instance)).map(serverOf),
  )
  return shutdown.filter((instance) => {
    const ip = serverOf(instance)
    return view.instances.has(instance) || ip === server || !present.has(ip)
  })
}

function nobodyThere({ jobName }: JobView, server: string | undefined): Effect {
  return server === undefined
    ? effectOn({ jobName }, say`no instance takes part in job ${jobName}`)
    : effectOn({ jobName, server }, say`no instance takes part in job ${jobName} on ${server}`)
}
