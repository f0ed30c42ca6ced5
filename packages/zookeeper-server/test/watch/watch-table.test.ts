import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openAcl } from '../../src/acl/acl-table.ts'
import { type Watcher, type WatchMode, WatchTable } from '../../src/watch/watch-table.ts'

class Recorder implements Watcher {
  readonly heard: string[] = []

  notify(type: number, path: string): void {
    this.heard.push(`${type} ${path}`)
  }
}

const paths = ['/', '/a', '/a/b', '/a/b/c', '/ab']

/** The expected behaviour in its simplest form. */
class PlainTable {
  readonly modes = new Map<Watcher, Map<string, WatchMode>>()

  trigger(path: string, type: number): Set<Watcher> {
    const found = new Set<Watcher>()
    for (const [watcher, watches] of this.modes) {
      for (const [watched, mode] of watches) {
        const isAbove = path !== watched && path.startsWith(watched === '/' ? '/' : `${watched}/`)
        const isMeant =
          mode === 'recursive' ? type !== 4 && (path === watched || isAbove) : path === watched
        if (!isMeant) continue
        found.add(watcher)
        if (mode === 'oneShot') watches.delete(watched)
      }
    }
    return found
  }
}

describe('WatchTable', () => {
  it('notifies the same watchers as a plain list', () => {
    const who = fc.nat(2)
    const path = fc.constantFrom(...paths)
    const mode = fc.constantFrom<WatchMode>('oneShot', 'persistent', 'recursive')
    const action = fc.oneof(
      fc.record({ kind: fc.constant('add'), who, path, mode }),
      fc.record({ kind: fc.constant('remove'), who, path }),
      fc.record({ kind: fc.constant('leave'), who }),
      fc.record({ kind: fc.constant('trigger'), path, type: fc.constantFrom(1, 2, 3, 4) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const watchers = [new Recorder(), new Recorder(), new Recorder()] as const
        const table = new WatchTable()
        const plain = new PlainTable()
        for (const watcher of watchers) plain.modes.set(watcher, new Map())
        const [found, expected]: [unknown[], unknown[]] = [[], []]
        for (const each of actions) {
          if (each.kind === 'trigger') {
            expected.push(plain.trigger(each.path, each.type))
            found.push(table.trigger(each.path, each.type, openAcl) ?? new Set())
            continue
          }
          const watcher = watchers[each.who] as Recorder
          const watches = plain.modes.get(watcher)
          if (each.kind === 'add') {
            table.add(each.path, watcher, each.mode)
            watches?.set(each.path, each.mode)
          } else if (each.kind === 'remove') {
            found.push(table.remove(each.path, watcher))
            expected.push(watches?.delete(each.path))
          } else {
            table.removeAll(watcher)
            watches?.clear()
          }
        }
        expect(found).toEqual(expected)
        const left = [...plain.modes.values()].reduce((sum, { size }) => sum + size, 0)
        expect(table.size).toBe(left)
        for (const watcher of watchers) table.removeAll(watcher)
        expect([table.size, table.byPath.size, table.byWatcher.size]).toEqual([0, 0, 0])
      }),
    )
  })

  it('skips watchers that were already notified', () => {
    const [first, second] = [new Recorder(), new Recorder()]
    const table = new WatchTable()
    table.add('/a', first, 'persistent')
    table.add('/a', second, 'persistent')
    table.trigger('/a', 2, openAcl, new Set([first]))
    expect([first.heard, second.heard]).toEqual([[], ['2 /a']])
  })
})
