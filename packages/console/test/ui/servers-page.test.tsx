// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { close, registry, servers, serversLeft } from '../../ui/src/live/live.ts'
import { ServersPage } from '../../ui/src/pages/servers.tsx'
import { route } from '../../ui/src/state/address.ts'
import { serverEntry } from './support/examples.ts'

class SilentSource extends EventTarget {
  close(): void {}
}

beforeAll(async () => {
  vi.stubGlobal('EventSource', SilentSource)
  await setLanguage('en')
})

afterAll(() => {
  close()
  vi.unstubAllGlobals()
})

it('the list of servers says how far it has come while a registry is read and while it arrives', () => {
  const asked = vi.fn<() => Promise<Response>>(() => Promise.resolve(Response.json([])))
  vi.stubGlobal('fetch', asked)
  void act(() => render(<ServersPage />, document.body))
  const progress = { done: 10, total: 35 }
  void act(() => {
    const place = { name: 'local', namespace: 'shop', since: 0, now: 0 }
    registry.value = { ...place, state: 'connecting', progress }
  })
  expect(document.body.textContent).toContain('Reading the registry: 10 of 35 jobs so far')
  void act(() => route('/servers?view=instances'))
  // The server would answer that it does not know yet.
  expect(asked).not.toHaveBeenCalled()
  void act(() => {
    route('/servers?search=10.0.0.9')
    servers.value = new Map([['10.0.0.1', serverEntry()]])
    serversLeft.value = 2
  })
  expect(document.body.textContent).toContain('3 servers')
  expect(document.querySelector('.loading')).not.toBeNull()
  void act(() => {
    serversLeft.value = 0
  })
  expect(document.body.textContent).toContain('No matches for the search')
})
