/** What went wrong, in the reader's language. */
import { effect } from '@preact/signals'

import type { Said } from '../../../src/contract/sentence.ts'
import { Fetched } from './fetched.ts'
import { fill } from './fill.ts'
import { language } from './i18n.ts'
import { translation } from './sentence-words.ts'

interface Told {
  readonly code?: string | undefined
  readonly message: string
  readonly said?: Said | undefined
}

const chinese = new Fetched(async () => {
  const { errors } = await import('./zh/errors.ts')
  return new Map(Object.entries(errors))
})

// Nobody waits for it: until it is there, and for codes that it does not have, the server's sentence is
// shown. But it comes before anything fails: then it may be the server that is gone.
effect(() => {
  if (language.value === 'zh') void chinese.ready()
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
