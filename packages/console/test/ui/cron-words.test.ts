// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { setLanguage } from '../../ui/src/i18n/i18n.ts'
import { cronText } from '../../ui/src/text/cron-text.ts'

it('says in English what the server says, and in Chinese what that has no words for as well', async () => {
  expect(cronText('0 0 3 * * ?', 'at 03:00', 'en')).toBe('at 03:00')
  expect(cronText('0 0 3 * * ?', undefined, 'en')).toBe('')
  await setLanguage('zh')
  await vi.waitFor(() => expect(cronText('0 0 3 * * ?', 'at 03:00', 'zh')).toBe('每天 03:00:00'))
  expect(cronText('not one', 'something', 'zh')).toBe('something')
})
