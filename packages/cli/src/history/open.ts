/** Opens a history for one command. */
import { existsSync } from 'node:fs'

import type { HistoryOptions, HistoryStore } from '@elasticjob/tracing'

import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { type HistoryFlags, resolveHistory } from './resolve.ts'

export async function withHistory<T>(
  { terminal }: Cli,
  flags: HistoryFlags,
  action: (history: HistoryStore) => Promise<T>,
): Promise<T> {
  // Loaded lazily: no other command needs it, and it would delay their start.
  const { openHistory, tracingOptionsOf } = await import('@elasticjob/tracing')
  const options = resolveHistory(flags, terminal, tracingOptionsOf)
  requireFile(options)
  const history = await openHistory(options)
  try {
    return await action(history)
  } finally {
    await history.close()
  }
}

/** A query must not create a new history. */
function requireFile({ url = '' }: HistoryOptions): void {
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  if (path === undefined || existsSync(path)) return
  throw new CommandError(
    'CLI_HISTORY_MISSING',
    `there is no history in ${path}: nothing has been recorded there yet, or the path is wrong`,
  )
}
