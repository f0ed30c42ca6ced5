/**
 * Fills a registry from a `.properties` file whose keys are paths below the namespace, like `localPropertiesPath` of
 * 1.x. The whole file is checked first and then written in one transaction.
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

/** The result for the keys of a file. */
export interface PreloadResult {
  /** Keys whose nodes did not exist. */
  readonly created: readonly string[]
  /** Keys whose nodes had another value or were empty. */
  readonly overwritten: readonly string[]
  /** Keys whose nodes were left unchanged. */
  readonly kept: readonly string[]
}

type PreloadClient = Pick<RegistryClient, 'transact' | 'read'>

/** How many lost races against other writers are retried before an error is thrown. */
const attempts = 10

/** Fills the registry from a file over a connection of its own. */
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

/** Reads and checks the file; throws an error with all problems. */
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

/** Checks a value. A configuration that is unreadable would keep every instance from starting. */
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

/** Creates the missing nodes. Overwrites existing nodes if they are empty or `localPropertiesOverwrite` is set. */
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
      // Another process changed these nodes, perhaps by the same preload. Read them again.
      if (
        isRegistryError(error, 'REGISTRY_NODE_EXISTS', 'REGISTRY_BAD_VERSION', 'REGISTRY_NO_NODE')
      )
        continue
      // The preload is idempotent, so it can be retried.
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

/** Plans the transaction for the missing and outdated nodes. */
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
  // Parents first: a path has more segments than its parents.
  const creations = [...missing].toSorted((a, b) => a.split('/').length - b.split('/').length)
  return {
    parts: [...creations.map((path) => part.create(path, values.get(path) ?? '')), ...sets],
    result: { created, overwritten, kept },
  }
}
