/** The schedule of a job as text. The server has the English text; the page has the Chinese one. */
import { Fetched } from '../i18n/fetched.ts'
import type { Language } from '../i18n/i18n.ts'

type CronText = (expression: string) => string | undefined

/** The Chinese text is loaded for Chinese readers only; without it the text is English. */
const chinese = new Fetched<CronText>(() =>
  import('./chinese-cron.ts').then(
    ({ chineseCron }) => chineseCron,
    () => () => undefined,
  ),
)

/** In Chinese, empty while it loads: a text that changes language would be distracting. */
export function cronText(
  expression: string,
  english: string | undefined,
  reader: Language,
): string {
  if (reader !== 'zh') return english ?? ''
  const say = chinese.value
  if (say === undefined) {
    void chinese.ready()
    return ''
  }
  return say(expression) ?? english ?? ''
}
