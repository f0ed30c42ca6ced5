import type { FuzzOperation } from './operations/operation.ts'

/** Whether these operations still show what is looked for. */
export type Shows = (operations: readonly FuzzOperation[]) => Promise<boolean>

/**
 * Leaves out of a list whatever can be left out without losing what it shows: first the half, then
 * ever smaller pieces, until no single operation can go.
 */
export async function shrink(
  operations: readonly FuzzOperation[],
  shows: Shows,
): Promise<readonly FuzzOperation[]> {
  let kept = operations
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1) {
    kept = await withoutPieces(kept, size, shows)
    // What could not go before may be able to now that others have gone.
    if (size === 1) kept = await withoutPieces(kept, 1, shows)
  }
  return kept
}

/** From the end on: what comes after the decisive operation is the easiest to do without. */
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
