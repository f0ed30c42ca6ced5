import { type CachedNode, TreeCache } from '@elasticjob/zookeeper'

import type { TreeCopy, TreeCopyListener } from '../registry-client.ts'
import { rethrow } from './registry-errors.ts'

/** A copy of a subtree that follows ZooKeeper. */
export class ZooKeeperTreeCopy extends TreeCache implements TreeCopy {
  follow({ touched, stale, current }: TreeCopyListener): void {
    const changed = ({ path }: { readonly path: string }): void => touched(path)
    this.on('node:created', changed)
    this.on('node:changed', changed)
    this.on('node:removed', changed)
    this.on('cache:stale', stale)
    this.on('cache:current', current)
  }

  override start(): Promise<void> {
    return super.start().catch(rethrow)
  }

  override stop(): Promise<void> {
    return super.stop().catch(rethrow)
  }

  override settled(): Promise<void> {
    return super.settled().catch(rethrow)
  }

  override get size(): number {
    return answered(() => super.size)
  }

  override has(path: string): boolean {
    return answered(() => super.has(path))
  }

  override get(path: string): CachedNode | undefined {
    return answered(() => super.get(path))
  }

  override children(path: string): string[] | undefined {
    return answered(() => super.children(path))
  }
}

/** Converts the error that a copy throws before it has been read. */
function answered<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    return rethrow(error)
  }
}
