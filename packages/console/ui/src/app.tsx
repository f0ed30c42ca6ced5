import type { VNode } from 'preact'
import { LocationProvider, Route, Router } from 'preact-iso'

import { Empty, Failure, Loading } from './components/conditions.tsx'
import { t } from './i18n/i18n.ts'
import { AuditPage } from './pages/audit.tsx'
import { DataSourcesPage } from './pages/data-sources.tsx'
import { HelpPage } from './pages/help.tsx'
import { HistoryPage } from './pages/history.tsx'
import { JobPage } from './pages/job.tsx'
import { JobsPage } from './pages/jobs.tsx'
import { LoginPage } from './pages/login.tsx'
import { RegistriesPage } from './pages/registries.tsx'
import { RunPage } from './pages/run.tsx'
import { ServerPage } from './pages/server.tsx'
import { ServersPage } from './pages/servers.tsx'
import { Shell } from './pages/shell.tsx'
import { loadSession, session, sessionError } from './state/session.ts'

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
            message={error.message}
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
        <Route path="/" component={JobsPage} />
        <Route path="/jobs" component={JobsPage} />
        <Route path="/jobs/:name" component={JobPage} />
        <Route path="/jobs/:name/:tab" component={JobPage} />
        <Route path="/runs/:id" component={RunPage} />
        <Route path="/servers" component={ServersPage} />
        <Route path="/servers/:server" component={ServerPage} />
        <Route path="/history" component={HistoryPage} />
        <Route path="/history/:view" component={HistoryPage} />
        <Route path="/registries" component={RegistriesPage} />
        <Route path="/data-sources" component={DataSourcesPage} />
        <Route path="/audit" component={AuditPage} />
        <Route path="/help" component={HelpPage} />
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
