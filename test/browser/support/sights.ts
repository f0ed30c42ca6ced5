import type { Key } from './visitor.ts'

export interface Sight {
  readonly name: string
  readonly path: string
  /** What is to be seen when the page is there. */
  readonly selector: string
  readonly title: Key
}

/** Every page, with something on it. */
export const sights: readonly Sight[] = [
  { name: 'jobs', path: '/jobs', selector: 'td .job-name', title: 'nav.jobs' },
  { name: 'job', path: '/jobs/sync-orders?shard=2', selector: '.panel', title: 'shard.map' },
  {
    name: 'timeline',
    path: '/jobs/sync-orders/timeline?minutes=5',
    selector: '.gantt rect',
    title: 'timeline.title',
  },
  {
    name: 'job-history',
    path: '/jobs/bill-customers/history',
    selector: '.charts figure:last-child canvas',
    title: 'history.executions',
  },
  {
    name: 'configuration',
    path: '/jobs/sync-orders/configuration',
    selector: '.fires li',
    title: 'group.schedule',
  },
  {
    name: 'doctor',
    path: '/jobs/bill-customers/doctor',
    selector: '.verdict',
    title: 'doctor.title',
  },
  { name: 'servers', path: '/servers', selector: 'td a', title: 'nav.servers' },
  {
    name: 'instances',
    path: '/servers?view=instances',
    selector: 'td.main',
    title: 'nav.servers',
  },
  { name: 'server', path: '/servers/10.0.0.1', selector: 'td a', title: 'servers.instances' },
  { name: 'history', path: '/history', selector: 'td a', title: 'history.executions' },
  { name: 'statuses', path: '/history/statuses', selector: 'td a', title: 'history.statuses' },
  {
    name: 'statistics',
    path: '/history/statistics?job=bill-customers',
    selector: '.charts figure:last-child canvas',
    title: 'history.statistics',
  },
  { name: 'registries', path: '/registries', selector: 'td strong', title: 'nav.registries' },
  { name: 'data-sources', path: '/data-sources', selector: 'td strong', title: 'nav.dataSources' },
  { name: 'audit', path: '/audit', selector: 'td .badge', title: 'nav.audit' },
  { name: 'help', path: '/help', selector: '.help-rows', title: 'nav.help' },
]
