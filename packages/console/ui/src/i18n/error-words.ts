/** What went wrong, in the reader's language. */
import { effect, signal } from '@preact/signals'

import { fill } from './fill.ts'
import { language } from './i18n.ts'

interface Told {
  readonly code: string
  readonly message: string
  readonly retryAfter?: number | undefined
}

/** Where the server does not say for how long. */
const usualWait = 5

/** Undefined: the server's own sentences, which are English. */
const chinese = signal<ReadonlyMap<string, string> | undefined>(undefined)

// Nobody waits for it: until it is there, and for codes that it does not have, the server's sentence is shown.
effect(() => {
  if (language.value !== 'zh' || chinese.peek() !== undefined) return
  void import('./zh/errors.ts').then(
    ({ errors }) => (chinese.value = new Map(Object.entries(errors))),
    () => undefined,
  )
})

export function errorWords({ code, message, retryAfter = usualWait }: Told): string {
  const sentence = language.value === 'zh' ? chinese.value?.get(code) : undefined
  return sentence === undefined ? message : fill(sentence, { message, n: retryAfter })
}
