/** Whether all words of a search occur in a text, in any order and case. */
export function matches(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => lower.includes(word))
}

/**
 * The rank of a match, for a short list: lower is better, undefined is no match. Other letters may be in between, so
 * that `syo` finds `sync-orders`.
 */
export function closeness(text: string, search: string): number | undefined {
  const lower = text.toLowerCase()
  const sought = search.toLowerCase().replaceAll(/\s+/gu, '')
  if (sought === '') return 0
  const whole = lower.indexOf(sought)
  if (whole !== -1) return whole
  let at = -1
  let gaps = 0
  for (const letter of sought) {
    const next = lower.indexOf(letter, at + 1)
    if (next === -1) return undefined
    gaps += next - at - 1
    at = next
  }
  return 100 + gaps
}
