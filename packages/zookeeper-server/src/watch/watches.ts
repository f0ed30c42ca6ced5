import {
  type Acl,
  eventType,
  type SetWatchesRequest,
  watcherType,
} from '@elasticjob/zookeeper/protocol'
import type { DataTree, TreeObserver } from '../tree/data-tree.ts'
import { parentPath } from '../tree/path.ts'
import { openAcl } from '../acl/acl-table.ts'
import { type Watcher, type WatchMode, WatchTable } from './watch-table.ts'

/** All watches: on a node's data or existence, and on its children. A persistent watch is in both tables. */
export class Watches implements TreeObserver {
  readonly data: WatchTable = new WatchTable()
  readonly children: WatchTable = new WatchTable()

  get size(): number {
    return this.data.size + this.children.size
  }

  created(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void {
    this.data.trigger(path, eventType.created, acl)
    this.#childrenChanged(path, parentAcl)
  }

  deleted(path: string, acl: readonly Acl[], parentAcl: readonly Acl[]): void {
    const told = this.data.trigger(path, eventType.deleted, acl)
    this.children.trigger(path, eventType.deleted, acl, told)
    this.#childrenChanged(path, parentAcl)
  }

  dataChanged(path: string, acl: readonly Acl[]): void {
    this.data.trigger(path, eventType.dataChanged, acl)
  }

  addBoth(path: string, watcher: Watcher, mode: WatchMode): void {
    this.data.add(path, watcher, mode)
    this.children.add(path, watcher, mode)
  }

  /** Whether there is a watch of this type on the path; undefined for an invalid query. */
  check(path: string, type: number): boolean | undefined {
    switch (type) {
      case watcherType.children:
        return this.children.isWatched(path)
      case watcherType.data:
        return this.data.isWatched(path)
      case watcherType.any:
        return this.children.isWatched(path) === false
          ? this.data.isWatched(path)
          : this.children.isWatched(path)
      default:
        return undefined
    }
  }

  /** Removes a watch; returns whether there was one, or undefined for an unknown type. */
  remove(path: string, type: number, watcher: Watcher): boolean | undefined {
    switch (type) {
      case watcherType.children:
        return this.children.remove(path, watcher)
      case watcherType.data:
        return this.data.remove(path, watcher)
      case watcherType.any: {
        const fromChildren = this.children.remove(path, watcher)
        return this.data.remove(path, watcher) || fromChildren
      }
      default:
        return undefined
    }
  }

  removeAll(watcher: Watcher): void {
    this.data.removeAll(watcher)
    this.children.removeAll(watcher)
  }

  /**
   * Sets the watches of a reconnected client again. Events missed by one-shot watches are sent at once;
   * events missed by persistent watches are not sent.
   */
  restore(request: SetWatchesRequest, tree: DataTree, watcher: Watcher): void {
    const seen = Number(request.relativeZxid)
    for (const path of request.data) {
      const node = tree.get(path)
      if (node === undefined) watcher.notify(eventType.deleted, path, openAcl)
      else if (node.mzxid > seen) watcher.notify(eventType.dataChanged, path, openAcl)
      else this.data.add(path, watcher, 'oneShot')
    }
    for (const path of request.exist) {
      if (tree.get(path) !== undefined) watcher.notify(eventType.created, path, openAcl)
      else this.data.add(path, watcher, 'oneShot')
    }
    for (const path of request.child) {
      const node = tree.get(path)
      if (node === undefined) watcher.notify(eventType.deleted, path, openAcl)
      else if (node.pzxid > seen) watcher.notify(eventType.childrenChanged, path, openAcl)
      else this.children.add(path, watcher, 'oneShot')
    }
    for (const path of request.persistent) this.addBoth(path, watcher, 'persistent')
    for (const path of request.recursive) this.addBoth(path, watcher, 'recursive')
  }

  #childrenChanged(path: string, parentAcl: readonly Acl[]): void {
    if (this.children.size === 0) return
    this.children.trigger(parentPath(path) || '/', eventType.childrenChanged, parentAcl)
  }
}
