/** When a job fires, in words. The server has them in English; other languages are ours to find. */
import { Fetched } from '../i18n/fetched.ts'
import type { Language } from '../i18n/i18n.ts'

type CronWords = (expression: string) => string | undefined

/** How to say it in Chinese is only fetched for who reads it; if it cannot be had, it is said in English. */
const chinese = new Fetched<CronWords>(() =>
  import('./chinese-cron.ts').then(
    ({ chineseCron }) => chineseCron,
    () => () => undefined,
  ),
)

/** In Chinese nothing for a moment, rather than words that change before one's eyes. */
export function cronWords(
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
