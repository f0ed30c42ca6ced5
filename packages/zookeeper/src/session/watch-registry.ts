import { eventType } from '../jute/op-codes.ts'
import { parentOf } from '../paths.ts'

/** Something that happened at a watched path. */
export interface WatchEvent {
  readonly type: 'created' | 'deleted' | 'dataChanged' | 'childrenChanged'
  readonly path: string
}

export type WatchListener = (event: WatchEvent) => void

/** The one-shot watches: on a node's data, on the existence of an absent node, on its children. */
export type OneShotKind = 'data' | 'exist' | 'child'

/** The watches that stay: on a node, or on a node and all below it. */
export type PersistentMode = 'persistent' | 'recursive'

const eventNames = new Map<number, WatchEvent['type']>([
  [eventType.created, 'created'],
  [eventType.deleted, 'deleted'],
  [eventType.dataChanged, 'dataChanged'],
  [eventType.childrenChanged, 'childrenChanged'],
])

/** The event that a notification's type stands for; undefined for one that concerns no node. */
export function watchEventType(type: number): WatchEvent['type'] | undefined {
  return eventNames.get(type)
}

type Listeners = Map<string, Set<WatchListener>>

/** Who has to hear of an event, and of which. */
interface Heard {
  readonly listener: WatchListener
  readonly event: WatchEvent
}

/**
 * Who listens to which path, by the server's full paths.
 *
 * Servers before 3.9 keep one mode for a session and a path: a one-shot watch on the root of a
 * recursive one silently replaces it. So such a read is sent without a watch (`isCovered`), and its
 * listener is served from the events of the watch that stays.
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

  /** Drops the one-shot listeners of a path; answers whether there were any. */
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

  /** The mode that the server has to keep for a path: the recursive one serves both. */
  lastingMode(path: string): PersistentMode | undefined {
    if (this.#lasting.recursive.has(path)) return 'recursive'
    return this.#lasting.persistent.has(path) ? 'persistent' : undefined
  }

  /** Whether a watch that stays already reports what a one-shot watch on this path would. */
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

  /** The number of paths watched, for leak checks. */
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
   * Takes out whoever has to hear of an event; one-shot listeners are gone with it. One that was
   * missed comes while watches are registered again, and is for one-shot listeners alone: the server
   * sends it for each of their kinds, so that a listener that stays would hear it twice or never.
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

  /** A recursive watch reports no change of children: it is derived from what came or went below. */
  #tellParent(heard: Heard[], parent: string): void {
    if (!this.#lasting.recursive.has(parent)) return
    const change: WatchEvent = { type: 'childrenChanged', path: parent }
    tell(heard, this.#takeOneShots('child', parent), change)
    tell(heard, this.#lasting.persistent.get(parent), change)
  }

  #takeOneShots(kind: OneShotKind, path: string): Set<WatchListener> | undefined {
    const watched = this.#oneShot[kind]
    // Few use them: asking has to cost nothing then.
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
