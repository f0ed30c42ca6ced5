/** A finding of the doctor: a cause, its effect, and the remedy. */
import { message, type Message } from '../../message.ts'

/** All causes; docs/doctor.md says when each applies. */
export const causes = [
  'registry-unreachable',
  'registry-refuses',
  'namespace-unknown',
  'job-unknown',
  'configuration-unreadable',
  'node-unreadable',
  'being-removed',
  'no-instance',
  'shut-down',
  'all-disabled',
  'server-disabled',
  'unproven-instances',
  'paused',
  'server-paused',
  'no-cron',
  'never-fires-again',
  'zone-unknown-to-java',
  'clock-wrong',
  'clock-refused',
  'no-leader',
  'resharding',
  'no-owner',
  'owner-away',
  'shard-disabled',
  'waiting-for-failover',
  'crashed-without-failover',
  'abandoned',
  'still-running',
  'manual-run-under-way',
  'failed',
  'missed',
] as const
/** The cause of a finding; docs/doctor.md describes each. */
export type Cause = (typeof causes)[number]

/** `error`: shards do not run. `warning`: some do not, or not as they should. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** One cause that keeps a job from running as it should, with a remedy. */
export interface Finding {
  readonly cause: Cause
  readonly severity: Severity
  /** The problem in one sentence. */
  readonly what: string
  /** The remedy. */
  readonly remedy: string
  /** Both as messages for translation. */
  readonly messageParts: { readonly what: Message; readonly remedy: Message }
}

type MessageParts = Pick<Finding, 'cause' | 'severity'> & Finding['messageParts']

export function finding({ cause, severity, what, remedy }: MessageParts): Finding {
  return { cause, severity, what: what.text, remedy: remedy.text, messageParts: { what, remedy } }
}

const weights: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** Sorts by severity; findings of equal severity keep their order. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => weights[a.severity] - weights[b.severity])
}

/** `shards 0, 2 and 5`: names at most five shards by number. */
export function shardsText(shards: readonly number[]): Message {
  const named = shards.slice(0, 5)
  const last = named.at(-1) ?? ''
  if (shards.length === 1) return message('one-shard', { shard: last })
  const rest = shards.length - named.length
  if (rest > 0) return message('many-shards', { shards: named.join(', '), count: rest })
  return message('several-shards', { shards: named.slice(0, -1).join(', '), last })
}
