/** The line-by-line difference of two texts. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts count as completely different: the table of all pairs of lines would be too large. */
const mostLines = 2000

export function lineDiff(before: string, after: string): DiffLine[] {
  const old = before.split('\n')
  const fresh = after.split('\n')
  if (old.length > mostLines || fresh.length > mostLines) {
    return [
      ...old.map((text) => ({ kind: 'removed', text }) as const),
      ...fresh.map((text) => ({ kind: 'added', text }) as const),
    ]
  }
  const lengths = commonLengths(old, fresh)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    const from = old[i]
    const to = fresh[j]
    if (from !== undefined && from === to) {
      lines.push({ kind: 'same', text: from })
      i++
      j++
    } else if (
      to === undefined ||
      (from !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))
    ) {
      lines.push({ kind: 'removed', text: from ?? '' })
      i++
    } else {
      lines.push({ kind: 'added', text: to })
      j++
    }
  }
  return lines
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1))
  for (let i = old.length - 1; i >= 0; i--) {
    const row = lengths[i]
    if (row === undefined) continue
    for (let j = fresh.length - 1; j >= 0; j--) {
      row[j] =
        old[i] === fresh[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  }
  return lengths
}
