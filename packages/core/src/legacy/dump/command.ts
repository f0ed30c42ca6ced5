/** The commands of a dump port: one line, preceded by the port's token if it has one. */
import { createHash, timingSafeEqual } from 'node:crypto'

import { problemOfJobName } from '../../config/job-name.ts'

/** The job to dump; `refused` without the right token; undefined for an unknown command. */
export type Command = { readonly jobName: string } | 'refused' | undefined

/**
 * Reads a line. The port of a process takes `dump@{jobName}` as in 3.x, the port of one job takes `dump` as in 1.x and
 * 2.x.
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
  // Compares digests of equal length, so that the duration does not reveal how much of the token was right.
  return timingSafeEqual(digestOf(given), digestOf(token)) ? words.trim() : undefined
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
