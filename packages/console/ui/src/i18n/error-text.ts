/** What went wrong, in the reader's language. */
import { effect } from '@preact/signals'

import type { MessageParts } from '../../../src/contract/message.ts'
import { Fetched } from './fetched.ts'
import { fill } from './fill.ts'
import { language } from './i18n.ts'
import { translation } from './message-text.ts'

interface Told {
  readonly code?: string | undefined
  readonly message: string
  readonly messageParts?: MessageParts | undefined
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

/** The translated message; for an English-only message, the meaning of its code. */
export function errorText({ code = '', message, messageParts }: Told): string {
  return translation(messageParts) ?? codeTexts(code, message) ?? message
}

function codeTexts(code: string, message: string): string | undefined {
  const words = language.value === 'zh' ? chinese.value : undefined
  const [family = ''] = code.split('_', 1)
  const parts = words?.get(code) ?? words?.get(family)
  return parts && fill(parts, { code, message })
}
