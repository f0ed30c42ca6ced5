import type { VNode } from 'preact'
import { LocationProvider, Route, Router } from 'preact-iso'

import { Empty, Failure, Loading } from './components/conditions.tsx'
import { later } from './components/later.tsx'
import { errorWords } from './i18n/error-words.ts'
import { t } from './i18n/i18n.ts'
import { JobPage } from './pages/job.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { LoginPage } from './pages/login.tsx'
import { RunPage } from './pages/run.tsx'
import { ServerPage } from './pages/server.tsx'
import { ServersPage } from './pages/servers.tsx'
import { Shell } from './pages/shell.tsx'
import { base } from './state/base.ts'
import { loadSession, session, sessionError } from './state/session.ts'

const rest = () => import('./pages/rest.ts')
const AuditPage = later(() => rest().then(({ AuditPage: part }) => part))
const DataSourcesPage = later(() => rest().then(({ DataSourcesPage: part }) => part))
const HelpPage = later(() => rest().then(({ HelpPage: part }) => part))
const HistoryPage = later(() => rest().then(({ HistoryPage: part }) => part))
const RegistriesPage = later(() => rest().then(({ RegistriesPage: part }) => part))

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
            message={errorWords(error)}
            onRetry={() => void loadSession()}
          />
        )}
      </main>
    )
  }
  return <LocationProvider>{known.role === 'nobody' ? <LoginPage /> : <Pages />}</LocationProvider>
}

function Pages(): VNode {
  return (
    <Shell>
      <Router>
        <Route path={`${base}/`} component={JobsPage} />
        <Route path={`${base}/jobs`} component={JobsPage} />
        <Route path={`${base}/jobs/:name`} component={JobPage} />
        <Route path={`${base}/jobs/:name/:tab`} component={JobPage} />
        <Route path={`${base}/runs/:id`} component={RunPage} />
        <Route path={`${base}/servers`} component={ServersPage} />
        <Route path={`${base}/servers/:server`} component={ServerPage} />
        <Route path={`${base}/history`} component={HistoryPage} />
        <Route path={`${base}/history/:view`} component={HistoryPage} />
        <Route path={`${base}/registries`} component={RegistriesPage} />
        <Route path={`${base}/data-sources`} component={DataSourcesPage} />
        <Route path={`${base}/audit`} component={AuditPage} />
        <Route path={`${base}/help`} component={HelpPage} />
        <Route default component={NotFoundPage} />
      </Router>
    </Shell>
  )
}

function NotFoundPage(): VNode {
  return (
    <Empty icon="search" title={t('state.notFound')}>
      <p>{t('state.notFound.text')}</p>
    </Empty>
  )
}
