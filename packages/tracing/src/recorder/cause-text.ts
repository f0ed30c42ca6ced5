import type { Outcome } from '../store/records.ts'

/** Java's column takes no more. Cut here already: what waits for the database is to be small. */
const longest = 4000
/** How many errors behind an error are told. */
const deepest = 5

const withoutError: Readonly<Partial<Record<Outcome, string>>> = Object.freeze({
  aborted: 'It was aborted.',
  stopped: 'An operator has stopped it.',
  'not-started': 'It was claimed, and its code never began.',
})

/** Why a run has not succeeded, with the stack. */
export function causeText(outcome: Outcome, error: unknown): string {
  if (error === undefined) return withoutError[outcome] ?? 'It failed with nothing.'
  return cut(textOf(error, deepest), longest)
}

/** A part of a long text that does not keep all of it in memory. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')
}

function textOf(error: unknown, depth: number): string {
  try {
    if (!(error instanceof Error)) return String(error)
    const own = error.stack ?? `${error.name}: ${error.message}`
    if (error.cause === undefined || depth === 0) return own
    return `${own}\nCaused by: ${textOf(error.cause, depth - 1)}`
  } catch {
    // Whatever was thrown need not have a text, and a getter of its may throw, too.
    return 'It failed with something that has no text.'
  }
}
