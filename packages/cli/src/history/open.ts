/** A history to be asked, for the length of one command. */
import { existsSync } from 'node:fs'

import type { HistoryOptions, HistoryStore } from '@elasticjob/tracing'

import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { type HistoryFlags, resolveHistory } from './resolve.ts'

export async function withHistory<T>(
  { terminal }: Cli,
  flags: HistoryFlags,
  deed: (history: HistoryStore) => Promise<T>,
): Promise<T> {
  // Loaded here: no other command needs it, and each would start later for it.
  const { openHistory, tracingOptionsOf } = await import('@elasticjob/tracing')
  const options = resolveHistory(flags, terminal, tracingOptionsOf)
  requireFile(options)
  const history = await openHistory(options)
  try {
    return await deed(history)
  } finally {
    await history.close()
  }
}

/** Who asks does not want to begin one. */
function requireFile({ url = '' }: HistoryOptions): void {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  if (path === undefined || existsSync(path)) return
  throw new CommandError(
    'CLI_HISTORY_MISSING',
    `there is no history in ${path}: nothing was recorded there yet, or it is another file`,
  )
}
