/** The common hooks of pages: the title, filters in the URL, and subscriptions. */
import { useEffect } from 'preact/hooks'

import { follow, type Topics } from '../live/live.ts'
import { path, query, route } from './address.ts'
import { dataSourceName, registryName } from '../tab/selection.ts'
import { to } from './links.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ElasticJob`
  }, [title])
}

/** Subscribes to the topics of this page. */
export function useTopics(topics: Topics): void {
  const key = JSON.stringify(topics)
  useEffect(() => follow(topics), [key, registryName.value, dataSourceName.value])
}

export interface Filters {
  readonly get: (name: string) => string
  /** Changes the URL without a new entry in the browser's history. */
  readonly set: (values: Readonly<Record<string, string>>) => void
}

export function useFilters(): Filters {
  const { value } = query
  return {
    get: (name) => value[name] ?? '',
    set: (values) => route(to(path.value, { ...query.value, ...values }), true),
  }
}

/** The number in a filter; undefined without one, or if it is not a number. */
export function numberIn(text: string): number | undefined {
  return /^\d+$/u.test(text) ? Number(text) : undefined
}
