// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { OperationResult } from '../../src/contract/results.ts'
import { tellResult } from '../../ui/src/components/confirmation.tsx'
import { dismiss, toasts, Toasts } from '../../ui/src/components/toasts.tsx'
import { errorText } from '../../ui/src/i18n/error-text.ts'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { messagesReady } from '../../ui/src/i18n/message-text.ts'
import { bulkAction } from '../../ui/src/pages/bulk-bar.tsx'
import { jobEntry } from './support/examples.ts'

const page = document.createElement('div')
document.body.append(page)

beforeEach(() => {
  void act(() => render(<Toasts />, page))
})

afterEach(async () => {
  for (const { id } of toasts.value) dismiss(id)
  void act(() => render(null, page))
  await setLanguage('en')
})

const lines = (): string[] => [...page.querySelectorAll('li')].map((each) => each.textContent)

function result(parts: Partial<OperationResult>): OperationResult {
  return { action: 'pause', done: [], unchanged: [], skipped: [], failed: [], ...parts }
}

const paused = {
  jobName: 'orders',
  text: 'job orders is paused',
  messageParts: { code: 'job-paused', parameters: { jobName: 'orders' } },
}
const java = '10.0.0.9@-@7'
const skipped = {
  jobName: 'orders',
  reason: `${java} is a Java instance and knows no pause: it goes on; disable its server instead`,
  messageParts: {
    code: 'java-pause-unsupported',
    parameters: { instance: java },
  },
}

describe('what came of an action', () => {
  it('is told as the server says it to those who read English', () => {
    void act(() => tellResult('Pause', 'orders', result({ done: [paused], skipped: [skipped] })))
    expect(lines()).toEqual([skipped.reason, paused.text])
  })

  it('is told in Chinese to those who read Chinese', async () => {
    await setLanguage('zh')
    await messagesReady()
    void act(() => tellResult('暂停', 'orders', result({ done: [paused], skipped: [skipped] })))
    expect(lines()).toEqual([
      `${java} 是 Java 实例，不支持暂停，会继续运行；请改为禁用其服务器`,
      '作业 orders 已暂停',
    ])
  })

  it('is told of a few of many', () => {
    const many = Array.from({ length: 9 }, () => ({ ...paused }))
    void act(() => tellResult('Pause', 'all', result({ done: many })))
    expect(lines()).toHaveLength(6)
    expect(lines().at(-1)).toBe('and 4 more')
  })

  it('names the job that failed, with words for what went wrong', async () => {
    await setLanguage('zh')
    const pending = { code: 'JOB_TRIGGER_PENDING', message: 'job stock waits' }
    await vi.waitFor(() => expect(errorText(pending)).not.toBe(pending.message))
    const failed = [
      { jobName: 'stock', reason: pending.message, code: pending.code },
      { jobName: 'other', reason: 'a stranger said no' },
    ]
    void act(() => tellResult('执行', 'all', result({ failed })))
    expect(lines()).toEqual([
      'stock: 一轮执行正在进行，另一轮已在等待。',
      'other: a stranger said no',
    ])
  })
})

describe('what came of an action on many jobs', () => {
  it('has what failed by its code and its words', async () => {
    const error = {
      code: 'JOB_NOT_FOUND',
      message: 'there is no job "b" in this namespace',
      messageParts: { code: 'job-unknown', parameters: { jobName: 'b' } },
    }
    const results = [
      { jobName: 'a', result: result({ done: [paused] }) },
      { jobName: 'b', error },
    ]
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ action: 'pause', results })))
    const jobs = ['a', 'b'].map((jobName) => jobEntry({ jobName }))
    const { failed, done } = await bulkAction('pause', jobs).perform()
    expect(done).toEqual([paused])
    expect(failed).toEqual([
      { jobName: 'b', reason: error.message, messageParts: error.messageParts, code: error.code },
    ])
    vi.unstubAllGlobals()
  })
})
