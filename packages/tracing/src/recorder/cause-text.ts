import { detailsOf, maskText, stackOf } from '@elasticjob/core/internal'

import type { Outcome } from '../store/records.ts'

/** The length of Java's column. Truncated before queueing, to save memory. */
const longest = 4000
/** The maximum number of nested causes. */
const deepest = 5

const withoutError: Readonly<Partial<Record<Outcome, string>>> = Object.freeze({
  aborted: 'The run was aborted.',
  stopped: 'An operator stopped the run.',
  'not-started': 'The run was claimed, but its code did not start.',
})

/** Why a run did not succeed, with the stack. */
export function causeText(outcome: Outcome, error: unknown): string {
  if (error === undefined) return withoutError[outcome] ?? 'The run failed without an error.'
  return cut(maskText(textOf(error, deepest)), longest)
}

/** A part of a text that does not keep the whole text in memory. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')
}

function textOf(error: unknown, depth: number): string {
  const { cause } = detailsOf(error)
  const own = stackOf(error)
  return cause === undefined || depth === 0 ? own : `${own}\nCaused by: ${textOf(cause, depth - 1)}`
}
