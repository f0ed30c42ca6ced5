import type { SetWatchesRequest } from '../jute/watch-operations.ts'
import { oneShotKinds, type WatchRegistry } from './watch-registry.ts'

/** Java's limit: one request with all watches could exceed the server's limit on every attempt. */
const chunkBytes = 128 * 1024

type WatchList = 'data' | 'exist' | 'child' | 'persistent' | 'recursive'

/**
 * The requests that register every watch again after a reconnect. Persistent watches come last: for a path
 * with both kinds, the server keeps the mode that it received last.
 */
export function watchReplays(registry: WatchRegistry, relativeZxid: bigint): SetWatchesRequest[] {
  const entries: [WatchList, string][] = []
  for (const kind of oneShotKinds) {
    for (const path of registry.oneShotPaths(kind)) entries.push([kind, path])
  }
  for (const mode of ['persistent', 'recursive'] as const) {
    for (const path of registry.lastingPaths(mode)) entries.push([mode, path])
  }
  return inChunks(entries, relativeZxid)
}

/** The requests that register the one-shot watches of one path. */
export function oneShotReplays(
  registry: WatchRegistry,
  path: string,
  relativeZxid: bigint,
): SetWatchesRequest[] {
  const kinds = oneShotKinds.filter((kind) => registry.oneShotPaths(kind).includes(path))
  return inChunks(
    kinds.map((kind) => [kind, path]),
    relativeZxid,
  )
}

function inChunks(
  entries: readonly (readonly [WatchList, string])[],
  relativeZxid: bigint,
): SetWatchesRequest[] {
  const requests: SetWatchesRequest[] = []
  let lists = emptyLists()
  let bytes = 0
  for (const [list, path] of entries) {
    const size = Buffer.byteLength(path) + 4
    if (bytes > 0 && bytes + size > chunkBytes) {
      requests.push({ relativeZxid, ...lists })
      lists = emptyLists()
      bytes = 0
    }
    lists[list].push(path)
    bytes += size
  }
  if (bytes > 0) requests.push({ relativeZxid, ...lists })
  return requests
}

function emptyLists(): Record<WatchList, string[]> {
  return { data: [], exist: [], child: [], persistent: [], recursive: [] }
}
