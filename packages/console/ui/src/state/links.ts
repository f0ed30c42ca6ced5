/** URLs within the page. Each contains the registry, so that it has the same meaning for every recipient. */
import { type Query, queryString } from '../api/request.ts'
import { base } from '../tab/base.ts'
import { dataSourceName, registryName } from '../tab/selection.ts'

export function to(path: string, query: Query = {}): string {
  return `${base}${path}${queryString({
    ...query,
    registry: registryName.value,
    'data-source': dataSourceName.value,
  })}`
}

export const jobTabs = ['shards', 'timeline', 'history', 'configuration', 'doctor'] as const
export type JobTab = (typeof jobTabs)[number]

export function toJob(jobName: string, tab: JobTab = 'shards', query: Query = {}): string {
  const path = `/jobs/${encodeURIComponent(jobName)}`
  return to(tab === 'shards' ? path : `${path}/${tab}`, query)
}

export function toRun(runId: string): string {
  return to(`/runs/${encodeURIComponent(runId)}`)
}

export function toServer(server: string): string {
  return to(`/servers/${encodeURIComponent(server)}`)
}
