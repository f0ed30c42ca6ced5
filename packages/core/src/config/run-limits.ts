/** The timeout, retry and catch-up settings of runs, stored in a job's `props`. */
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { type IntegerProps, integersOf, problemsOfIntegers, type Props } from './props.ts'

const catchUpPolicies = ['skip', 'once', 'all'] as const
export type CatchUpPolicy = (typeof catchUpPolicies)[number]

/** The handling of fire times that passed while no instance could run. */
export interface CatchUp {
  readonly policy: CatchUpPolicy
  /** With `all`: the maximum number of passed fire times to run; older ones are missed. */
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
  /** Limited because the fire times to catch up are counted at every reconciliation of the shard. */
  catchUpLimit: { key: 'catch.up.limit', least: 1, most: 1000, byDefault: 100 },
})
export const catchUpKey = 'catch.up'

export interface RunLimits {
  /** The timeout of a run, in milliseconds; 0 for none. */
  readonly timeout: number
  /** How often a failed run is retried before it counts as failed. */
  readonly retries: number
  /** The pause before the first retry; it doubles with each retry. */
  readonly backoff: number
  readonly maximumBackoff: number
  /** How often a run is started in total if its instances crash. */
  readonly attempts: number
  /** How long after its fire time a shard may remain unclaimed before the leader reports it as late. */
  readonly grace: number
  /** The handling of fire times that passed while no instance could run. */
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

/** The pause before a retry. Half of it is random, so that many runs do not retry at the same moment. */
export function pauseBefore(retry: number, limits: RunLimits, fraction: number): number {
  const full = Math.min(limits.backoff * 2 ** (retry - 1), limits.maximumBackoff)
  return Math.round(full / 2 + (full / 2) * fraction)
}
