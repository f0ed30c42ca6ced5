/** Servers and items off and on: the nodes are Java's, and both obey them. */
import { part } from '@elasticjob/zookeeper'

import { encodeItemWord, type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isServerEnabled, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { say } from '../sentence.ts'
import { changeWord, type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { effectOn } from './result.ts'
import { serversOf } from './server-status.ts'

export function planDisable(view: JobView, operator: Operator, server?: string): Draft {
  requireStaying(view)
  return planServers(view, operator, 'DISABLED', server)
}

/**
 * Who was disabled alone has missed nothing: others had the items. A job that was disabled altogether
 * begins anew: what was scheduled until now is not made up for.
 */
export function planEnable(view: JobView, operator: Operator, now: number, server?: string): Draft {
  requireStaying(view)
  const draft = planServers(view, operator, 'ENABLED', server)
  const wasOff = !serversOf(view).some((ip) => isServerEnabled(view, ip))
  if (draft.operations.length > 0 && wasOff && view.word !== undefined) {
    draft.operations.push(...changeWord(view, operator, { resumed: now }))
  }
  return draft
}

function planServers(
  view: JobView,
  { paths, make }: Operator,
  wish: 'ENABLED' | 'DISABLED',
  server: string | undefined,
): Draft {
  const { jobName } = view
  const draft = emptyDraft()
  for (const ip of server === undefined ? serversOf(view) : [server]) {
    const effect = effectOn(
      { jobName, server: ip },
      wish === 'ENABLED'
        ? say`job ${jobName} is enabled on server ${ip}`
        : say`job ${jobName} is disabled on server ${ip}`,
    )
    const stands = view.servers.get(ip)
    if (stands === wish) {
      draft.unchanged.push(effect)
      continue
    }
    const path = paths.server(ip)
    draft.operations.push(stands === undefined ? make.persistent(path, wish) : part.set(path, wish))
    draft.done.push(effect)
  }
  return draft
}

export function planShardDisable(view: JobView, { paths, make }: Operator, item: number): Draft {
  requireStaying(view)
  const { jobName } = view
  const draft = emptyDraft()
  const effect = effectOn({ jobName, item }, say`item ${item} of job ${jobName} is disabled`)
  const nodes = view.items.get(item)
  if (nodes?.disabled === true) {
    draft.unchanged.push(effect)
    return draft
  }
  // Nobody may have dealt out the items yet.
  if (nodes === undefined) draft.operations.push(make.persistent(paths.item(item)))
  draft.operations.push(make.persistent(paths.mark(item, 'disabled')))
  draft.done.push(effect)
  return draft
}

/**
 * The item's word remembers that it was off until now, so that whoever owns it does not make up for what
 * was scheduled meanwhile. While it runs that cannot be needed, and its word is its run's.
 */
export function planShardEnable(
  view: JobView,
  { paths, make }: Operator,
  item: number,
  word: Versioned<ItemWord> | undefined,
  now: number,
): Draft {
  requireStaying(view)
  const { jobName } = view
  const draft = emptyDraft()
  const effect = effectOn({ jobName, item }, say`item ${item} of job ${jobName} is enabled`)
  if (view.items.get(item)?.disabled !== true) {
    draft.unchanged.push(effect)
    return draft
  }
  draft.operations.push(part.delete(paths.mark(item, 'disabled')))
  // A job of Java's alone has no words.
  if (view.word !== undefined && word?.value.state !== 'running') {
    const text = encodeItemWord({ ...neverRun, ...word?.value, since: now })
    const path = paths.itemWord(item)
    draft.operations.push(
      word === undefined ? make.persistent(path, text) : part.set(path, text, word.version),
    )
  }
  draft.done.push(effect)
  return draft
}
