// @vitest-environment happy-dom
import { errorCodes as jobCodes } from '@elasticjob/core'
import { errorCodes as historyCodes } from '@elasticjob/tracing'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { errorCodes as consoleCodes } from '../../src/errors.ts'
import { errorWords } from '../../ui/src/i18n/error-words.ts'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { errors } from '../../ui/src/i18n/zh/errors.ts'

const codes = [...consoleCodes, ...jobCodes, ...historyCodes]

afterEach(() => setLanguage('en'))

describe('what went wrong', () => {
  it.each(codes)('%s has Chinese words', (code) => {
    expect(errors[code]).toMatch(/\p{Script=Han}/u)
  })

  it('is said for no code that nobody uses', () => {
    const known = new Set<string>([...codes, 'UNREACHABLE'])
    expect(Object.keys(errors).filter((code) => !known.has(code))).toEqual([])
  })

  it('is the server’s sentence in English, and in Chinese ours with what the server has said', async () => {
    const missing = { code: 'JOB_NOT_FOUND', message: 'there is no job "{n}"' }
    expect(errorWords(missing)).toBe('there is no job "{n}"')
    await setLanguage('zh')
    await vi.waitFor(() => {
      expect(errorWords(missing)).toBe('命名空间中没有此作业（there is no job "{n}"）')
    })
    expect(errorWords({ code: 'CONSOLE_THROTTLED', message: 'wait', retryAfter: 42 })).toContain(
      '42 秒',
    )
    expect(errorWords({ code: 'CONSOLE_BUSY', message: 'wait' })).not.toContain('{')
  })

  it('is the server’s sentence where there are no words for its code', async () => {
    await setLanguage('zh')
    expect(errorWords({ code: 'ZK_NO_AUTH', message: 'not allowed' })).toBe('not allowed')
    expect(errorWords({ code: 'constructor', message: 'odd' })).toBe('odd')
  })
})
