import { ConfigurationError, ElasticJobError, type Problem } from '../errors.ts'
import { problemOfPath } from '../node-path.ts'
import { millisecondsOf } from './duration.ts'
import {
  registryDefaults,
  type RegistryOptions,
  type ResolvedRegistryOptions,
} from './registry-options.ts'
import { problemsOfEach } from './refusal.ts'
import { suggest } from './suggest.ts'

/** Fills in the defaults; throws all problems of the given options. */
export function resolveRegistry(options: RegistryOptions): ResolvedRegistryOptions {
  const problems = problemsOfRegistry({ ...options })
  if (problems.length > 0) throw new ConfigurationError('the registry', problems)
  const servers = serversOf(options)
  if (servers === '') throw noServers()
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as RegistryOptions
  const { serverLists: _alias, tls, ...rest } = given
  return Object.freeze({
    ...registryDefaults,
    ...(rest as Omit<ResolvedRegistryOptions, 'tls'>),
    servers,
    // In Java 0 means the default.
    sessionTimeoutMilliseconds:
      given.sessionTimeoutMilliseconds || registryDefaults.sessionTimeoutMilliseconds,
    connectionTimeoutMilliseconds:
      given.connectionTimeoutMilliseconds || registryDefaults.connectionTimeoutMilliseconds,
    serverTickTime: millisecondsOf(given.serverTickTime ?? registryDefaults.serverTickTime),
    abortTime: millisecondsOf(given.abortTime ?? registryDefaults.abortTime),
    tls: typeof tls === 'object' ? tls : tls === true ? {} : undefined,
  })
}

/** The error for missing servers; it explains how to start a registry. */
function noServers(): ElasticJobError {
  return new ElasticJobError(
    'JOB_REGISTRY_UNREACHABLE',
    [
      'no registry: the option servers names no ZooKeeper server, such as "127.0.0.1:2181".',
      'For development, tests or a single machine there is an embedded one, in @elasticjob/zookeeper-server:',
      "  import { startServer } from '@elasticjob/zookeeper-server'",
      '  const server = await startServer({ port: 2181 })',
    ].join('\n'),
  )
}

function serversOf({ servers = '', serverLists = '' }: RegistryOptions): string {
  const list = typeof servers === 'string' ? [servers] : servers
  return [...list, serverLists]
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .join(',')
}

/** All problems of registry options, except missing servers. */
export function problemsOfRegistry(options: Readonly<Record<string, unknown>>): Problem[] {
  const problems = problemsOfEach(options, problemOf)
  if (options['namespace'] === undefined) {
    problems.push({ key: 'namespace', message: 'it is missing: the node below which jobs stand' })
  }
  if (options['servers'] !== undefined && options['serverLists'] !== undefined) {
    problems.push({
      key: 'serverLists',
      message: 'it is another name for servers; give one of them',
    })
  }
  if (
    options['localPropertiesOverwrite'] === true &&
    options['localPropertiesPath'] === undefined
  ) {
    problems.push({
      key: 'localPropertiesOverwrite',
      message: 'it needs localPropertiesPath, which is missing',
    })
  }
  return problems
}

const leastOf: Readonly<Record<string, number>> = Object.freeze({
  baseSleepTimeMilliseconds: 1,
  maxSleepTimeMilliseconds: 1,
  maxRetries: 0,
  sessionTimeoutMilliseconds: 0,
  connectionTimeoutMilliseconds: 0,
})

const otherKeys = [
  'serverTickTime',
  'abortTime',
  'servers',
  'serverLists',
  'namespace',
  'digest',
  'sasl',
  'tls',
  'localPropertiesPath',
  'localPropertiesOverwrite',
]

function problemOf(key: string, value: unknown): string | undefined {
  const least = Object.hasOwn(leastOf, key) ? leastOf[key] : undefined
  if (least !== undefined) return problemOfNumber(value, least)
  switch (key) {
    case 'serverTickTime':
    case 'abortTime':
      return problemOfNumber(millisecondsOf(value), 1, value)
    case 'servers':
      return isText(value) || (Array.isArray(value) && value.every(isText))
        ? problemOfServers(String(value))
        : 'it must be a text such as "127.0.0.1:2181", or a list of such'
    case 'serverLists':
      return isText(value) ? problemOfServers(value) : 'it must be a text such as "127.0.0.1:2181"'
    case 'namespace':
      return problemOfNamespace(value)
    case 'digest':
      return isText(value) && /^[^:]+:./.test(value) ? undefined : 'it must be name:password'
    case 'sasl':
      return problemOfSasl(value)
    case 'tls':
      return typeof value === 'boolean' || (typeof value === 'object' && value !== null)
        ? undefined
        : "it must be true, false or Node's options for TLS"
    case 'localPropertiesPath':
      return isText(value) && value !== '' ? undefined : 'it must be the path of a file'
    case 'localPropertiesOverwrite':
      return typeof value === 'boolean' ? undefined : 'it must be true or false'
    case 'overwrite':
      return 'a job has this option; for a file of properties it is localPropertiesOverwrite'
    default:
      return `there is no such option${suggest(key, [...otherKeys, ...Object.keys(leastOf)])}`
  }
}

/** The message does not repeat the value: it may contain a password. */
function problemOfServers(servers: string): string | undefined {
  const [list = ''] = servers.split('/')
  return list.includes('@')
    ? 'it has an "@": a user and a password go into digest or sasl, not into the list'
    : undefined
}

function problemOfSasl(value: unknown): string | undefined {
  const form = 'it must be a username and a password'
  if (typeof value !== 'object' || value === null) return form
  const { username, password, ...others } = value as Readonly<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) {
    return `${form}; there is no "${other}" in it${suggest(other, ['username', 'password'])}`
  }
  return isText(username) && username !== '' && isText(password) && password !== ''
    ? undefined
    : form
}

function problemOfNumber(
  value: unknown,
  least: number,
  given: unknown = value,
): string | undefined {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) < 2 ** 31) {
    return undefined
  }
  return `it must be a whole number from ${least} on, not ${String(given)}`
}

function problemOfNamespace(value: unknown): string | undefined {
  if (!isText(value) || value === '') return 'it must be the name of a node, such as shop'
  if (value.startsWith('/')) return 'it begins with "/"; write the name without it'
  if (value.endsWith('.state'))
    return 'it ends in ".state": that is where other namespaces keep theirs'
  const problem = problemOfPath(`/${value}`)
  return problem === undefined ? undefined : `it cannot be the name of a node: ${problem}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
