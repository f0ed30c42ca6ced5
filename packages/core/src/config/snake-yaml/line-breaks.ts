/**
 * Unicode line breaks, which are line breaks in YAML 1.1 but not in 1.2: Java starts a new line of a block text after
 * each of them.
 */
import type { Scalar } from 'yaml'

export function hasOwnBreaks(text: string): boolean {
  return /[\u0085\u2028\u2029]/.test(text)
}

/** Replaces every break by the one that the parser knows. All positions stay the same. */
export function asLineFeeds(text: string): string {
  return text.replaceAll(/[\u0085\u2028\u2029]/g, '\n')
}

/**
 * Restores the written breaks of a block text. Java also reads the EBCDIC next line as a line feed. In other styles
 * breaks are spaces, and Java writes none of these breaks there.
 */
export function restoreBreaks(scalar: Scalar, text: string): void {
  if (scalar.type !== 'BLOCK_LITERAL' || !scalar.range || scalar.source === undefined) return
  const [start, end] = scalar.range
  const written = text.slice(start, end)
  // The first break ends the header line of the block.
  const [, ...breaks] = written.match(/[\n\u0085\u2028\u2029]/g) ?? []
  let next = 0
  scalar.source = scalar.source.replaceAll('\n', () => {
    const own = breaks[next++] ?? '\n'
    return own === '\u0085' ? '\n' : own
  })
}
