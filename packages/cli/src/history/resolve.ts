/** Selects the history: option, then environment variable, then the file in the directory. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { readElasticJobFile } from '@elasticjob/core'
import type { HistoryOptions } from '@elasticjob/tracing'
import type { Command } from 'commander'

import { CommandError } from '../errors.ts'
import { usualFile } from '../registry/resolve.ts'
import { companionSections } from '../registry/sections.ts'
import type { Terminal } from '../terminal.ts'

/** The options of every command that reads a history. */
export interface HistoryFlags {
  readonly database?: string
  readonly file?: string
}

export function withHistoryOptions(command: Command): Command {
  return command
    .optionsGroup('History:')
    .option(
      '-d, --database <url>',
      'sqlite:PATH, postgresql://… or mysql://… ($ELASTICJOB_HISTORY)',
    )
    .option('--file <path>', `read its section tracing from this file (default: ./${usualFile})`)
    .optionsGroup('Options:')
}

type Surroundings = Pick<Terminal, 'environment' | 'directory'>

/** Reads the section of a file; provided by the tracing package, which is loaded lazily. */
type ReadSection = (section: Readonly<Record<string, string>>, folder: string) => HistoryOptions

export function resolveHistory(
  { database, file }: HistoryFlags,
  { environment, directory }: Surroundings,
  readSection: ReadSection,
): HistoryOptions {
  const given = database ?? environment['ELASTICJOB_HISTORY']?.trim()
  if (given !== undefined && given !== '') return { url: inDirectory(given, directory) }
  const path = file === undefined ? join(directory, usualFile) : resolve(directory, file)
  const found = historyOfFile(path, file !== undefined, environment, readSection)
  if (found === undefined) throw missing()
  return found
}

/** The history of a file; undefined if it names none, or if an optional file is absent. */
export function historyOfFile(
  path: string,
  isNeeded: boolean,
  environment: Surroundings['environment'],
  readSection: ReadSection,
): HistoryOptions | undefined {
  const section = sectionOf(path, isNeeded, environment)
  if (section === undefined) return undefined
  const {
    url = usualHistory(dirname(path)),
    timeZone,
    timeout,
  } = readSection(section, dirname(path))
  return {
    url,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/** The default history of a file with an empty section. */
export function usualHistory(folder: string): string {
  return inDirectory('sqlite:elasticjob-history.db', folder)
}

function sectionOf(
  path: string,
  isNeeded: boolean,
  environment: Surroundings['environment'],
): Readonly<Record<string, string>> | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (!isNeeded && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(
      'CLI_USAGE',
      `cannot read the file ${path}: ${(cause as Error).message}`,
      cause,
    )
  }
  const { sections } = readElasticJobFile(text, {
    environment,
    source: path,
    sections: companionSections,
  })
  return sections['tracing']
}

function inDirectory(url: string, directory: string): string {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1]
  return path === undefined ? url : `sqlite:${resolve(directory, path)}`
}

function missing(): CommandError {
  return new CommandError(
    'CLI_HISTORY_MISSING',
    [
      'no history: no database is configured. Set one of these:',
      '  --database sqlite:elasticjob-history.db',
      '  ELASTICJOB_HISTORY=postgresql://host/database in the environment',
      `  url: sqlite:elasticjob-history.db in the section tracing of ./${usualFile}`,
      '',
      'To record runs, add the section tracing to the file of `elasticjob run`.',
    ].join('\n'),
  )
}
