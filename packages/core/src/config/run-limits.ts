/** How long a run may take, and how often it is tried: settings of ours, kept among a job's `props`. */
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { type IntegerProps, integersOf, problemsOfIntegers, type Props } from './props.ts'

const catchUpPolicies = ['skip', 'once', 'all'] as const
export type CatchUpPolicy = (typeof catchUpPolicies)[number]

/** What becomes of times that passed while nobody could run. */
export interface CatchUp {
  readonly policy: CatchUpPolicy
  /** With `all`: how many of the times that passed are run at most; the older ones are gone. */
  readonly limit: number
}

type LimitName =
  | 'timeout'
  | 'retries'
  | 'backoff'
  | 'maximumBackoff'
  | 'attempts'
  | 'grace'
  | 'catchUpLimit'

export const limitProps: IntegerProps<LimitName> = Object.freeze({
  timeout: { key: 'timeout.milliseconds', least: 0, byDefault: 0 },
  retries: { key: 'retry.times', least: 0, most: 1000, byDefault: 0 },
  backoff: { key: 'retry.backoff.milliseconds', least: 1, byDefault: 1000 },
  maximumBackoff: { key: 'retry.max.backoff.milliseconds', least: 1, byDefault: 60_000 },
  attempts: { key: 'failover.max.attempts', least: 1, most: 1000, byDefault: 3 },
  grace: { key: 'fire.grace.milliseconds', least: 1, byDefault: 5000 },
  /** The fire times to catch up are counted at every look at the shard. */
  catchUpLimit: { key: 'catch.up.limit', least: 1, most: 1000, byDefault: 100 },
})
export const catchUpKey = 'catch.up'

export interface RunLimits {
  /** After how long a run is aborted, in milliseconds; 0 for never. */
  readonly timeout: number
  /** How often a run that failed is tried again before it has failed. */
  readonly retries: number
  /** The pause before the first further try; it doubles with each. */
  readonly backoff: number
  readonly maximumBackoff: number
  /** How often a run is begun in all if its instances crash. */
  readonly attempts: number
  /** How long after its time a shard may be claimed before the leader says that it is late. */
  readonly grace: number
  /** What becomes of times that passed while nobody could run. */
  readonly catchUp: CatchUp
}

export function runLimitsProblemsOf(props: Props): readonly Problem[] {
  return [
    ...problemsOfIntegers(props, limitProps),
    ...problemsOfCatchUp(catchUpKey, props[catchUpKey]),
  ]
}

export function runLimitsOf(props: Props): RunLimits {
  const { catchUpLimit: limit, ...limits } = integersOf(props, limitProps)
  return { ...limits, catchUp: { policy: policyOf(props[catchUpKey]), limit } }
}

export function problemsOfCatchUp(key: string, text: string | undefined): readonly Problem[] {
  if (text === undefined || text === '' || isPolicy(text)) return []
  const known = catchUpPolicies.join(', ')
  return [problem(key, message('choice-unknown', { known, text }))]
}

function policyOf(text: string | undefined): CatchUpPolicy {
  return text !== undefined && isPolicy(text) ? text : 'skip'
}

function isPolicy(text: string): text is CatchUpPolicy {
  return catchUpPolicies.some((policy) => policy === text)
}

/** The pause before a further try: half of it fixed, half of it chance, so that many do not come at once. */
export function pauseBefore(retry: number, limits: RunLimits, fraction: number): number {
  const full = Math.min(limits.backoff * 2 ** (retry - 1), limits.maximumBackoff)
  return Math.round(full / 2 + (full / 2) * fraction)
}
