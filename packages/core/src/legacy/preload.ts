/**
 * A registry filled from a `.properties` file, whose keys are paths below the namespace: what 1.x calls
 * `localPropertiesPath`. All of it is checked before anything is written, and written as a whole.
 */
import { readFile } from 'node:fs/promises'

import { decodeProperties, type Property, readProperties } from '../config/properties-file.ts'
import { readJob } from '../config/read-job.ts'
import type { RegistryOptions, ResolvedRegistryOptions } from '../config/registry-options.ts'
import { resolveRegistry } from '../config/resolve-registry.ts'
import { ConfigurationError, ElasticJobError, type Problem } from '../errors.ts'
import { ancestorsOf, problemOfPath } from '../node-path.ts'
import { messageOf } from '../thrown.ts'
import { bytesOf, maximumBytes } from '../registry/committer.ts'
import { connect, type Environment } from '../registry/connect.ts'
import { readNodes } from '../registry/read-nodes.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { type NodeContent, part, toText, type TransactionPart } from '../registry/transaction.ts'

/** What became of the keys of a file. */
export interface PreloadResult {
  /** Keys whose nodes were not there. */
  readonly created: readonly string[]
  /** Keys whose nodes had another value, or none. */
  readonly overwritten: readonly string[]
  /** Keys whose nodes are as they were. */
  readonly kept: readonly string[]
}

type PreloadClient = Pick<RegistryClient, 'transact' | 'read'>

/** How many lost races against other writers are retried before an error is thrown. */
const attempts = 10

/** Fills the registry from a file, and ends the connection that it takes. */
export async function preloadRegistry(
  options: RegistryOptions,
  path: string,
  environment: Environment = {},
): Promise<PreloadResult> {
  const registry = resolveRegistry({ ...options, localPropertiesPath: path })
  const properties = await readPreload(path, registry.namespace)
  const client = await connect(registry, environment)
  try {
    return await preload(client, registry, properties)
  } finally {
    await client.close()
  }
}

/** What the file says; throws all that is wrong with it. */
export async function readPreload(path: string, namespace: string): Promise<readonly Property[]> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    const reason = messageOf(cause)
    throw new ElasticJobError(
      'JOB_CONFIGURATION_UNREADABLE',
      `localPropertiesPath: ${path} cannot be read: ${reason}`,
      cause,
    )
  })
  const properties = readProperties(decodeProperties(bytes), path)
  const problems = properties.flatMap((property) => problemsOf(property, namespace))
  if (problems.length > 0) throw new ConfigurationError(path, problems)
  return properties
}

function problemsOf({ key, value, line }: Property, namespace: string): Problem[] {
  const message = problemOfKey(key, namespace) ?? problemOfValue(key, value)
  return message === undefined ? [] : [{ key, message: `${message} (line ${line})` }]
}

function problemOfKey(key: string, namespace: string): string | undefined {
  if (!key.startsWith('/')) return 'it must begin with "/": it is a path below the namespace'
  return problemOfPath(`/${namespace}${key}`)
}

/** A configuration that no instance can read would keep all of them from starting. */
function problemOfValue(key: string, value: string): string | undefined {
  if (/\p{Surrogate}/u.test(value)) return 'it contains half of a character (a lone surrogate)'
  const [, jobName] = /^\/([^/]+)\/config$/.exec(key) ?? []
  if (jobName === undefined || value === '') return undefined
  try {
    const stored = readJob(value, key).configuration.jobName
    return stored === jobName ? undefined : `it is the configuration of a job "${stored}"`
  } catch (error) {
    if (error instanceof ElasticJobError) return error.message
    throw error
  }
}

/**
 * Creates the nodes that are missing; those that are there are overwritten if they are empty, or if
 * `localPropertiesOverwrite` says so.
 */
export async function preload(
  client: PreloadClient,
  registry: ResolvedRegistryOptions,
  properties: readonly Property[],
): Promise<PreloadResult> {
  let losses = 0
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await preloadOnce(client, registry, properties)
    } catch (error) {
      // Others do the same at this moment, or something else with these nodes: look at what came of it.
      if (
        isRegistryError(error, 'REGISTRY_NODE_EXISTS', 'REGISTRY_BAD_VERSION', 'REGISTRY_NO_NODE')
      )
        continue
      // All of it may be done twice.
      const isLoss = isRegistryError(error, 'REGISTRY_CONNECTION_LOSS', 'REGISTRY_NOT_CONNECTED')
      losses += 1
      if (!isLoss || losses > registry.maxRetries) throw error
    }
  }
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `${registry.localPropertiesPath} could not be put into the registry: others change the same nodes all the time`,
  )
}

async function preloadOnce(
  client: PreloadClient,
  registry: ResolvedRegistryOptions,
  properties: readonly Property[],
): Promise<PreloadResult> {
  const { namespace, localPropertiesOverwrite: overwrite } = registry
  const root = `/${namespace}`
  const paths = properties.flatMap(({ key }) => [...ancestorsOf(root + key), root + key])
  const existing = await readNodes((parts) => client.read(parts), [...new Set(paths)])
  const { parts, result } = planPreload(root, properties, existing, overwrite)
  if (bytesOf(parts) > maximumBytes) {
    throw new ElasticJobError(
      'JOB_TRANSACTION_TOO_LARGE',
      `${registry.localPropertiesPath} has ${bytesOf(parts)} bytes to write; at most ${maximumBytes} are safe in one transaction: make several files of it`,
    )
  }
  if (parts.length > 0) await client.transact(parts)
  return result
}

/** The transaction that is missing, and what it comes to. */
function planPreload(
  root: string,
  properties: readonly Property[],
  existing: ReadonlyMap<string, NodeContent>,
  overwrite: boolean,
): { readonly parts: readonly TransactionPart[]; readonly result: PreloadResult } {
  const created: string[] = []
  const overwritten: string[] = []
  const kept: string[] = []
  const values = new Map(properties.map(({ key, value }) => [root + key, value]))
  const missing = new Set<string>()
  const sets: TransactionPart[] = []
  for (const { key, value } of properties) {
    const path = root + key
    const node = existing.get(path)
    if (node === undefined) {
      for (const each of [...ancestorsOf(path), path]) if (!existing.has(each)) missing.add(each)
      created.push(key)
    } else if ((overwrite || node.data.length === 0) && toText(node.data) !== value) {
      sets.push(part.set(path, value, node.stat.version))
      overwritten.push(key)
    } else {
      kept.push(key)
    }
  }
  // Parents first: a path comes behind all of which it is an extension.
  const creations = [...missing].toSorted((a, b) => a.split('/').length - b.split('/').length)
  return {
    parts: [...creations.map((path) => part.create(path, values.get(path) ?? '')), ...sets],
    result: { created, overwritten, kept },
  }
}
