/** The filters that the views of the history share. Each is part of the URL. */
import type { VNode } from 'preact'

import { call } from '../../api/call.ts'
import { TextField } from '../../components/field.tsx'
import { t } from '../../i18n/i18n.ts'
import type { Filters } from '../../state/page.ts'
import { useResource } from '../../state/resource.ts'

export function JobFilter({ filters }: { readonly filters: Filters }): VNode {
  const { data } = useResource('history jobs', (signal) => call('listHistoryJobs', { signal }))
  return (
    <TextField
      label={t('filter.job')}
      value={filters.get('job')}
      list={data ?? []}
      onInput={(job) => filters.set({ job })}
    />
  )
}

export function WindowFilter({ filters }: { readonly filters: Filters }): VNode {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={t(`filter.${name}`)}
          type="datetime-local"
          value={localInput(filters.get(name))}
          onInput={(value) => filters.set({ [name]: momentOf(value) })}
        />
      ))}
    </>
  )
}

/** Converts a time of the URL into the reader's local time, in the form of the input field: `2026-11-15T20:00`. */
export function localInput(moment: string): string {
  if (!/^\d+$/u.test(moment)) return ''
  const date = new Date(Number(moment))
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

export function momentOf(input: string): string {
  const time = new Date(input).getTime()
  return Number.isNaN(time) ? '' : String(time)
}

export function TextFilter(props: {
  readonly filters: Filters
  readonly name: 'address' | 'shard' | 'taskId'
}): VNode {
  const { filters, name } = props
  return (
    <TextField
      label={t(`filter.${name}`)}
      type={name === 'shard' ? 'number' : 'text'}
      value={filters.get(name)}
      onInput={(value) => filters.set({ [name]: value })}
    />
  )
}
