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

/** Not at the top of the module: of one that waits there, the build puts what others share in a second file. */
async function start(): Promise<void> {
  startClock()
  startRouting()
  watchSession()
  await Promise.all([setLanguage(firstLanguage()), loadSession()])
  const page = document.querySelector('#page')
  if (page !== null) render(<App />, page)
  // What comes next is there before somebody wants it, also when the server is gone or another by then.
  await import('./pages/rest.ts').catch(() => undefined)
}

void start()
