/** Asks for confirmation before a destructive command. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'

import { CommandError } from './errors.ts'
import { printableLines } from './output/printable.ts'
import type { Terminal } from './terminal.ts'

/** Resolves after `--yes` or a confirmation. Without a terminal and without `--yes` it is refused. */
export async function confirmed(
  terminal: Terminal,
  message: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  if (yes) return
  if (!terminal.isInteractive) {
    throw new CommandError(
      'CLI_NOT_CONFIRMED',
      `${message}\nThere is no terminal to ask for confirmation: add --yes to continue.`,
    )
  }
  const prompt = createInterface({ input: terminal.stdin, output: terminal.stderr })
  try {
    // Ctrl-C and Ctrl-D close it without an answer.
    const closed = once(prompt, 'close').then(() => '')
    const answer = await Promise.race([
      prompt.question(`${printableLines(message)}\nContinue? [y/N] `),
      closed,
    ])
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  throw new CommandError('CLI_NOT_CONFIRMED', 'Nothing was changed.')
}
