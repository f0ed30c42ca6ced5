/** Nothing stays behind in the tree: no mark of a run that is over, no flag, no latch, nobody who is gone. */
import type { Violation } from './facts.ts'

export interface TreeFacts {
  /** Every node below the namespace and beside it, with its data. */
  readonly tree: ReadonlyMap<string, string>
  /** Who takes part at this moment. */
  readonly living: ReadonlySet<string>
  /** Shards that ran at about this moment, as `job/item`: their marks are in order. */
  readonly busy: ReadonlySet<string>
  /** Whether what crashed is taken over, by job. */
  readonly failover: ReadonlyMap<string, boolean>
}

export function leftovers({ tree, living, busy, failover }: TreeFacts): Violation[] {
  const found: Violation[] = []
  const say = (path: string, why: string): void => {
    found.push({ rule: 'left behind', text: `${path} ${why}` })
  }
  for (const [path, data] of tree) {
    const [, root = '', jobName = '', folder = '', shard = '', mark] = path.split('/')
    if (root.endsWith('.state')) {
      const isOfSession = jobName === 'alive' || jobName === 'lease'
      if (isOfSession && folder !== '' && !living.has(folder)) say(path, 'is of nobody who lives')
      if (jobName !== 'execution' || shard === '') continue
      const { state } = JSON.parse(data) as { readonly state: string }
      const isBusy = busy.has(`${folder}/${shard}`)
      if (state === 'running' && !isBusy) say(path, 'says that it runs')
      if (state === 'crashed' && failover.get(folder) === true && !isBusy) {
        say(path, 'waits to be taken over')
      }
      continue
    }
    if (/\/(necessary|processing)$/.test(path) || /\/latch\/.+/.test(path)) say(path, 'stays')
    if (folder === 'trigger' && shard !== '') say(path, 'stays')
    if (folder === 'instances' && shard !== '' && !living.has(shard)) {
      say(path, 'is of nobody who lives')
    }
    if (path.endsWith('/leader/election/instance') && !living.has(data)) {
      say(path, `names ${data}, who does not live`)
    }
    const waiting = /\/leader\/failover\/items\/(\d+)$/.exec(path)?.[1]
    if (waiting !== undefined && !busy.has(`${jobName}/${waiting}`)) say(path, 'stays')
    if (folder !== 'sharding' || mark === undefined) continue
    if (mark === 'instance') {
      if (!living.has(data)) say(path, `names ${data}, who does not live`)
    } else if (!busy.has(`${jobName}/${shard}`)) say(path, 'stays')
  }
  return found
}
