/** Edits a text in the user's editor. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

export interface EditedText {
  readonly text: string
  readonly path: string
  /** Deletes the file; otherwise the edited text stays available. */
  discard(): Promise<void>
}

/**
 * Resolves when the editor is closed. Only the owner can read the file: a configuration may contain
 * passwords.
 */
export async function editText(
  { environment }: Terminal,
  name: string,
  text: string,
): Promise<EditedText> {
  const editor = environment['VISUAL'] || environment['EDITOR']
  if (editor === undefined || editor === '') {
    throw new CommandError(
      'CLI_USAGE',
      'no editor is configured: set EDITOR, for example EDITOR=nano, or use `elasticjob config set`',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'elasticjob-'))
  const path = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.yaml`)
  await writeFile(path, text, { mode: 0o600 })
  const discard = (): Promise<void> => rm(dirname(path), { recursive: true, force: true })
  // Uses a shell, because EDITOR may contain arguments: `code --wait`.
  const child = spawn(`${editor} "${path}"`, { shell: true, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) {
    await discard()
    throw new CommandError(
      'CLI_FAILED',
      `the editor "${editor}" ended with ${code ?? 'a signal'}; nothing was changed`,
    )
  }
  return { text: await readFile(path, 'utf8'), path, discard }
}
