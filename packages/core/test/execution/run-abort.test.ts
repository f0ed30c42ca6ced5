import { expect, it } from 'vitest'

import { type AbortListener, RunAbort } from '../../src/execution/run-abort.ts'

const reason = new Error('enough')

it('says that it was aborted, and why: the first reason counts', () => {
  const abort = new RunAbort()
  expect([abort.isAborted, abort.reason]).toEqual([false, undefined])
  abort.abort(reason)
  abort.abort(new Error('later'))
  expect([abort.isAborted, abort.reason]).toEqual([true, reason])
})

it('has one signal, which is aborted with it and for its reason', () => {
  const abort = new RunAbort()
  const { signal } = abort
  expect(abort.signal).toBe(signal)
  expect(signal.aborted).toBe(false)
  abort.abort(reason)
  expect([signal.aborted, signal.reason]).toEqual([true, reason])
})

it('gives a signal that is aborted to who asks for it afterwards', () => {
  const abort = new RunAbort()
  abort.abort(reason)
  expect([abort.signal.aborted, abort.signal.reason]).toEqual([true, reason])
  const without = new RunAbort()
  without.abort()
  expect(without.signal.aborted).toBe(true)
})

it('tells its listeners once, but neither those that have left nor those that come too late', () => {
  const abort = new RunAbort()
  const told: string[] = []
  const listener = (name: string): AbortListener => ({ aborted: () => void told.push(name) })
  const leaver = listener('left')
  abort.onAbort(listener('a'))
  abort.onAbort(listener('b'))
  abort.onAbort(leaver)
  abort.offAbort(leaver)
  abort.abort(reason)
  abort.abort(reason)
  abort.onAbort(listener('late'))
  expect(told).toEqual(['a', 'b'])
})
