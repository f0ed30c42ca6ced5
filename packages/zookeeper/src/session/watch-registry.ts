import { eventType } from '../jute/op-codes.ts'
import { parentOf } from '../paths.ts'

/** A change that a watch reports. */
export interface WatchEvent {
  readonly type: 'created' | 'deleted' | 'dataChanged' | 'childrenChanged'
  readonly path: string
}

/** Called with each change that a watch reports. */
export type WatchListener = (event: WatchEvent) => void

/** The one-shot watches: on a node's data, on the existence of an absent node, on its children. */
export type OneShotKind = 'data' | 'exist' | 'child'

/** The persistent watches: on a node, or on a node and everything below it. */
export type PersistentMode = 'persistent' | 'recursive'

const eventNames = new Map<number, WatchEvent['type']>([
  [eventType.created, 'created'],
  [eventType.deleted, 'deleted'],
  [eventType.dataChanged, 'dataChanged'],
  [eventType.childrenChanged, 'childrenChanged'],
])

/** The event of a notification's type; undefined for a type that concerns no node. */
export function watchEventType(type: number): WatchEvent['type'] | undefined {
  return eventNames.get(type)
}

type Listeners = Map<string, Set<WatchListener>>

/** An event, and the listeners that receive it. */
interface Heard {
  readonly listener: WatchListener
  readonly event: WatchEvent
}

/**
 * The listeners of each path, by full server path.
 *
 * Servers before 3.9 keep one watch mode for a session and a path: a one-shot watch on the root of a
 * recursive watch silently replaces it. So such a read is sent without a watch (`isCovered`), and its
 * listener is served by the events of the persistent watch.
 */
export class WatchRegistry {
  readonly #oneShot: Record<OneShotKind, Listeners> = {
    data: new Map(),
    exist: new Map(),
    child: new Map(),
  }
  readonly #lasting: Record<PersistentMode, Listeners> = {
    persistent: new Map(),
    recursive: new Map(),
  }

  addOneShot(kind: OneShotKind, path: string, listener: WatchListener): void {
    add(this.#oneShot[kind], path, listener)
  }

  /** Drops the one-shot listeners of a path; returns whether there were any. */
  dropOneShots(path: string, kinds: readonly OneShotKind[]): boolean {
    return kinds.map((kind) => this.#oneShot[kind].delete(path)).includes(true)
  }

  addLasting(mode: PersistentMode, path: string, listener: WatchListener): void {
    add(this.#lasting[mode], path, listener)
  }

  removeLasting(mode: PersistentMode, path: string, listener: WatchListener): void {
    const listeners = this.#lasting[mode].get(path)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#lasting[mode].delete(path)
  }

  dropLasting(path: string): boolean {
    return [this.#lasting.persistent.delete(path), this.#lasting.recursive.delete(path)].includes(
      true,
    )
  }

  /** The mode that the server has to keep for a path: recursive covers both. */
  lastingMode(path: string): PersistentMode | undefined {
    if (this.#lasting.recursive.has(path)) return 'recursive'
    return this.#lasting.persistent.has(path) ? 'persistent' : undefined
  }

  /** Whether a persistent watch already reports what a one-shot watch on this path would. */
  isCovered(path: string): boolean {
    return this.lastingMode(path) !== undefined
  }

  hasOneShots(path: string): boolean {
    return oneShotKinds.some((kind) => this.#oneShot[kind].has(path))
  }

  oneShotPaths(kind: OneShotKind): string[] {
    return [...this.#oneShot[kind].keys()]
  }

  lastingPaths(mode: PersistentMode): string[] {
    return [...this.#lasting[mode].keys()]
  }

  get size(): number {
    const maps = [...Object.values(this.#oneShot), ...Object.values(this.#lasting)]
    return maps.reduce((sum, map) => sum + map.size, 0)
  }

  clear(): void {
    for (const map of [...Object.values(this.#oneShot), ...Object.values(this.#lasting)]) {
      map.clear()
    }
  }

  /**
   * Returns the listeners of an event and removes the one-shot ones. A missed event arrives while watches are
   * registered again and is for one-shot listeners only: the server sends it for each of their kinds, so a
   * persistent listener would receive it twice or never.
   */
  take(event: WatchEvent, isMissed = false): Heard[] {
    const heard: Heard[] = []
    const { type, path } = event
    for (const kind of kindsOf[type]) tell(heard, this.#takeOneShots(kind, path), event)
    if (isMissed) return heard
    const { persistent, recursive } = this.#lasting
    if (persistent.size > 0) tell(heard, persistent.get(path), event)
    if (type !== 'childrenChanged' && recursive.size > 0) {
      tell(heard, recursive.get(path), event)
      for (let at = path; at !== '/';) {
        at = parentOf(at)
        tell(heard, recursive.get(at), event)
      }
      if (type !== 'dataChanged') this.#tellParent(heard, parentOf(path))
    }
    return heard
  }

  /**
   * A recursive watch does not report changes of children; they are derived from created and deleted nodes.
   */
  #tellParent(heard: Heard[], parent: string): void {
    if (!this.#lasting.recursive.has(parent)) return
    const change: WatchEvent = { type: 'childrenChanged', path: parent }
    tell(heard, this.#takeOneShots('child', parent), change)
    tell(heard, this.#lasting.persistent.get(parent), change)
  }

  #takeOneShots(kind: OneShotKind, path: string): Set<WatchListener> | undefined {
    const watched = this.#oneShot[kind]
    // Most clients have none: the check must cost nothing then.
    if (watched.size === 0) return undefined
    const listeners = watched.get(path)
    if (listeners !== undefined) watched.delete(path)
    return listeners
  }
}

function tell(
  heard: Heard[],
  listeners: Iterable<WatchListener> | undefined,
  event: WatchEvent,
): void {
  if (listeners === undefined) return
  for (const listener of listeners) heard.push({ listener, event })
}

export const oneShotKinds: readonly OneShotKind[] = ['data', 'exist', 'child']

const kindsOf: Record<WatchEvent['type'], readonly OneShotKind[]> = {
  created: ['data', 'exist'],
  deleted: ['data', 'exist', 'child'],
  dataChanged: ['data', 'exist'],
  childrenChanged: ['child'],
}

function add(map: Listeners, path: string, listener: WatchListener): void {
  const listeners = map.get(path)
  if (listeners === undefined) map.set(path, new Set([listener]))
  else listeners.add(listener)
}
