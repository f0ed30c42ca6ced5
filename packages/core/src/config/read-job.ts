import { isMap, isScalar, isSeq, type Node } from 'yaml'
import { ElasticJobError } from '../errors.ts'
import { message } from '../message.ts'
import { type JobConfiguration, jobDefaults, jobKeys } from './job-configuration.ts'
import { problemOfShardCount } from './job-limits.ts'
import { isLegacyJson, readLegacyJob } from './legacy-json.ts'
import { isNothing, textOf, YamlDocument, YamlProblem } from './snake-yaml/document.ts'
import { javaText } from './snake-yaml/java-text.ts'
import { toFlag, toInteger } from './snake-yaml/plain-scalar.ts'
import { yamlTextOf } from './snake-yaml/yaml-text.ts'
import type { StoredJob } from './stored-job.ts'

/** Java's values for missing keys: the defaults of its fields, not of its builder. */
const absent: typeof jobDefaults = Object.freeze({
  ...jobDefaults,
  monitorExecution: false,
  misfire: false,
  reconcileIntervalMinutes: 0,
})

/** The name of the pool setting up to 3.0.4. */
export const olderPoolKey = 'jobExecutorServiceHandlerType'

/**
 * Reads a configuration from the registry: YAML as Java 3.x reads it, or the JSON of 2.x. Accepts everything that Java
 * accepts, including unknown keys.
 * @param source the origin of the text, for the message if it cannot be read
 */
export function readJob(text: string, source: string): StoredJob {
  try {
    return isLegacyJson(text) ? readLegacyJob(text) : readYaml(text)
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    const { reason, line, column } = error
    throw new ElasticJobError(
      'JOB_CONFIGURATION_UNREADABLE',
      message('configuration-unreadable', { source, reason, line, column }),
      error,
    )
  }
}

function readYaml(text: string): StoredJob {
  const document = new YamlDocument(text)
  const { root } = document
  if (isNothing(root)) throw document.problem(message('configuration-empty'), root)
  if (!isMap(root)) throw document.problem(message('configuration-not-mapping'), root)
  const values: Record<string, unknown> = {}
  for (const { key, value } of document.entriesOf(root)) {
    const name = key === olderPoolKey ? 'jobExecutorThreadPoolSizeProviderType' : key
    if (!Object.hasOwn(jobKeys, name)) continue
    const read = readField(document, name as keyof JobConfiguration, value)
    if (read === undefined) delete values[name]
    else values[name] = read
  }
  const configuration = { ...absent, ...values } as JobConfiguration
  if (!configuration.jobName) throw document.problem(message('job-name-missing'), root)
  const wrong = problemOfShardCount(configuration.shardingTotalCount)
  if (wrong !== undefined) throw document.problem(wrong, root)
  const cron = configuration.cron === '' ? undefined : configuration.cron
  return {
    configuration: { ...configuration, cron },
    jobClass: undefined,
    jobType: undefined,
    warnings: [],
  }
}

function readField(
  document: YamlDocument,
  key: keyof JobConfiguration,
  node: Node | undefined,
): unknown {
  switch (jobKeys[key]) {
    case 'text':
      return isNothing(node) ? undefined : readText(document, key, node)
    case 'flag':
      return readFlag(document, key, node)
    case 'number':
      return readNumber(document, key, node)
    case 'texts':
      return elementsOf(document, key, node)
        .filter((element) => !isNothing(element))
        .map((element) => readText(document, key, element))
    case 'extras':
      return elementsOf(document, key, node).map((element) => yamlTextOf(document, element))
    case 'props':
      return readProps(document, node)
  }
}

function readText(document: YamlDocument, key: string, node: Node | undefined): string {
  if (isScalar(node)) return textOf(node)
  throw document.problem(message('key-not-text', { key }), node)
}

function readFlag(document: YamlDocument, key: string, node: Node | undefined): boolean {
  const text = isScalar(node) ? textOf(node) : ''
  const flag = toFlag(text)
  if (flag !== undefined) return flag
  throw document.problem(message('key-not-flag', { key, text }), node)
}

const intLimit = 2n ** 31n

function readNumber(document: YamlDocument, key: string, node: Node | undefined): number {
  const text = isScalar(node) ? textOf(node) : ''
  const number = toInteger(text)
  if (number !== undefined && number >= -intLimit && number < intLimit) return Number(number)
  throw document.problem(message('key-not-int32', { key, text }), node)
}

function elementsOf(document: YamlDocument, key: string, node: Node | undefined): Node[] {
  if (isNothing(node)) return []
  if (!isSeq(node)) throw document.problem(message('key-not-list', { key }), node)
  return node.items.map((element) => document.follow(element as Node) as Node)
}

function readProps(document: YamlDocument, node: Node | undefined): Record<string, string> {
  if (isNothing(node) || (isSeq(node) && node.items.length === 0)) return {}
  if (!isMap(node)) throw document.problem(message('props-not-mapping'), node)
  return Object.fromEntries(
    document
      .entriesOf(node)
      .filter(({ value }) => !isNothing(value))
      .map(({ key, value }) => [key, javaText(document, value)]),
  )
}
