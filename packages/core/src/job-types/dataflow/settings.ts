import { ConfigurationError, type Problem } from '../../errors.ts'
import {
  type IntegerProps,
  integerOf,
  problemsOfInteger,
  problemsOfIntegers,
  type Props,
} from '../../config/props.ts'

/** Undefined: one fetch for each shard, its data processed in one call, as in 2.x and 3.x. */
type DataflowMode = 'THROUGHPUT' | 'SEQUENCE' | undefined

/** The settings of a dataflow, from the job's `props`. */
export interface DataflowSettings {
  readonly mode: DataflowMode
  /** Whether a run continues until there is no data left. */
  readonly streaming: boolean
  /** The number of parts of a batch that are processed concurrently. */
  readonly concurrency: number
}

const streamingKey = 'streaming.process'
const modeKey = 'dataflow.mode'

const counts: IntegerProps<'concurrency' | 'fetchDataCount'> = {
  concurrency: {
    key: 'concurrent.data.process.thread.count',
    least: 1,
    most: 10_000,
    byDefault: 1,
  },
  fetchDataCount: { key: 'fetch.data.count', least: 1, most: 1_000_000, byDefault: 1 },
}

export function dataflowProblemsOf(props: Props): readonly Problem[] {
  const problems: Problem[] = []
  const streaming = props[streamingKey]
  if (streaming !== undefined && !/^(true|false)?$/i.test(streaming)) {
    problems.push({ key: streamingKey, message: `must be true or false, not "${streaming}"` })
  }
  const mode = props[modeKey]
  if (mode !== undefined && !/^(THROUGHPUT|SEQUENCE)?$/.test(mode)) {
    const message = `must be THROUGHPUT, SEQUENCE or absent, not "${mode}"`
    problems.push({ key: modeKey, message })
  }
  return [...problems, ...problemsOfIntegers(props, counts)]
}

export function dataflowSettingsOf(props: Props): DataflowSettings {
  const problems = dataflowProblemsOf(props)
  if (problems.length > 0) throw new ConfigurationError('the dataflow', problems)
  const mode = dataflowModeOf(props)
  return {
    mode,
    streaming: props[streamingKey]?.toLowerCase() === 'true',
    // Concurrent parts would lose the order of a shard's elements.
    concurrency: mode === 'SEQUENCE' ? 1 : integerOf(props, counts.concurrency),
  }
}

/** How many elements `fetchData` should return: the `fetchDataCount` of a context. */
export function fetchDataCountOf(props: Props): number {
  const { fetchDataCount } = counts
  return problemsOfInteger(props, fetchDataCount).length === 0
    ? integerOf(props, fetchDataCount)
    : fetchDataCount.byDefault
}

function dataflowModeOf(props: Props): DataflowMode {
  const mode = props[modeKey]
  return mode === 'THROUGHPUT' || mode === 'SEQUENCE' ? mode : undefined
}
