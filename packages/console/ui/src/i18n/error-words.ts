/** What went wrong, in the reader's language. */
import { effect, signal } from '@preact/signals'

import type { Said } from '../../../src/contract/sentence.ts'
import { fill } from './fill.ts'
import { language } from './i18n.ts'
import { translation } from './sentence-words.ts'

interface Told {
  readonly code?: string | undefined
  readonly message: string
  readonly said?: Said | undefined
}

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

/** The sentence that was said; for one that is English alone, what its code means. */
export function errorWords({ code = '', message, said }: Told): string {
  return translation(said) ?? codeWords(code, message) ?? message
}

function codeWords(code: string, message: string): string | undefined {
  const words = language.value === 'zh' ? chinese.value : undefined
  const [family = ''] = code.split('_', 1)
  const sentence = words?.get(code) ?? words?.get(family)
  return sentence && fill(sentence, { code, message })
}
