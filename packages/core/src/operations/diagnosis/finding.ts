/** What a doctor says: one cause, what it means, and what to do about it. */
import { say, type Sentence } from '../../sentence.ts'

/** Every cause that can be named; docs/operations.md says when. */
export const causes = [
  'registry-unreachable',
  'registry-refuses',
  'namespace-unknown',
  'job-unknown',
  'configuration-unreadable',
  'being-removed',
  'no-instance',
  'shut-down',
  'all-disabled',
  'server-disabled',
  'paused',
  'server-paused',
  'no-cron',
  'never-fires-again',
  'zone-unknown-to-java',
  'clock-wrong',
  'no-leader',
  'resharding',
  'no-owner',
  'owner-away',
  'shard-disabled',
  'waiting-for-failover',
  'crashed-without-failover',
  'abandoned',
  'still-running',
  'round-under-way',
  'failed',
  'missed',
] as const
export type Cause = (typeof causes)[number]

/** `stops`: items do not run. `hinders`: some do not, or not as they should. `note`: worth knowing. */
export type Severity = 'stops' | 'hinders' | 'note'

export interface Finding {
  readonly cause: Cause
  readonly severity: Severity
  /** What is so, in a sentence. */
  readonly what: string
  /** What to do about it. */
  readonly remedy: string
  /** Both with their parts, for other languages. */
  readonly said: { readonly what: Sentence; readonly remedy: Sentence }
}

type Said = Pick<Finding, 'cause' | 'severity'> & Finding['said']

export function finding({ cause, severity, what, remedy }: Said): Finding {
  return { cause, severity, what: what.text, remedy: remedy.text, said: { what, remedy } }
}

const weights: Readonly<Record<Severity, number>> = { stops: 0, hinders: 1, note: 2 }

/** What weighs most comes first; among equals, what was looked at first. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => weights[a.severity] - weights[b.severity])
}

/** `items 0, 2 and 5`: at most five of them by number. */
export function itemsInWords(items: readonly number[]): Sentence {
  const named = items.slice(0, 5)
  const last = named.at(-1) ?? ''
  if (items.length === 1) return say`item ${last}`
  const rest = items.length - named.length
  if (rest > 0) return say`items ${named.join(', ')} and ${rest} more`
  return say`items ${named.slice(0, -1).join(', ')} and ${last}`
}
