import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/components.css'
import './styles/pages.css'
import { render } from 'preact'

import { App } from './app.tsx'
import { firstLanguage, setLanguage } from './i18n/i18n.ts'
import { loadSession, watchSession } from './state/session.ts'
import { startClock } from './time/clock.ts'

startClock()
watchSession()
await Promise.all([setLanguage(firstLanguage()), loadSession()])
const page = document.querySelector('#page')
if (page !== null) render(<App />, page)
// What comes next is there before somebody wants it, also when the server is gone or another by then.
void import('./pages/rest.ts').catch(() => undefined)
