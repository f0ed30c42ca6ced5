/** How a job is looked at from outside: settings of ours, kept among its `props`. */
import { highestPort } from './dump-options.ts'
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { type IntegerProp, integerOf, problemsOfInteger, type Props } from './props.ts'

const port: IntegerProp = { key: 'monitor.port', least: -1, byDefault: -1 }
const countInterval: IntegerProp = {
  key: 'process.count.interval.seconds',
  least: 0,
  byDefault: 0,
}

export const monitoringKeys: readonly string[] = [port.key, countInterval.key]

export interface Monitoring {
  /** The port on which `dump` is answered for this job; undefined for none. */
  readonly port: number | undefined
  /** How often what was counted is written, in milliseconds; 0 for never. */
  readonly countInterval: number
}

export function monitoringProblemsOf(props: Props): readonly Problem[] {
  const problems = [port, countInterval].flatMap((prop) => problemsOfInteger(props, prop))
  if (problems.length > 0 || integerOf(props, port) <= highestPort) return problems
  return [problem(port.key, message('port-invalid', { most: highestPort }))]
}

/** The settings, of properties in which `monitoringProblemsOf` has found nothing. */
export function monitoringOf(props: Props): Monitoring {
  const asked = integerOf(props, port)
  return {
    port: asked < 0 ? undefined : asked,
    countInterval: integerOf(props, countInterval) * 1000,
  }
}
