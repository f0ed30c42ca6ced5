/** Nothing stays behind in the tree: no mark of a run that is over, no flag, no latch, nobody who is gone. */
import type { Violation } from './facts.ts'

export interface TreeFacts {
  /** Every node below the namespace and beside it, with its data. */
  readonly tree: ReadonlyMap<string, string>
  /** Who takes part at this moment. */
  readonly living: ReadonlySet<string>
  /** Items that ran at about this moment, as `job/item`: their marks are in order. */
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
    const [, root = '', jobName = '', folder = '', item = '', mark] = path.split('/')
    if (root.endsWith('.state')) {
      const isOfSession = jobName === 'alive' || jobName === 'lease'
      if (isOfSession && folder !== '' && !living.has(folder)) say(path, 'is of nobody who lives')
      if (jobName !== 'execution' || item === '') continue
      const { state } = JSON.parse(data) as { readonly state: string }
      const isBusy = busy.has(`${folder}/${item}`)
      if (state === 'running' && !isBusy) say(path, 'says that it runs')
      if (state === 'crashed' && failover.get(folder) === true && !isBusy) {
        say(path, 'waits to be taken over')
      }
      continue
    }
    if (/\/(necessary|processing)$/.test(path) || /\/latch\/.+/.test(path)) say(path, 'stays')
    if (folder === 'trigger' && item !== '') say(path, 'stays')
    if (folder === 'instances' && item !== '' && !living.has(item)) {
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
    } else if (!busy.has(`${jobName}/${item}`)) say(path, 'stays')
  }
  return found
}
