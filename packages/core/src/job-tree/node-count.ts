import type { JobView } from './job-view.ts'

/** How many nodes of a job a view knows of. */
export function nodeCountOf(view: JobView): number {
  const { instances, unproven, servers, shards, failoverShards, triggers, folders } = view
  const single = [
    view.config,
    view.leader,
    view.assignment,
    view.necessary,
    view.turn,
    view.jobState,
  ]
  let marks = 0
  for (const { hasOwner, running, misfire, disabled, failover, failovering } of shards.values()) {
    for (const mark of [hasOwner, running, misfire, disabled, failover, failovering]) {
      if (mark !== undefined && mark !== false) marks += 1
    }
  }
  return (
    instances.size +
    unproven.size +
    servers.size +
    shards.size +
    failoverShards.size +
    triggers.size +
    folders.size +
    single.filter((node) => node !== undefined).length +
    marks
  )
}
