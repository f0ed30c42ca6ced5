/** A list of jobs: searched, filtered, sorted and paged. */
import { problem } from '@elasticjob/core/internal'

import { type JobEntry, type JobListQuery, jobState } from '../../contract/jobs.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

export interface Selection<T> {
  readonly rows: readonly T[]
  /** The number of matches. */
  readonly total: number
}

export function selectJobs(jobs: readonly JobEntry[], query: JobListQuery): Selection<JobEntry> {
  const search = query.search?.trim().toLowerCase() ?? ''
  const states = statesOf(query.state)
  const matching = jobs.filter(
    (job) =>
      (states === undefined || states.has(job.state)) &&
      (search === '' ||
        job.jobName.toLowerCase().includes(search) ||
        job.description.toLowerCase().includes(search)),
  )
  const direction = query.order === 'desc' ? -1 : 1
  const sorted = matching.toSorted(
    (a, b) => direction * compare(a, b, query.sort ?? 'jobName') || compare(a, b, 'jobName'),
  )
  return sliced(sorted, query)
}

export function sliced<T>(
  rows: readonly T[],
  {
    offset = 0,
    limit,
  }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
): Selection<T> {
  const end = limit === undefined ? rows.length : offset + limit
  return { rows: rows.slice(offset, end), total: rows.length }
}

function statesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined || text === '') return undefined
  const states = text.split(',').map((state) => state.trim())
  const unknown = states.find((state) => !jobState.safeParse(state).success)
  if (unknown === undefined) return new Set(states)
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('state-unknown', { state: unknown }), {
    problems: [
      problem('state', message('filter-choices', { values: jobState.options.join(', ') })),
    ],
  })
}

/** Absent values come last. */
function compare(a: JobEntry, b: JobEntry, key: NonNullable<JobListQuery['sort']>): number {
  const [one, other] = [valueOf(a, key), valueOf(b, key)]
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return one < other ? -1 : 1
}

function valueOf(
  job: JobEntry,
  key: NonNullable<JobListQuery['sort']>,
): string | number | undefined {
  if (key === 'last') return job.last?.end ?? job.last?.begin
  return job[key]
}
