/** Plans the conversion of a job of Elastic-Job 1.x or 2.x to the current form. */
import { checkJob } from '../config/check-job.ts'
import { effective } from '../config/effective.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { writeJob } from '../config/job-yaml.ts'
import { isLegacyFields, readLegacyFields } from '../config/legacy-fields.ts'
import { isLegacyJson } from '../config/legacy-json.ts'
import { readJob } from '../config/read-job.ts'
import {
  formatShardingItemParameters,
  parseShardingItemParameters,
} from '../config/sharding-item-parameters.ts'
import { identityOf, type StoredJob } from '../config/stored-job.ts'
import type { TreeNode } from '../legacy/dump/read-tree.ts'
import { ConfigurationError, ElasticJobError } from '../errors.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import { nameOf, parentOf } from '../node-path.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** The form of a configuration: a node for each value (1.x), JSON (2.x), or the current YAML. */
export type ConfigurationForm = '1.x' | '2.x' | 'today'

export interface ImportPlan {
  readonly form: ConfigurationForm
  readonly configuration: JobConfiguration
  /** The data of `config` after the import. */
  readonly yaml: string
  /** The data of the job's root node after the import: the class, or the type of a script. */
  readonly rootText: string
  readonly jobType: string | undefined
  /** Settings without a counterpart or with another meaning, and steps to do by hand. */
  readonly notes: readonly string[]
  /** Servers and instances of the old version that still take part. */
  readonly living: readonly string[]
  /** The transaction; empty if the configuration already has the current form. */
  readonly parts: readonly TransactionPart[]
  /** Nodes that only 1.x uses, children before their parents. */
  readonly oldNodes: readonly string[]
}

/** The root node of a job and all its descendants. */
export class JobNodes {
  readonly paths: JobPaths
  readonly #nodes = new Map<string, TreeNode>()
  readonly #children = new Map<string, TreeNode[]>()

  constructor(nodes: readonly TreeNode[], paths: JobPaths) {
    this.paths = paths
    for (const node of nodes) {
      this.#nodes.set(node.path, node)
      const siblings = this.#children.get(parentOf(node.path))
      if (siblings === undefined) this.#children.set(parentOf(node.path), [node])
      else siblings.push(node)
    }
  }

  get(path: string): TreeNode | undefined {
    return this.#nodes.get(path)
  }

  childrenOf(path: string): readonly TreeNode[] {
    return this.#children.get(path) ?? []
  }

  /** A node and all its descendants, children before their parents. */
  subtreeOf(path: string): TreeNode[] {
    const node = this.get(path)
    const below = this.childrenOf(path).flatMap((child) => this.subtreeOf(child.path))
    return node === undefined ? below : [...below, node]
  }
}

/** Throws if there is no configuration, or if it cannot be imported. */
export function planImport(jobName: string, nodes: JobNodes): ImportPlan {
  const { paths } = nodes
  const config = nodes.get(paths.config)
  if (config === undefined) throw unreadable(`there is no configuration at ${paths.config}`)
  const fields = nodes.childrenOf(paths.config)
  const form = formOf(
    config.text,
    fields.map(({ path }) => nameOf(path)),
  )
  const stored = read(jobName, form, config, fields)
  const { repeats, ...readable } =
    form === 'today' ? { ...stored, repeats: [] } : withoutRepeats(stored)
  const { configuration, warnings } = effective(readable.configuration)
  if (form !== 'today') requireValid(jobName, form, configuration)
  const yaml = form === 'today' ? config.text : writeJob(configuration)
  const root = nodes.get(paths.root)?.text ?? ''
  const rootText = root.trim() === '' && form !== 'today' ? identityOf(stored) : root
  const plan = { form, configuration, yaml, rootText, jobType: stored.jobType }
  return {
    ...plan,
    notes: [
      ...[...stored.warnings, ...warnings].map(({ text }) => text),
      ...repeats,
      ...classNotes(configuration),
      ...serverNotes(nodes),
    ],
    living: livingOf(nodes),
    parts: form === 'today' ? [] : partsOf(nodes, config, fields, yaml, rootText),
    oldNodes: oldNodesOf(nodes),
  }
}

/** Removes repeated shard parameters. Old versions use the last one; the current version refuses them. */
function withoutRepeats(stored: StoredJob): StoredJob & { readonly repeats: readonly string[] } {
  const { configuration } = stored
  const { parameters, problems, repeated } = parseShardingItemParameters(
    configuration.shardingItemParameters,
  )
  // With any other problem, the whole text is refused unchanged.
  if (repeated.size === 0 || problems.length > repeated.size) return { ...stored, repeats: [] }
  const { text } = formatShardingItemParameters(Object.fromEntries(parameters))
  return {
    ...stored,
    configuration: { ...configuration, shardingItemParameters: text },
    repeats: [...repeated].map(
      (shard) =>
        `shardingItemParameters names shard ${shard} more than once: its last parameter "${parameters.get(shard)}" is kept, which is the one that the old version used`,
    ),
  }
}

function requireValid(jobName: string, form: string, configuration: JobConfiguration): void {
  const problems = [...checkJob({ ...configuration }).problems]
  if (configuration.jobName !== jobName) {
    problems.push({ key: 'jobName', message: `it is "${configuration.jobName}"` })
  }
  if (problems.length === 0) return
  throw new ConfigurationError(`the configuration of job "${jobName}" from ${form}`, problems)
}

/** @param names the names of the child nodes of `config` */
export function formOf(text: string, names: readonly string[]): ConfigurationForm {
  if (isLegacyJson(text)) return '2.x'
  return text.trim() === '' && isLegacyFields(names) ? '1.x' : 'today'
}

function read(
  jobName: string,
  form: ConfigurationForm,
  config: TreeNode,
  fields: readonly TreeNode[],
): StoredJob {
  if (form !== '1.x') return readJob(config.text, config.path)
  const values = Object.fromEntries(fields.map(({ path, text }) => [nameOf(path), text]))
  return readLegacyFields(jobName, values, config.path)
}

function partsOf(
  nodes: JobNodes,
  config: TreeNode,
  fields: readonly TreeNode[],
  yaml: string,
  rootText: string,
): TransactionPart[] {
  const { paths } = nodes
  const root = nodes.get(paths.root)
  return [
    ...fields.map(({ path, version }) => part.check(path, version)),
    part.set(config.path, yaml, config.version),
    ...(root === undefined || root.text === rootText
      ? []
      : [part.set(root.path, rootText, root.version)]),
    ...nodes
      .childrenOf(paths.servers)
      .filter(({ path, text }) => nodes.get(`${path}/disabled`) !== undefined && text === '')
      .map(({ path, version }) => part.set(path, 'DISABLED', version)),
  ]
}

/** Notes about Java classes that have to be rewritten. */
function classNotes({ jobShardingStrategyType, jobErrorHandlerType }: JobConfiguration): string[] {
  const notes: string[] = []
  if (jobShardingStrategyType?.includes('.') === true) {
    notes.push(
      `the sharding strategy ${jobShardingStrategyType} is a class: give ElasticJob.connect() a strategy of this name, or choose another`,
    )
  }
  if (jobErrorHandlerType?.includes('.') === true) {
    notes.push(
      `the error handler ${jobErrorHandlerType} is a class: give ElasticJob.connect() a handler of this name, or choose another`,
    )
  }
  return notes
}

/** Notes about the server settings of 1.x, which are nodes below the server. */
function serverNotes(nodes: JobNodes): string[] {
  return nodes.childrenOf(nodes.paths.servers).flatMap(({ path, text }) => {
    const has = (name: string): boolean => nodes.get(`${path}/${name}`) !== undefined
    const server = nameOf(path)
    return [
      ...(has('disabled') && text === '' ? [`server ${server} was disabled, and stays so`] : []),
      ...(has('paused') || has('stoped')
        ? [`server ${server} was paused: pause it again before its instances start`]
        : []),
      ...(has('trigger')
        ? [
            `server ${server} was asked to run the job now (trigger), which is not carried over: trigger the job once it is imported`,
          ]
        : []),
      ...(has('shutdown')
        ? [
            `server ${server} was shut down by an operator, which is not carried over: its instances take part again when they start`,
          ]
        : []),
    ]
  })
}

/**
 * The living servers and instances. A server of 1.x has a status while it is alive; the node of a 2.x instance does not
 * contain its own id.
 */
function livingOf(nodes: JobNodes): string[] {
  const { paths } = nodes
  const servers = nodes
    .childrenOf(paths.servers)
    .filter(({ path }) => nodes.get(`${path}/status`) !== undefined)
  const instances = nodes
    .childrenOf(paths.instances)
    .filter(({ path, text }) => isJavaInstance(nameOf(path)) && /^(TRIGGER)?$/.test(text))
  return [...servers, ...instances].map(({ path }) => nameOf(path))
}

function oldNodesOf(nodes: JobNodes): string[] {
  const { paths } = nodes
  const tops = [
    ...nodes.childrenOf(paths.config).map(pathOf),
    ...nodes.childrenOf(paths.servers).flatMap(({ path }) => nodes.childrenOf(path).map(pathOf)),
    `${paths.root}/execution`,
    `${paths.leader}/execution`,
    `${paths.election}/host`,
  ]
  return tops.flatMap((path) => nodes.subtreeOf(path).map(pathOf))
}

function pathOf({ path }: TreeNode): string {
  return path
}

function unreadable(message: string): ElasticJobError {
  return new ElasticJobError('JOB_CONFIGURATION_UNREADABLE', message)
}
