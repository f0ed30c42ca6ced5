/** What somebody may say to a dump port: one line, with the port's token before it if it has one. */
import { createHash, timingSafeEqual } from 'node:crypto'

import { problemOfJobName } from '../../config/job-name.ts'

/** The job to dump; `refused` without the right token; undefined for what is no command. */
export type Command = { readonly jobName: string } | 'refused' | undefined

/**
 * A line at the port of a process, `dump@{jobName}` as in 3.x, or at the port of one job, `dump` as in
 * 1.x and 2.x.
 */
export function readCommand(
  line: string,
  token: string | undefined,
  ownJob: string | undefined,
): Command {
  const words = token === undefined ? line.trim() : withoutToken(line, token)
  if (words === undefined) return 'refused'
  if (ownJob !== undefined) return /^dump$/i.test(words) ? { jobName: ownJob } : undefined
  const [, jobName] = /^dump@(.+)$/.exec(words) ?? []
  return jobName === undefined || problemOfJobName(jobName) !== undefined ? undefined : { jobName }
}

function withoutToken(line: string, token: string): string | undefined {
  const [, given = '', words = ''] = /^\s*(\S*)(.*)$/.exec(line) ?? []
  // Digests of one length, so that the time it takes says nothing of how much of it was right.
  return timingSafeEqual(digestOf(given), digestOf(token)) ? words.trim() : undefined
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
