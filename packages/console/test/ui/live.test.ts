// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  close,
  follow,
  forget,
  freshness,
  job,
  jobs,
  jobsLeft,
  log,
  refusal,
  servers,
  serversLeft,
  whenLost,
} from '../../ui/src/live/live.ts'
import { jobEntry, serverEntry } from './support/examples.ts'

/** A stream that the test speaks through. */
class FakeSource extends EventTarget {
  static opened: FakeSource[] = []
  readonly url: string
  isClosed = false

  constructor(url: string) {
    super()
    this.url = url
    FakeSource.opened.push(this)
  }

  close(): void {
    this.isClosed = true
  }

  say(name: string, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
}

function current(): FakeSource {
  const source = FakeSource.opened.at(-1)
  if (source === undefined) throw new Error('no stream was opened')
  return source
}

const connected = { state: 'connected', since: 0, name: 'local', namespace: 'shop', now: 1000 }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  FakeSource.opened = []
})

afterEach(() => {
  close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the stream', () => {
  it('is fresh once the registry is said to be connected', () => {
    follow({ jobs: true })
    current().dispatchEvent(new Event('open'))
    current().say('registry', connected)
    expect(freshness.value.state).toBe('fresh')
  })

  it('says how far a registry was read that nothing is known of, and calls old what is', () => {
    const reading = { ...connected, state: 'connecting', progress: { done: 10, total: 35 } }
    follow({ jobs: true })
    forget()
    current().dispatchEvent(new Event('open'))
    current().say('registry', reading)
    expect(freshness.value).toEqual({ state: 'connecting', progress: { done: 10, total: 35 } })
    current().say('registry', connected)
    const entries = { changed: [jobEntry()], removed: [], left: 0, revision: 'a.1' }
    current().say('jobs', { reset: true, ...entries })
    current().say('registry', reading)
    expect(freshness.value).toMatchObject({ state: 'old', cause: 'registry' })
  })

  it('a long list grows piece by piece, and begins anew if it breaks in between', () => {
    follow({ jobs: true })
    forget()
    current().dispatchEvent(new Event('open'))
    const piece = (jobName: string, left: number): object => ({
      reset: left === 1,
      changed: [jobEntry({ jobName })],
      removed: [],
      left,
      revision: left > 0 ? '' : 'a.7',
    })
    current().say('jobs', piece('first', 1))
    expect([jobs.value?.size, jobsLeft.value]).toEqual([1, 1])
    current().dispatchEvent(new Event('error'))
    vi.runOnlyPendingTimers()
    expect(current().url).not.toContain('since')
    current().say('jobs', piece('first', 1))
    current().say('jobs', piece('second', 0))
    expect([jobs.value?.size, jobsLeft.value]).toEqual([2, 0])
    current().dispatchEvent(new Event('error'))
    vi.runOnlyPendingTimers()
    expect(current().url).toContain('since=a.7')
  })

  it('of servers says how many are still to come', () => {
    follow({ servers: true })
    forget()
    const piece = { changed: [serverEntry()], removed: [] }
    current().say('servers', { ...piece, reset: true, left: 2, revision: '' })
    expect([servers.value?.size, serversLeft.value]).toEqual([1, 2])
    const rest = [serverEntry({ serverIp: '10.0.0.2' }), serverEntry({ serverIp: '10.0.0.3' })]
    current().say('servers', { ...piece, changed: rest, reset: false, left: 0, revision: 'a.2' })
    expect([servers.value?.size, serversLeft.value]).toEqual([3, 0])
  })

  it('says since when the registry is gone', () => {
    follow({ jobs: true })
    current().dispatchEvent(new Event('open'))
    current().say('registry', { ...connected, state: 'lost', since: 777, reason: 'refused' })
    expect(freshness.value).toEqual({
      state: 'old',
      cause: 'registry',
      since: 777,
    })
  })

  it('that has no registry to follow is told apart from one that is lost', () => {
    follow({ jobs: true })
    forget()
    current().dispatchEvent(new Event('open'))
    const problem = { topic: 'registry', code: 'CONSOLE_NO_REGISTRY', message: 'none' }
    current().say('problem', problem)
    expect(refusal.value).toEqual(problem)
    expect(freshness.value).toEqual({ state: 'connecting' })
    current().say('registry', connected)
    expect(refusal.value).toBeUndefined()
    expect(freshness.value.state).toBe('fresh')
  })

  it('is old when it breaks, asks whether the session is over, and is opened again', () => {
    const lost = vi.fn<() => void>()
    whenLost(lost)
    follow({ servers: true })
    current().dispatchEvent(new Event('open'))
    current().say('registry', connected)
    const first = current()
    first.dispatchEvent(new Event('error'))
    expect(freshness.value).toMatchObject({ state: 'old', cause: 'stream' })
    expect(first.isClosed).toBe(true)
    expect(lost).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(1000)
    expect(current()).not.toBe(first)
    current().dispatchEvent(new Event('open'))
    expect(freshness.value.state).toBe('fresh')
  })

  it('is old when nothing is heard for long, though nothing broke', () => {
    follow({ jobs: true })
    current().dispatchEvent(new Event('open'))
    current().say('registry', connected)
    vi.advanceTimersByTime(20_000)
    current().say('alive', { now: 21_000 })
    vi.advanceTimersByTime(20_000)
    expect(freshness.value.state).toBe('fresh')
    vi.advanceTimersByTime(20_000)
    expect(freshness.value).toMatchObject({ state: 'old', cause: 'stream' })
  })

  it('goes on from what is known of the jobs', () => {
    follow({ jobs: true })
    current().say('jobs', { reset: true, changed: [jobEntry()], removed: [], revision: 'r-7' })
    expect(jobs.value?.size).toBe(1)
    current().dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(10_000)
    expect(current().url).toContain('since=r-7')
  })

  it('forgets what the page no longer shows', () => {
    follow({ jobs: true })
    current().say('jobs', { reset: true, changed: [jobEntry()], removed: [], revision: '1' })
    follow({ job: 'a' })
    expect(jobs.value).toBeUndefined()
    current().say('job', { jobName: 'b' })
    expect(job.value).toBeUndefined()
  })

  it('asks only for the rest of a log', () => {
    follow({ run: 'x' })
    const chunk = { time: 0, stream: 'info', text: 'a' }
    current().say('log', { runId: 'x', chunks: [{ ...chunk, sequence: 4 }] })
    expect(log.value).toHaveLength(1)
    current().dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(10_000)
    expect(current().url).toContain('after=4')
  })
})
