/** Selects the registry: options, then environment variables, then the file in the directory. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { readElasticJobFile, type RegistryOptions } from '@elasticjob/core'

import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { companionSections } from './sections.ts'

/** The options of every command with a registry. */
export interface RegistryFlags {
  readonly servers?: string
  readonly namespace?: string
  /** The file to read the registry from. */
  readonly file?: string
  /** How long to try, in seconds. */
  readonly timeout?: number
}

/** The default file. */
export const usualFile = 'elasticjob.yaml'

/** How long a command tries to reach the registry, in seconds: a person waits for it. */
export const usualTimeout = 5

type Surroundings = Pick<Terminal, 'environment' | 'directory'>

/** Everything needed to connect, or an error that says what is missing and how to set it. */
export function resolveRegistry(flags: RegistryFlags, around: Surroundings): RegistryOptions {
  const listed = givenRegistry(flags, around.environment)
  const isComplete = listed.servers !== undefined && listed.namespace !== undefined
  const file = flags.file === undefined && isComplete ? undefined : fileRegistry(flags.file, around)
  // A password in the file belongs to the servers of the file: it is not sent to other servers.
  const isFileMeant = listed.servers === undefined || flags.file !== undefined
  const found: Partial<RegistryOptions> = {
    connectionTimeoutMilliseconds: usualTimeout * 1000,
    ...(isFileMeant ? file : file && { namespace: file.namespace }),
    ...listed,
  }
  if (found.servers === undefined && found.serverLists === undefined) throw missing('servers')
  const { namespace } = found
  if (namespace === undefined) throw missing('namespace')
  return { ...found, namespace }
}

/** The values of options and variables only. */
export function givenRegistry(
  flags: RegistryFlags,
  environment: Terminal['environment'],
): Partial<RegistryOptions> {
  const servers = flags.servers ?? given(environment['ELASTICJOB_SERVERS'])
  const namespace = flags.namespace ?? given(environment['ELASTICJOB_NAMESPACE'])
  const digest = given(environment['ELASTICJOB_DIGEST'])
  return {
    // Java's key for the same, which a file may use, must not remain as a second value.
    ...(servers === undefined ? {} : { servers, serverLists: undefined }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(digest === undefined ? {} : { digest }),
    ...(flags.timeout === undefined ? {} : { connectionTimeoutMilliseconds: flags.timeout * 1000 }),
  }
}

/** The registry section of a file; empty if an optional file is absent. */
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
      `cannot read the file ${path}: ${(cause as Error).message}`,
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
      ? 'no registry: no ZooKeeper servers are configured'
      : 'no namespace is configured'
  const others =
    what === 'servers'
      ? ['', 'If there is no ZooKeeper yet, start one on this machine with `elasticjob zookeeper`.']
      : []
  return new CommandError(
    'CLI_REGISTRY_MISSING',
    [
      `${why}. Set one of these:`,
      `  --${what} ${example}`,
      `  ELASTICJOB_${what.toUpperCase()}=${example} in the environment`,
      `  ${what}: ${example} in the section registry of ./${usualFile}`,
      ...others,
    ].join('\n'),
  )
}

/** An empty variable counts as not set. */
function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
