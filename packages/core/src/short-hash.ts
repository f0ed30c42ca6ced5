import { hash } from 'node:crypto'

/** Sixteen characters that stand for a text. */
export function shortHash(text: string): string {
  // Not a slice of the whole hash: that would keep the whole in memory, for each job.
  return hash('sha256', text, 'buffer').toString('base64url', 0, 12)
}

/** One that knows its last answer, for who asks for the same text again and again. */
export function rememberingHash(): (text: string) => string {
  let last: { readonly text: string; readonly hash: string } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, hash: shortHash(text) }
    return last.hash
  }
}
