/** When a job fires, in words. The server has them in English; other languages are ours to find. */
import { signal } from '@preact/signals'

import type { Language } from '../i18n/i18n.ts'

type CronWords = (expression: string) => string | undefined

/** Undefined until it is there. */
const chinese = signal<CronWords | undefined>(undefined)
let isFetched = false

/** In Chinese nothing for a moment, rather than words that change before one's eyes. */
export function cronWords(
  expression: string,
  english: string | undefined,
  reader: Language,
): string {
  if (reader !== 'zh') return english ?? ''
  const say = chinese.value
  if (say === undefined) {
    fetchOnce()
    return ''
  }
  return say(expression) ?? english ?? ''
}

/** How to say it in Chinese is only fetched for who reads it. */
function fetchOnce(): void {
  if (isFetched) return
  isFetched = true
  void import('./chinese-cron.ts').then(
    ({ chineseCron }) => (chinese.value = chineseCron),
    () => (chinese.value = () => undefined),
  )
}
