/** Which history a command asks: an option before a variable before the file in the directory. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { readElasticJobFile } from '@elasticjob/core'
import type { HistoryOptions } from '@elasticjob/tracing'
import type { Command } from 'commander'

import { CommandError } from '../errors.ts'
import { usualFile } from '../registry/resolve.ts'
import { companionSections } from '../registry/sections.ts'
import type { Terminal } from '../terminal.ts'

/** The options that every command with a history has. */
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

/** Reads the section of a file; given by the package, which is loaded when it is needed. */
type ReadSection = (section: Readonly<Record<string, string>>, folder: string) => HistoryOptions

export function resolveHistory(
  { database, file }: HistoryFlags,
  { environment, directory }: Surroundings,
  readSection: ReadSection,
): HistoryOptions {
  const said = database ?? environment['ELASTICJOB_HISTORY']?.trim()
  if (said !== undefined && said !== '') return { url: inDirectory(said, directory) }
  const path = file === undefined ? join(directory, usualFile) : resolve(directory, file)
  const found = historyOfFile(path, file !== undefined, environment, readSection)
  if (found === undefined) throw missing()
  return found
}

/** The history that a file names; undefined if it names none, or if it need not be there and is not. */
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

/** The one of a file that says no more than that there is one. */
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
      `the file ${path} cannot be read: ${(cause as Error).message}`,
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
      'no history: nothing says which database has it. Give one of these:',
      '  --database sqlite:elasticjob-history.db',
      '  ELASTICJOB_HISTORY=postgresql://user:password@host/database in the environment',
      `  url: sqlite:elasticjob-history.db in the section tracing of ./${usualFile}`,
      '',
      'Nothing is recorded yet? `elasticjob run` records the jobs of a file that has the section tracing.',
    ].join('\n'),
  )
}
