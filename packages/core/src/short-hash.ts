import { hash } from 'node:crypto'

/** A hash of 16 characters that identifies a text. */
export function shortHash(text: string): string {
  // Not a slice of the full hash: a slice would keep the full hash in memory for each job.
  return hash('sha256', text, 'buffer').toString('base64url', 0, 12)
}

/** A hash function that caches its last result, for callers that hash the same text repeatedly. */
export function rememberingHash(): (text: string) => string {
  let last: { readonly text: string; readonly hash: string } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, hash: shortHash(text) }
    return last.hash
  }
}
