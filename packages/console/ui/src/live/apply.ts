/** Applies a message of the stream to the data of the page. */

interface Changes<Entry> {
  readonly reset: boolean
  readonly changed: readonly Entry[]
  readonly removed: readonly string[]
}

export function applyChanges<Entry>(
  known: ReadonlyMap<string, Entry> | undefined,
  { reset, changed, removed }: Changes<Entry>,
  keyOf: (entry: Entry) => string,
): ReadonlyMap<string, Entry> {
  const entries = new Map(reset ? [] : known)
  for (const key of removed) entries.delete(key)
  for (const entry of changed) entries.set(keyOf(entry), entry)
  return entries
}

/** The chunks of a log in order, each once: a stream that starts again may repeat some. */
export function appendLog<Chunk extends { readonly sequence: number }>(
  known: readonly Chunk[],
  chunks: readonly Chunk[],
): readonly Chunk[] {
  const last = known.at(-1)?.sequence ?? -1
  const fresh = chunks.filter(({ sequence }) => sequence > last)
  return fresh.length === 0 ? known : [...known, ...fresh]
}
