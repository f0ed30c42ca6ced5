/** Which registry a command speaks to: options before variables before the file in the directory. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { readElasticJobFile, type RegistryOptions } from '@elasticjob/core'

import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { companionSections } from './sections.ts'

/** The options that every command with a registry has. */
export interface RegistryFlags {
  readonly servers?: string
  readonly namespace?: string
  /** The file to read the registry from. */
  readonly file?: string
  /** How long to try, in seconds. */
  readonly timeout?: number
}

/** The file that is read if no other is named. */
export const usualFile = 'elasticjob.yaml'

/** How long a command tries to reach the registry, in seconds: somebody sits in front of it. */
export const usualTimeout = 5

type Surroundings = Pick<Terminal, 'environment' | 'directory'>

/** Everything that is needed to connect, or an error that says what is missing and how to give it. */
export function resolveRegistry(flags: RegistryFlags, around: Surroundings): RegistryOptions {
  const said = saidRegistry(flags, around.environment)
  const isComplete = said.servers !== undefined && said.namespace !== undefined
  const file = flags.file === undefined && isComplete ? undefined : fileRegistry(flags.file, around)
  // A password in the file is for the servers of the file: it is not sent to whoever else is named.
  const isFileMeant = said.servers === undefined || flags.file !== undefined
  const found: Partial<RegistryOptions> = {
    connectionTimeoutMilliseconds: usualTimeout * 1000,
    ...(isFileMeant ? file : file && { namespace: file.namespace }),
    ...said,
  }
  if (found.servers === undefined && found.serverLists === undefined) throw missing('servers')
  const { namespace } = found
  if (namespace === undefined) throw missing('namespace')
  return { ...found, namespace }
}

/** What options and variables say, and nothing else. */
export function saidRegistry(
  flags: RegistryFlags,
  environment: Terminal['environment'],
): Partial<RegistryOptions> {
  const servers = flags.servers ?? given(environment['ELASTICJOB_SERVERS'])
  const namespace = flags.namespace ?? given(environment['ELASTICJOB_NAMESPACE'])
  const digest = given(environment['ELASTICJOB_DIGEST'])
  return {
    // Java's name for the same, which a file may have used, is no second answer.
    ...(servers === undefined ? {} : { servers, serverLists: undefined }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(digest === undefined ? {} : { digest }),
    ...(flags.timeout === undefined ? {} : { connectionTimeoutMilliseconds: flags.timeout * 1000 }),
  }
}

/** What the file says of the registry; nothing if it was not asked for and is not there. */
function fileRegistry(
  named: string | undefined,
  { environment, directory }: Surroundings,
): RegistryOptions | undefined {
  const path = named === undefined ? join(directory, usualFile) : resolve(directory, named)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (named === undefined && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(
      'CLI_USAGE',
      `the file ${path} cannot be read: ${(cause as Error).message}`,
      cause,
    )
  }
  const options = { environment, source: path, sections: companionSections }
  return readElasticJobFile(text, options).registry
}

function missing(what: 'servers' | 'namespace'): CommandError {
  const example = what === 'servers' ? '127.0.0.1:2181' : 'shop'
  const why =
    what === 'servers'
      ? 'no registry: nothing says where ZooKeeper is'
      : 'no namespace: nothing says which jobs of the registry are meant'
  const others =
    what === 'servers'
      ? ['', 'There is no ZooKeeper yet? `elasticjob zookeeper` starts one on this machine.']
      : []
  return new CommandError(
    'CLI_REGISTRY_MISSING',
    [
      `${why}. Give one of these:`,
      `  --${what} ${example}`,
      `  ELASTICJOB_${what.toUpperCase()}=${example} in the environment`,
      `  ${what}: ${example} in the section registry of ./${usualFile}`,
      ...others,
    ].join('\n'),
  )
}

/** A variable that is set to nothing is not set. */
function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
