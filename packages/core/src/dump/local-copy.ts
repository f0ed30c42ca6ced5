/** Where the local copy of a job says something else than the registry. */
import { isWithin } from '@elasticjob/zookeeper'

import { decodeEpoch, encodeEpoch } from '../job-tree/epoch.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { decodeJobWord, encodeJobWord } from '../job-tree/job-word.ts'
import { locate } from '../job-tree/location.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import type { TreeNode } from './read-tree.ts'

/** What the copy says of a node: its text, or nothing of it if only its being there is known. */
type Copy = ReadonlyMap<string, string | undefined>

/** What the copy says of a node that is different; both are empty if it does not know of the node. */
export interface CopiedNode {
  readonly path: string
  readonly text: string
}

/** Every node, by its path, of which the copy says something else; those that it alone has come last. */
export function differencesOf(
  nodes: readonly TreeNode[],
  view: JobView,
  paths: JobPaths,
): Map<string, CopiedNode> {
  const copy: Copy = new Map(copiedNodes(view, paths))
  const differences = new Map<string, CopiedNode>()
  for (const { path, text } of nodes) {
    if (!isFollowed(path, paths)) continue
    const copied = copy.get(path)
    if (!copy.has(path)) differences.set(path, { path: '', text: '' })
    else if (copied !== undefined && !isSame(path, text, copied, paths)) {
      differences.set(path, { path, text: copied })
    }
  }
  const existing = new Set(nodes.map(({ path }) => path))
  for (const [path, text] of copy) {
    if (!existing.has(path)) differences.set(path, { path, text: text ?? '' })
  }
  return differences
}

/** Latches, offsets and the words of items are not part of the copy. */
function isFollowed(path: string, paths: JobPaths): boolean {
  if (path === paths.word) return true
  if (path === paths.root || !isWithin(path, paths.root)) return false
  return locate(path.slice(paths.root.length + 1)) !== undefined
}

/** Two words are the same if they say the same, in whatever order they do so. */
function isSame(path: string, text: string, copied: string, paths: JobPaths): boolean {
  if (path === paths.word) return encodeJobWord(decodeJobWord(text)) === copied
  if (path === paths.epoch) return encodeEpoch(decodeEpoch(text)) === copied
  return text === copied
}

function* copiedNodes(view: JobView, paths: JobPaths): Generator<[string, string | undefined]> {
  for (const folder of view.folders) {
    if (folder !== '') yield [`${paths.root}/${folder}`, undefined]
  }
  const { config, leader, epoch, turn, word } = view
  if (config !== undefined) yield [paths.config, config.text]
  if (leader !== undefined) yield [paths.leaderInstance, leader.instance]
  if (epoch !== undefined) yield [paths.epoch, encodeEpoch(epoch.value)]
  if (turn !== undefined) yield [paths.nextInstanceIp, turn.ip]
  if (word !== undefined) yield [paths.word, encodeJobWord(word.value)]
  if (view.necessary !== undefined) yield [paths.necessary, undefined]
  if (view.processing) yield [paths.processing, undefined]
  for (const instance of view.instances) yield [paths.instance(instance), undefined]
  for (const [ip, text] of view.servers) yield [paths.server(ip), text]
  for (const [instance, text] of view.triggers) yield [paths.trigger(instance), text]
  for (const item of view.failoverItems) yield [paths.failoverItem(item), undefined]
  yield* copiedItems(view, paths)
}

function* copiedItems(view: JobView, paths: JobPaths): Generator<[string, string | undefined]> {
  for (const [item, nodes] of view.items) {
    yield [paths.item(item), undefined]
    if (nodes.hasOwner) yield [paths.owner(item), nodes.owner?.instance]
    if (nodes.running) yield [paths.mark(item, 'running'), nodes.runner]
    if (nodes.misfire) yield [paths.mark(item, 'misfire'), undefined]
    if (nodes.disabled) yield [paths.mark(item, 'disabled'), undefined]
    for (const mark of ['failover', 'failovering'] as const) {
      if (nodes[mark] !== undefined) yield [paths.mark(item, mark), nodes[mark]]
    }
  }
}
