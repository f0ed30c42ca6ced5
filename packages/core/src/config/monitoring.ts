/** Monitoring settings of a job, stored in its `props`. */
import { highestPort } from './dump-options.ts'
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import {
  type IntegerProps,
  integerOf,
  integersOf,
  problemsOfIntegers,
  type Props,
} from './props.ts'

const settings: IntegerProps<'port' | 'countInterval'> = {
  port: { key: 'monitor.port', least: -1, byDefault: -1 },
  countInterval: { key: 'process.count.interval.seconds', least: 0, byDefault: 0 },
}

export const monitoringKeys: readonly string[] = Object.values(settings).map(({ key }) => key)

export interface Monitoring {
  /** The dump port of this job; undefined for none. */
  readonly port: number | undefined
  /** How often the counts are written, in milliseconds; 0 for never. */
  readonly countInterval: number
}

export function monitoringProblemsOf(props: Props): readonly Problem[] {
  const problems = problemsOfIntegers(props, settings)
  if (problems.length > 0 || integerOf(props, settings.port) <= highestPort) return problems
  return [problem(settings.port.key, message('port-invalid', { most: highestPort }))]
}

/** The settings of properties without problems; call `monitoringProblemsOf` first. */
export function monitoringOf(props: Props): Monitoring {
  const { port, countInterval } = integersOf(props, settings)
  return { port: port < 0 ? undefined : port, countInterval: countInterval * 1000 }
}
