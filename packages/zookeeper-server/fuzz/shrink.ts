import type { FuzzOperation } from './operations/operation.ts'

/** Whether these operations still show the difference. */
export type Shows = (operations: readonly FuzzOperation[]) => Promise<boolean>

/**
 * Removes everything from a list that is not needed to show the difference: first halves, then smaller and smaller
 * pieces, until no single operation can be removed.
 */
export async function shrink(
  operations: readonly FuzzOperation[],
  shows: Shows,
): Promise<readonly FuzzOperation[]> {
  let kept = operations
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1) {
    kept = await withoutPieces(kept, size, shows)
    // After other removals, an operation that was needed before may become removable.
    if (size === 1) kept = await withoutPieces(kept, 1, shows)
  }
  return kept
}

/** From the end: what follows the decisive operation is easiest to remove. */
async function withoutPieces(
  operations: readonly FuzzOperation[],
  size: number,
  shows: Shows,
): Promise<readonly FuzzOperation[]> {
  let kept = operations
  for (let end = kept.length; end > 0; end -= size) {
    const start = Math.max(end - size, 0)
    const shorter = [...kept.slice(0, start), ...kept.slice(end)]
    if (await shows(shorter)) kept = shorter
  }
  return kept
}
