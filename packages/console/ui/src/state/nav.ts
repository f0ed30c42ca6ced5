/** The pages in the navigation. */
import type { IconName } from '../components/icon.tsx'
import type { Key } from '../i18n/i18n.ts'

interface Place {
  readonly path: string
  readonly title: Key
  readonly icon: IconName
  /** Only for root. */
  readonly root?: boolean
}

export const places: readonly Place[] = [
  { path: '/jobs', title: 'nav.jobs', icon: 'jobs' },
  { path: '/servers', title: 'nav.servers', icon: 'servers' },
  { path: '/history', title: 'nav.history', icon: 'history' },
  { path: '/registries', title: 'nav.registries', icon: 'registry' },
  { path: '/data-sources', title: 'nav.dataSources', icon: 'database' },
  { path: '/audit', title: 'nav.audit', icon: 'audit', root: true },
  { path: '/help', title: 'nav.help', icon: 'help' },
]
