import { hash } from 'node:crypto'

/** Sixteen characters that stand for a text. */
export function shortHash(text: string): string {
  // Not a slice of the whole hash: that would keep the whole in memory, for each job.
  return hash('sha256', text, 'buffer').toString('base64url', 0, 12)
}
