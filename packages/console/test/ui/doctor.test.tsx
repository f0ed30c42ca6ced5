// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { DoctorTab } from '../../ui/src/pages/job/doctor.tsx'
import { jobDetail } from './support/examples.ts'

const what = { code: 'all-servers-paused', parameters: { servers: '10.0.0.1' } }
const answer = {
  jobName: 'sync-orders',
  verdict: 'its cron fires are paused on 10.0.0.1',
  messageParts: what,
  healthy: false,
  findings: [
    {
      cause: 'paused',
      severity: 'error',
      what: 'its cron fires are paused on 10.0.0.1',
      remedy: '`elasticjob resume JOB`; what fell due meanwhile is not made up for',
      messageParts: {
        what,
        remedy: {
          code: 'pause-remedy',
          parameters: {},
        },
      },
    },
  ],
}

const page = document.createElement('div')
document.body.append(page)

beforeAll(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
})

afterAll(async () => {
  void act(() => render(null, page))
  vi.unstubAllGlobals()
  await setLanguage('en')
})

it('the doctor speaks the language of the reader', async () => {
  await setLanguage('en')
  void act(() => render(<DoctorTab job={jobDetail()} />, page))
  await vi.waitFor(() => expect(page.textContent).toContain('cron fires are paused on 10.0.0.1'))
  await act(() => setLanguage('zh'))
  await vi.waitFor(() => {
    expect(page.querySelector('.verdict')?.textContent).toBe(
      '存在阻碍： cron 触发已在 10.0.0.1 上暂停',
    )
  })
  const messageParts = [...page.querySelectorAll('.findings p')].map(
    ({ textContent }) => textContent,
  )
  expect(messageParts).toEqual([
    'cron 触发已在 10.0.0.1 上暂停',
    '→ `elasticjob resume JOB`；期间错过的触发不会补偿',
  ])
})
