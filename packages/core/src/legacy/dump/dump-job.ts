/**
 * The tree of a job as text, one line for each node, in the format of Java's snapshot service: `path | data`, and `path
 * | data | local path | local data` where the local replica differs.
 */
import { maskYaml } from '../../config/mask-configuration.ts'
import { JobPaths, StatePaths } from '../../job-tree/paths.ts'
import type { JobReplica } from '../../job-tree/replica.ts'
import { isWithin } from '../../node-path.ts'
import type { ReadParts } from '../../registry/read-nodes.ts'
import { maskText } from '../../secrets.ts'
import { type CopiedNode, differencesOf } from './local-copy.ts'
import { AddressMask } from './mask.ts'
import { readTree, type TreeNode } from './read-tree.ts'

/** The options of a dump of a job. */
export interface DumpJobOptions {
  /**
   * Whether addresses are replaced by `ip1`, `ip2` …
   * @default true
   */
  readonly mask?: boolean | undefined
}

/** Dumps a job from the registry. The text ends with a line break and is otherwise empty if the job does not exist. */
export async function dumpJob(
  readParts: ReadParts,
  namespace: string,
  jobName: string,
  { mask = true }: DumpJobOptions = {},
): Promise<string> {
  const paths = new JobPaths(namespace, new StatePaths(namespace), jobName)
  return formatDump(await readJobTree(readParts, paths), new Map(), paths, mask)
}

/** Dumps a job that this process takes part in, compared with its local replica. */
export async function dumpComparedJob(readParts: ReadParts, copy: JobReplica): Promise<string> {
  const { nodes, differences } = await compare(readParts, copy)
  return formatDump(nodes, differences, copy.paths, true)
}

/** Reads all nodes of a job: Java's tree, and the nodes that only native instances write. */
async function readJobTree(readParts: ReadParts, paths: JobPaths): Promise<TreeNode[]> {
  const roots = [paths.root, paths.jobState, paths.shardStates, paths.statistics]
  const trees = await Promise.all(roots.map((root) => readTree(readParts, root)))
  return trees.flat()
}

async function compare(
  readParts: ReadParts,
  copy: JobReplica,
): Promise<{ nodes: TreeNode[]; differences: ReadonlyMap<string, CopiedNode> }> {
  const { paths } = copy
  const nodes = await readJobTree(readParts, paths)
  const before = differencesNow(nodes, copy)
  if (before.size === 0) return { nodes, differences: before }
  // A node may change while the others are read. Only a difference that appears twice is real.
  const again = await readJobTree(readParts, paths)
  const after = [...differencesNow(again, copy)].filter(([path]) => before.has(path))
  return { nodes: again, differences: new Map(after) }
}

/** The differences; none while the replica is not synced. */
function differencesNow(nodes: readonly TreeNode[], copy: JobReplica): Map<string, CopiedNode> {
  return copy.isSynced ? differencesOf(nodes, copy, copy.paths) : new Map<string, CopiedNode>()
}

/**
 * The lines of a dump. Paths in Java's tree are relative to the namespace, as in Java; paths of native nodes are
 * absolute.
 */
export function formatDump(
  nodes: readonly TreeNode[],
  differences: ReadonlyMap<string, CopiedNode>,
  paths: JobPaths,
  mask: boolean,
): string {
  const namespace = paths.root.slice(0, paths.root.lastIndexOf('/'))
  const shown = (path: string): string =>
    isWithin(path, namespace) ? path.slice(namespace.length) : path
  // The other nodes hold parameters of manual runs and errors of runs.
  const messageParts = (path: string, text: string): string =>
    path === paths.config ? maskYaml(text) : maskText(text)
  const lines = nodes.map(({ path, text }) => {
    const copied = differences.get(path)
    const local = copied === undefined ? [] : [shown(copied.path), messageParts(path, copied.text)]
    return [shown(path), messageParts(path, text), ...local].join(' | ')
  })
  const existing = new Set(nodes.map(({ path }) => path))
  for (const [path, { text }] of differences) {
    if (!existing.has(path)) lines.push(['', '', shown(path), messageParts(path, text)].join(' | '))
  }
  const addresses = new AddressMask()
  const masked = mask ? lines.map((line) => addresses.mask(line)) : lines
  return `${masked.join('\n')}\n`
}
