/** The runs of all jobs with their outcomes. */
import type { VNode } from 'preact'

import { Tabs } from '../components/tabs.tsx'
import { t } from '../i18n/i18n.ts'
import type { PageProps } from '../state/address.ts'
import { to } from '../state/links.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { Executions } from './history/executions.tsx'
import { StatisticsPage } from './history/statistics.tsx'
import { StatusChanges } from './history/status-changes.tsx'
import { PageHead } from './page-head.tsx'

const views = ['executions', 'statuses', 'statistics'] as const

export function HistoryPage({ params }: PageProps): VNode {
  const view = views.find((each) => each === params['view']) ?? 'executions'
  useTitle(t('nav.history'))
  useTopics({})
  const href = (each: string): string => to(each === 'executions' ? '/history' : `/history/${each}`)
  return (
    <>
      <PageHead title={t('nav.history')} />
      <Tabs
        label={t('nav.history')}
        current={href(view)}
        tabs={views.map((each) => ({ href: href(each), title: t(`history.${each}`) }))}
      />
      {view === 'executions' && <Executions />}
      {view === 'statuses' && <StatusChanges />}
      {view === 'statistics' && <StatisticsPage />}
    </>
  )
}
