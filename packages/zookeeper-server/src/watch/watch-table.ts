import type { Acl } from '@elasticjob/zookeeper/protocol'
import { eventType } from '@elasticjob/zookeeper/protocol'

/** How long a watch stays, and whether it includes the nodes below. */
export type WatchMode = 'oneShot' | 'persistent' | 'recursive'

/** The owner of a watch. */
export interface Watcher {
  notify(type: number, path: string, acl: readonly Acl[]): void
}

/**
 * The watches of one kind (data or children). A watcher has one mode for a path: a second watch on the same
 * path replaces the first one's mode. All servers before 3.9 do this; a one-shot read of a path with a
 * persistent watch turns that watch into a one-shot watch.
 */
export class WatchTable {
  readonly #byPath = new Map<string, Map<Watcher, WatchMode>>()
  readonly #byWatcher = new Map<Watcher, Set<string>>()
  #recursive = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  get byPath(): ReadonlyMap<string, ReadonlyMap<Watcher, WatchMode>> {
    return this.#byPath
  }

  get byWatcher(): ReadonlyMap<Watcher, ReadonlySet<string>> {
    return this.#byWatcher
  }

  add(path: string, watcher: Watcher, mode: WatchMode): void {
    let watchers = this.#byPath.get(path)
    if (watchers === undefined) {
      watchers = new Map()
      this.#byPath.set(path, watchers)
    }
    const previous = watchers.get(watcher)
    if (previous === mode) return
    watchers.set(watcher, mode)
    if (previous === 'recursive') this.#recursive--
    if (mode === 'recursive') this.#recursive++
    if (previous !== undefined) return
    this.#size++
    const paths = this.#byWatcher.get(watcher)
    if (paths === undefined) this.#byWatcher.set(watcher, new Set([path]))
    else paths.add(path)
  }

  /**
   * Whether any client watches the path: before 3.9 a check ignores by whom. Undefined for a relative path,
   * on which Apache ZooKeeper fails.
   */
  isWatched(path: string): boolean | undefined {
    // Watches on the empty path can be set but are never found.
    if (path === '') return false
    if (!path.includes('/')) return undefined
    if (this.#byPath.has(path)) return true
    return this.#recursive > 0 && !path.startsWith('/') ? undefined : false
  }

  has(path: string, watcher: Watcher): boolean {
    return this.#byPath.get(path)?.has(watcher) === true
  }

  remove(path: string, watcher: Watcher): boolean {
    const watchers = this.#byPath.get(path)
    const mode = watchers?.get(watcher)
    if (watchers === undefined || mode === undefined) return false
    this.#forget(path, watchers, watcher, mode)
    return true
  }

  removeAll(watcher: Watcher): void {
    const paths = this.#byWatcher.get(watcher)
    if (paths === undefined) return
    for (const path of paths) this.remove(path, watcher)
  }

  /**
   * Notifies every watcher of this path, and every recursive watcher above it, once and only if it is not in
   * `told`. Returns the watchers.
   */
  trigger(
    path: string,
    type: number,
    acl: readonly Acl[],
    told?: ReadonlySet<Watcher>,
  ): ReadonlySet<Watcher> | undefined {
    if (this.#size === 0) return undefined
    let found: Set<Watcher> | undefined
    const watchers = this.#byPath.get(path)
    if (watchers !== undefined) {
      for (const [watcher, mode] of watchers) {
        if (mode === 'recursive' && type === eventType.childrenChanged) continue
        found ??= new Set()
        found.add(watcher)
        if (mode === 'oneShot') this.#forget(path, watchers, watcher, mode)
      }
    }
    if (this.#recursive > 0 && type !== eventType.childrenChanged) {
      found = this.#addRecursive(path, found)
    }
    if (found === undefined) return undefined
    for (const watcher of found) {
      if (told?.has(watcher) !== true) watcher.notify(type, path, acl)
    }
    return found
  }

  #addRecursive(path: string, found: Set<Watcher> | undefined): Set<Watcher> | undefined {
    let all = found
    for (let at = path.lastIndexOf('/'); path.length > 1 && at >= 0;) {
      const watchers = this.#byPath.get(at === 0 ? '/' : path.slice(0, at))
      if (watchers !== undefined) {
        for (const [watcher, mode] of watchers) {
          if (mode === 'recursive') (all ??= new Set()).add(watcher)
        }
      }
      at = at === 0 ? -1 : path.lastIndexOf('/', at - 1)
    }
    return all
  }

  #forget(
    path: string,
    watchers: Map<Watcher, WatchMode>,
    watcher: Watcher,
    mode: WatchMode,
  ): void {
    watchers.delete(watcher)
    if (watchers.size === 0) this.#byPath.delete(path)
    if (mode === 'recursive') this.#recursive--
    this.#size--
    const paths = this.#byWatcher.get(watcher)
    paths?.delete(path)
    if (paths?.size === 0) this.#byWatcher.delete(watcher)
  }
}
