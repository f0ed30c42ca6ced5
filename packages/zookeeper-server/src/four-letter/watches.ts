import { Peer } from '../peer.ts'
import type { Watcher } from '../watch/watch-table.ts'
import { asHex, type ServerReport } from './report.ts'

// As in Apache ZooKeeper, these words report only watches on data and existence.

function sessionOf(watcher: Watcher): string {
  return asHex(watcher instanceof Peer ? watcher.sessionId : 0)
}

/** The number of watches. */
export function wchs({ core }: ServerReport): string {
  const { byWatcher, byPath, size } = core.watches.data
  return `${byWatcher.size} connections watching ${byPath.size} paths\nTotal watches:${size}\n`
}

/** The watches by path. */
export function wchp({ core }: ServerReport): string {
  const lines: string[] = []
  for (const [path, watchers] of core.watches.data.byPath) {
    lines.push(path)
    for (const watcher of watchers.keys()) lines.push(`\t${sessionOf(watcher)}`)
  }
  return [...lines, '', ''].join('\n')
}

/** The watches by session. */
export function wchc({ core }: ServerReport): string {
  const lines: string[] = []
  for (const [watcher, paths] of core.watches.data.byWatcher) {
    lines.push(sessionOf(watcher))
    for (const path of paths) lines.push(`\t${path}`)
  }
  return [...lines, '', ''].join('\n')
}
