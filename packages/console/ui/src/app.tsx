import type { VNode } from 'preact'

import { Empty, Failure, Loading } from './components/conditions.tsx'
import { later } from './components/later.tsx'
import { errorText } from './i18n/error-text.ts'
import { t } from './i18n/i18n.ts'
import type { LiveMessage } from '../../src/contract/live.ts'
import { refusal } from './live/live.ts'
import { JobPage } from './pages/job.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { LoginPage } from './pages/login.tsx'
import { RunPage } from './pages/run.tsx'
import { ServerPage } from './pages/server.tsx'
import { ServersPage } from './pages/servers.tsx'
import { Shell } from './pages/shell.tsx'
import { matchPath, type PageProps, path } from './state/address.ts'
import { to } from './state/links.ts'
import { useTitle, useTopics } from './state/page.ts'
import { loadSession, session, sessionError } from './state/session.ts'

const rest = () => import('./pages/rest.ts')
const AuditPage = later(() => rest().then(({ AuditPage: part }) => part))
const DataSourcesPage = later(() => rest().then(({ DataSourcesPage: part }) => part))
const HelpPage = later(() => rest().then(({ HelpPage: part }) => part))
const HistoryPage = later(() => rest().then(({ HistoryPage: part }) => part))
const RegistriesPage = later(() => rest().then(({ RegistriesPage: part }) => part))

const pages: readonly (readonly [pattern: string, page: (props: PageProps) => VNode])[] = [
  ['/', JobsPage],
  ['/jobs', JobsPage],
  ['/jobs/:name', JobPage],
  ['/jobs/:name/:tab', JobPage],
  ['/runs/:id', RunPage],
  ['/servers', ServersPage],
  ['/servers/:server', ServerPage],
  ['/history', HistoryPage],
  ['/history/:view', HistoryPage],
  ['/registries', RegistriesPage],
  ['/data-sources', DataSourcesPage],
  ['/audit', AuditPage],
  ['/help', HelpPage],
]

export function App(): VNode {
  const known = session.value
  if (known === undefined) {
    const error = sessionError.value
    return (
      <main class="alone">
        {error === undefined ? (
          <Loading />
        ) : (
          <Failure
            title={t('state.noServer')}
            message={errorText(error)}
            onRetry={() => void loadSession()}
          />
        )}
      </main>
    )
  }
  if (known.role === 'nobody') return <LoginPage />
  return (
    <Shell>
      <PresentPage />
    </Shell>
  )
}

function PresentPage(): VNode {
  // Pages of a registry have no content without one.
  if (refusal.value !== undefined && /^\/($|jobs|servers)/u.test(path.value)) {
    return <NoRegistry reason={refusal.value} />
  }
  for (const [pattern, Page] of pages) {
    const params = matchPath(pattern, path.value)
    if (params !== undefined) return <Page params={params} />
  }
  return <NotFoundPage />
}

function NoRegistry({ reason }: { readonly reason: LiveMessage<'problem'> }): VNode {
  // Subscribes to nothing: the stream that was refused, with the topics of the page before, stays open.
  useTitle(t('state.noRegistry'))
  return (
    <Empty icon="registry" title={t('state.noRegistry')}>
      <p class="hostile">{errorText(reason)}</p>
      <p>
        <a href={to('/registries')}>{t('nav.registries')}</a>
      </p>
    </Empty>
  )
}

function NotFoundPage(): VNode {
  useTitle(t('state.notFound'))
  useTopics({})
  return (
    <Empty icon="search" title={t('state.notFound')}>
      <p>{t('state.notFound.text')}</p>
    </Empty>
  )
}
