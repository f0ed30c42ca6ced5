// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../ui/src/api/api-error.ts'
import { call, filled } from '../../ui/src/api/call.ts'
import { queryString, setCsrfToken, whenUnknown } from '../../ui/src/api/request.ts'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { registry } from '../../ui/src/live/live.ts'
import { bulkAction } from '../../ui/src/pages/bulk-bar.tsx'
import { localInput, momentOf } from '../../ui/src/pages/history/filters.tsx'
import { registryName } from '../../ui/src/tab/selection.ts'
import { session } from '../../ui/src/state/session.ts'
import { jobEntry } from './support/examples.ts'

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
vi.stubGlobal('fetch', fetched)

afterEach(() => {
  fetched.mockReset()
  setCsrfToken(undefined)
  registryName.value = undefined
})

function answers(status: number, body: unknown): void {
  fetched.mockResolvedValue(Response.json(body, { status }))
}

describe('a request', () => {
  it('has each name in its path as one part, whatever is in it', () => {
    expect(filled('/jobs/{job}/pause', { job: 'a/../b %' })).toBe('/jobs/a%2F..%2Fb%20%25/pause')
  })

  it('leaves out what is empty', () => {
    expect(queryString({ a: '', b: undefined, c: 0, d: 'x y' })).toBe('?c=0&d=x+y')
  })

  it('names the registry of this tab, and proves that the page sent it', async () => {
    answers(200, { action: 'pause', done: [], unchanged: [], skipped: [], failed: [] })
    registryName.value = 'other'
    setCsrfToken('secret')
    await call('pauseJob', { params: { job: 'a' } })
    const [url, init] = fetched.mock.calls[0] ?? []
    expect(url).toBe('/api/jobs/a/pause?registry=other')
    expect(init).toMatchObject({ method: 'POST', headers: { 'x-csrf-token': 'secret' } })
  })

  it('that is refused tells why', async () => {
    const problems = [{ key: 'cron', message: 'not one' }]
    answers(400, { error: { code: 'BAD', message: 'no', problems } })
    const error = await call('listJobs', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, code: 'BAD', message: 'no', problems })
  })

  it('by somebody who is no longer known says so', async () => {
    const unknown = vi.fn<() => void>()
    whenUnknown(unknown)
    answers(401, {})
    await expect(call('listJobs', {})).rejects.toThrow(ApiError)
    expect(unknown).toHaveBeenCalledOnce()
  })
})

describe('a moment in the address', () => {
  it('is the one that was typed', () => {
    const moment = momentOf('2026-11-15T20:15')
    expect(localInput(moment)).toBe('2026-11-15T20:15')
    expect(momentOf('nonsense')).toBe('')
    expect(localInput('nonsense')).toBe('')
  })
})

describe('an action on many jobs', () => {
  beforeAll(async () => {
    await setLanguage('en')
    registry.value = { name: 'a', namespace: 'b', state: 'connected', since: 0, now: 0 }
  })

  it('leaves out those that it would not change, and says how many', () => {
    session.value = { role: 'root', version: '1', now: 0 }
    const jobs = [jobEntry({ jobName: 'a' }), jobEntry({ jobName: 'b', paused: true })]
    const action = bulkAction('pause', jobs)
    expect(action.reason).toBeUndefined()
    expect(action.consequences).toEqual([
      'The schedule of 1 job is paused.',
      'a',
      '1 of the selected jobs is omitted, because nothing would change there.',
    ])
  })

  it('cannot be done by a guest', () => {
    session.value = { role: 'guest', version: '1', now: 0 }
    expect(bulkAction('pause', [jobEntry()]).reason).toBe('Only root may do this')
  })

  it('cannot be done where it would change nothing', () => {
    session.value = { role: 'root', version: '1', now: 0 }
    expect(bulkAction('resume', [jobEntry()]).reason).toBe('It is not paused')
  })
})
