// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { isElasticJobError } from '@elasticjob/core'
import { parseCron } from '@elasticjob/core/cron'
import { readStoredJob } from '@elasticjob/core/internal'
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Problem } from '../../src/contract/common.ts'
import { messageFields } from '../../src/server/message-fields.ts'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { messageText } from '../../ui/src/i18n/message-text.ts'
import { ConfigurationFields } from '../../ui/src/pages/job/configuration-fields.tsx'
import { planOf } from '../../ui/src/pages/job/draft.ts'
import { configuration } from './support/examples.ts'

const problems: readonly Problem[] = [
  {
    key: 'shardingTotalCount',
    message: 'it must be a whole number from 1 to 10000, not 0',
    messageParts: {
      code: 'value-mismatch',
      parameters: {
        expected: { code: 'kind-shard-count', parameters: { most: 10_000 } },
        actual: '0',
      },
    },
  },
  {
    key: 'retry.times',
    message: 'must be a whole number from 0 to 9, not "x"',
    messageParts: {
      code: 'number-out-of-range',
      parameters: { least: 0, most: 9, text: 'x' },
    },
  },
]

/** As the server would tell it. */
function refusalOf(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (isElasticJobError(error)) return { key: 'cron', ...messageFields(error) }
  }
  throw new Error('it was done')
}

function textFor({ messageParts, message }: Problem): string {
  return messageText(messageParts, message)
}

beforeAll(async () => {
  const { message, messageParts } = refusalOf(() => parseCron('0 0 25 * * ?'))
  const problem = { message, messageParts, field: 'hour' }
  const preview = { expression: '0 0 25 * * ?', timeZone: '', fires: [], problem }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(preview)))
  await setLanguage('zh')
})

afterAll(async () => {
  vi.unstubAllGlobals()
  await setLanguage('en')
})

it('the fields of a configuration say what is wrong in the reader’s language', async () => {
  const actionPlan = planOf(configuration)
  const draw = (found: readonly Problem[]): void => {
    const fields = { actionPlan, problems: found, disabled: false, onChange: () => {} }
    void act(() => render(<ConfigurationFields {...fields} />, document.body))
  }
  // The fields are there before anything is known of them: what belongs to none of them is told apart.
  draw([])
  draw(problems)
  const texts = (selector: string): (string | null)[] =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
  await vi.waitFor(() => {
    expect(texts('.field-error')).toEqual(['必须是1 到 10000 的整数（当前值：0）'])
    expect(texts('.notice li')).toEqual(['retry.times 必须是 0 到 9 的整数（当前值：“x”）'])
    expect(texts('.field-hint .bad-ink')).toEqual([
      'cron "0 0 25 * * ?"：小时（第 3 个字段）中出现 25（表达式第 5 个字符）；小时的取值范围为 0 到 23',
    ])
  })
  await act(() => setLanguage('en'))
  expect(texts('.field-error')).toEqual(['it must be a whole number from 1 to 10000, not 0'])
  expect(texts('.field-hint .bad-ink').join()).toContain('hours are 0 to 23')
  await act(() => setLanguage('zh'))
})

describe('in Chinese', () => {
  it.each([
    [
      '* * * * *',
      '只有 5 个字段；需要依次给出秒、分钟、小时、日、月、星期，年可以省略；请注意第一个字段是秒',
    ],
    ['0 0/61 * * * ?', '分钟（第 2 个字段）的步长为 61（表达式第 5 个字符）；最大为 59'],
    ['0 5/ * * * ?', '分钟（第 2 个字段）缺少数字（表达式第 5 个字符）；"/" 之后必须有数字'],
    [
      '0 5L * * * ?',
      '分钟（第 2 个字段）中出现 "L"（表达式第 4 个字符）；只有“星期”字段可以使用它',
    ],
    [
      '0 0 0 ?ab * 2',
      '日（第 4 个字段）在 "?" 之后出现 "AB"（表达式第 8 个字符）；其后不能再有内容',
    ],
    [
      '0 0 0 ? FOO *',
      '月（第 5 个字段）中出现 "FOO"（表达式第 9 个字符）；月的取值范围为 1 到 12，或 JAN 到 DEC',
    ],
    [
      '0 0 0 * * *',
      '日（第 4 个字段）和星期（第 6 个字段）都已指定（表达式第 7 和第 11 个字符）；其中之一必须是 "?"',
    ],
  ])('cron %s: %s', async (expression, reason) => {
    const refusal = refusalOf(() => parseCron(expression))
    await vi.waitFor(() => expect(textFor(refusal)).toBe(`cron "${expression}"：${reason}`))
  })

  it('a zone that nobody knows, and a configuration that cannot be read', async () => {
    const zone = refusalOf(() => parseCron('0 0 12 * * ?', { timeZone: 'Mars/Olympus' }))
    const broken = refusalOf(() =>
      readStoredJob('jobName: j\nshardingTotalCount: 1\nfailover: maybe\n', '/shop/j/config'),
    )
    await vi.waitFor(() => {
      expect(textFor(zone)).toContain('未知的时区 "Mars/Olympus"；请使用 IANA 名称')
      expect(textFor(broken)).toBe(
        '/shop/j/config 中的配置无法读取：failover 必须是 true 或 false（当前值：“maybe”）（第 3 行第 11 列）',
      )
    })
  })
})
