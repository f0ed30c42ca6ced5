/** The question before harm. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'

import { CommandError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/**
 * Resolves if it may be done: by `--yes`, or by a person who says so. A program without `--yes` is
 * refused: nobody has thought about it.
 */
export async function confirmed(
  terminal: Terminal,
  sentence: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  if (yes) return
  if (!terminal.isInteractive) {
    throw new CommandError(
      'CLI_NOT_CONFIRMED',
      `${sentence}\nNobody is there to be asked: add --yes if that is what you want.`,
    )
  }
  const prompt = createInterface({ input: terminal.stdin, output: terminal.stderr })
  try {
    // Ctrl-C and Ctrl-D close it without an answer.
    const closed = once(prompt, 'close').then(() => '')
    const answer = await Promise.race([prompt.question(`${sentence}\nGo on? [y/N] `), closed])
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  throw new CommandError('CLI_NOT_CONFIRMED', 'Nothing was changed.')
}
