/**
 * Unicode's own line breaks, which YAML 1.1 takes for such and 1.2 does not: Java begins a new line of its block
 * of text after each of them.
 */
import type { Scalar } from 'yaml'

export function hasOwnBreaks(text: string): boolean {
  return /[\u0085\u2028\u2029]/.test(text)
}

/** Every break as the one that the parser knows. Nothing changes its place. */
export function asLineFeeds(text: string): string {
  return text.replaceAll(/[\u0085\u2028\u2029]/g, '\n')
}

/**
 * Gives a block of text back the breaks that it is written with; one of them, the next line of EBCDIC, is a line
 * feed for Java as well. In other styles breaks are spaces, and Java writes none of these there.
 */
export function restoreBreaks(scalar: Scalar, text: string): void {
  if (scalar.type !== 'BLOCK_LITERAL' || !scalar.range || scalar.source === undefined) return
  const [start, end] = scalar.range
  const written = text.slice(start, end)
  // The first break ends the line with the sign of the block.
  const [, ...breaks] = written.match(/[\n\u0085\u2028\u2029]/g) ?? []
  let next = 0
  scalar.source = scalar.source.replaceAll('\n', () => {
    const own = breaks[next++] ?? '\n'
    return own === '\u0085' ? '\n' : own
  })
}
