import { parentOf, type TreeCache, type TreeCacheEvents } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { nodeView, type TreeView } from './tree-view.ts'

type Told = `${'created' | 'changed' | 'removed'} ${string}`

/**
 * All that a cache tells, applied to a view of its own. Whoever follows the events alone has to end
 * with what the cache holds, and never hear of something that cannot follow from what was told before.
 */
export class TreeHistory {
  /** What was told, such as `created /a`. */
  readonly told = new Recorder<Told>()
  readonly view: TreeView = {}
  /** What was told and made no sense. */
  readonly contradictions: string[] = []
  /** The zxids of the commits told, in the order in which they were told. */
  readonly commits: bigint[] = []

  constructor(cache: TreeCache) {
    cache.on('node:created', (node) => this.#created(cache, node))
    cache.on('node:changed', (node) => this.#changed(node))
    cache.on('node:removed', ({ path }) => this.#removed(path))
  }

  #created(cache: TreeCache, { path, ...content }: TreeCacheEvents['node:created'][0]): void {
    const isKnownAbove = path === cache.path || parentOf(path) in this.view
    if (path in this.view || !isKnownAbove) this.#contradicts(`created ${path}`)
    this.view[path] = nodeView(content)
    this.commits.push(content.stat.czxid)
    this.told.record(`created ${path}`)
  }

  #changed({ path, ...content }: TreeCacheEvents['node:changed'][0]): void {
    const before = this.view[path]
    const { czxid, mzxid } = content.stat
    if (before?.czxid !== czxid || before.mzxid >= mzxid) this.#contradicts(`changed ${path}`)
    this.view[path] = nodeView(content)
    this.commits.push(mzxid)
    this.told.record(`changed ${path}`)
  }

  #removed(path: string): void {
    const isLeaf = Object.keys(this.view).every((other) => !other.startsWith(`${path}/`))
    if (!(path in this.view) || !isLeaf) this.#contradicts(`removed ${path}`)
    delete this.view[path]
    this.told.record(`removed ${path}`)
  }

  #contradicts(what: string): void {
    this.contradictions.push(`${what} after ${this.told.seen.slice(-20).join(', ')}`)
  }
}
