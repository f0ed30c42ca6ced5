// @vitest-environment happy-dom
import { ConfigurationError, errorCodes as jobCodes, registryErrorCodes } from '@elasticjob/core'
import { problem } from '@elasticjob/core/internal'
import { errorCodes as historyCodes } from '@elasticjob/tracing'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { errorCodes as consoleCodes } from '../../src/errors.ts'
import { message } from '../../src/message.ts'
import { partsOf } from '../../src/server/message-fields.ts'
import { errorText } from '../../ui/src/i18n/error-text.ts'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { errors } from '../../ui/src/i18n/zh/errors.ts'

const codes = [...consoleCodes, ...jobCodes, ...historyCodes]

afterEach(() => setLanguage('en'))

describe('what went wrong', () => {
  it.each(codes)('%s has Chinese words', (code) => {
    expect(errors[code]).toMatch(/\p{Script=Han}/u)
  })

  it('is said for no code that nobody uses', () => {
    const known = new Set<string>([...codes, ...registryErrorCodes, 'UNREACHABLE', 'REGISTRY'])
    expect(Object.keys(errors).filter((code) => !known.has(code))).toEqual([])
  })

  it('quotes the English of none that can be told in sentences', () => {
    const quoting = consoleCodes.filter((code) => errors[code]?.includes('{message}'))
    // What a schema says is not ours: only what the page may meet has words.
    expect(quoting).toEqual(['CONSOLE_INPUT_INVALID'])
  })

  it('is the server’s sentence in English, and in Chinese ours with what the server has said', async () => {
    const missing = { code: 'JOB_NOT_FOUND', message: 'there is no job "{n}"' }
    expect(errorText(missing)).toBe('there is no job "{n}"')
    await setLanguage('zh')
    await vi.waitFor(() => {
      expect(errorText(missing)).toBe('命名空间中没有此作业（there is no job "{n}"）')
    })
    expect(errorText({ code: 'REGISTRY_FAILED', message: 'odd bytes' })).toBe(
      '注册中心报告 REGISTRY_FAILED（odd bytes）',
    )
  })

  it('is the sentence itself in Chinese where the server has told its parts', async () => {
    await setLanguage('zh')
    const wanted = {
      code: 'cron-fields-wanted',
      parameters: {},
    }
    const reason = { code: 'cron-one-field', parameters: { wanted: wanted } }
    const cron = {
      code: 'JOB_CRON_INVALID',
      message: 'cron "x": there are 1 field; it takes …',
      messageParts: { code: 'cron-invalid', parameters: { expression: '"x"', reason: reason } },
    }
    const chinese = '只有 1 个字段；需要依次给出秒、分钟、小时、日、月、星期，年可以省略'
    await vi.waitFor(() => expect(errorText(cron)).toBe(`cron "x"：${chinese}`))
    await setLanguage('en')
    expect(errorText(cron)).toBe(cron.message)
  })

  it('names all that is wrong with a configuration', async () => {
    await setLanguage('zh')
    const { message: text, messageParts } = new ConfigurationError(
      message('configuration-change-subject', { source: '/shop/a/config' }),
      [problem('cron', message('option-missing')), { key: 'pager.url', message: 'is required' }],
    )
    await vi.waitFor(() => {
      expect(
        errorText({
          code: 'JOB_CONFIGURATION_INVALID',
          message: text,
          messageParts: messageParts && partsOf(messageParts),
        }),
      ).toBe('对 /shop/a/config 的更改无效：cron：缺少此项；pager.url：is required；')
    })
  })

  it('is the server’s sentence where there are no words for its code', async () => {
    await setLanguage('zh')
    expect(errorText({ message: 'not allowed' })).toBe('not allowed')
    expect(errorText({ code: 'constructor', message: 'odd' })).toBe('odd')
  })
})
