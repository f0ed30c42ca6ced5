import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/components.css'
import './styles/pages.css'
import { render } from 'preact'

import { App } from './app.tsx'
import { firstLanguage, setLanguage } from './i18n/i18n.ts'
import { startRouting } from './state/address.ts'
import { loadSession, watchSession } from './state/session.ts'
import { startClock } from './time/clock.ts'

/** Not at the top level of the module: with a top-level await, the build would put shared code into a second file. */
async function start(): Promise<void> {
  startClock()
  startRouting()
  watchSession()
  await Promise.all([setLanguage(firstLanguage()), loadSession()])
  const page = document.querySelector('#page')
  if (page !== null) render(<App />, page)
  // Loads the remaining chunks early, so that they are available even if the server is gone or replaced later.
  await import('./pages/rest.ts').catch(() => undefined)
}

void start()
