// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { close, problems } from '../../ui/src/live/live.ts'
import { RunPage } from '../../ui/src/pages/run.tsx'

class SilentSource extends EventTarget {
  close(): void {}
}

const page = document.createElement('div')
document.body.append(page)

beforeAll(() => {
  vi.stubGlobal('EventSource', SilentSource)
})

afterAll(async () => {
  void act(() => render(null, page))
  close()
  vi.unstubAllGlobals()
  await setLanguage('en')
})

it('why a run cannot be followed is said in the language of the reader', async () => {
  await setLanguage('en')
  void act(() => render(<RunPage params={{ id: 'run-1' }} />, page))
  const message = 'the database is busy'
  void act(() => {
    problems.value = { run: { topic: 'run', code: 'HISTORY_BUSY', message } }
  })
  expect(page.textContent).toContain(message)
  await act(() => setLanguage('zh'))
  await vi.waitFor(() => expect(page.textContent).toContain('数据库繁忙，请稍后重试。'))
  expect(page.textContent).not.toContain(message)
})
