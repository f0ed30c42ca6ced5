/** A job as it stands, read once: what plans and states are made from. */
import type { Epoch } from '../job-tree/epoch.ts'
import { decodeEpoch } from '../job-tree/epoch.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { decodeItemWord, type ItemWord } from '../job-tree/item-word.ts'
import type { ItemNodes, JobView, OwnerNode, Versioned } from '../job-tree/job-view.ts'
import { decodeJobWord, type JobWord } from '../job-tree/job-word.ts'
import { itemNumber } from '../job-tree/location.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import type { NodeReader, NodeText } from './node-reader.ts'

export interface JobSnapshot {
  /**
   * As plans see it. Nobody is away for a moment here: of a Java instance that is not there an operator
   * knows no more than that.
   */
  readonly view: JobView
  readonly paths: JobPaths
  /** Whether the job's own node is there; of one that was removed in part only the words may be left. */
  readonly exists: boolean
  /** What is known of the runs of the items; read in full only. */
  readonly words: ReadonlyMap<number, Versioned<ItemWord>>
  /** What stands on the nodes of the instances; read in full only. */
  readonly instanceTexts: ReadonlyMap<string, string>
}

/** How much is read: `brief` is enough for the state of a job and of its servers. */
export type Extent = 'brief' | 'full'

export async function readSnapshot(
  reader: NodeReader,
  jobName: string,
  paths: JobPaths,
  alive: ReadonlySet<string>,
  extent: Extent,
): Promise<JobSnapshot> {
  const [root, config, word, leader, epoch, instances, servers, items] = await Promise.all([
    reader.children(paths.root),
    reader.get(paths.config),
    reader.get(paths.word),
    reader.get(paths.leaderInstance),
    reader.get(paths.epoch),
    reader.children(paths.instances),
    reader.children(paths.servers),
    reader.children(paths.items),
  ])
  const numbers = (items ?? []).map(itemNumber).filter((item) => item !== undefined)
  // Under a leader of ours one node says who owns what; Java leaves that one as it was.
  const isOurs = leader !== undefined && !isJavaInstance(leader.text) && !isEmpty(epoch)
  const readsOwners = !isOurs || (instances ?? []).some(isJavaInstance)
  const [said, nodes, more, texts] = await Promise.all([
    readAll(servers ?? [], (ip) => reader.get(paths.server(ip))),
    readAll(numbers, (item) => readItem(reader, paths, item, extent, readsOwners)),
    extent === 'full' ? readMore(reader, paths, numbers) : nothingMore,
    readAll(extent === 'full' ? (instances ?? []) : [], (one) => reader.get(paths.instance(one))),
  ])
  const view: JobView = {
    jobName,
    config: config && {
      text: config.text,
      version: config.stat.version,
      mtime: Number(config.stat.mtime),
    },
    instances: new Set(instances),
    absences: new Map(),
    gaps: new Map(),
    alive,
    servers: textsOf(said),
    leader: leader && { instance: leader.text, version: leader.stat.version },
    epoch: epoch && { value: decodeEpoch(epoch.text), version: epoch.stat.version },
    items: nodes,
    readsOwners,
    turn: undefined,
    word: versioned(word, decodeJobWord),
    ...more.view,
  }
  const exists = root !== undefined
  return { view, paths, exists, words: more.words, instanceTexts: textsOf(texts) }
}

function textsOf(nodes: ReadonlyMap<string, NodeText>): Map<string, string> {
  return new Map([...nodes].map(([name, { text }]) => [name, text]))
}

function isEmpty(epoch: NodeText | undefined): boolean {
  return epoch === undefined || epoch.text === ''
}

interface More {
  readonly view: Pick<
    JobView,
    'necessary' | 'lastFlag' | 'processing' | 'failoverItems' | 'triggers' | 'folders'
  >
  readonly words: ReadonlyMap<number, Versioned<ItemWord>>
}

const nothingMore: More = {
  view: {
    necessary: undefined,
    lastFlag: undefined,
    processing: false,
    failoverItems: new Set(),
    triggers: new Map(),
    folders: new Set(),
  },
  words: new Map(),
}

async function readMore(
  reader: NodeReader,
  paths: JobPaths,
  items: readonly number[],
): Promise<More> {
  const [necessary, processing, failoverItems, triggers, written] = await Promise.all([
    reader.get(paths.necessary),
    reader.get(paths.processing),
    reader.children(paths.failoverItems),
    reader.children(paths.triggers),
    readAll(items, (item) => reader.get(paths.itemWord(item))),
  ])
  const flag = necessary && { czxid: necessary.stat.czxid, ctime: Number(necessary.stat.ctime) }
  const waiting = (failoverItems ?? []).map(itemNumber).filter((item) => item !== undefined)
  const words = [...written].map(
    ([item, node]) => [item, versioned(node, decodeItemWord) as Versioned<ItemWord>] as const,
  )
  return {
    view: {
      necessary: flag,
      lastFlag: flag?.ctime,
      processing: processing !== undefined,
      failoverItems: new Set(waiting),
      triggers: new Map((triggers ?? []).map((instance) => [instance, ''])),
      folders: new Set(triggers === undefined ? [] : ['trigger']),
    },
    words: new Map(words),
  }
}

async function readItem(
  reader: NodeReader,
  paths: JobPaths,
  item: number,
  extent: Extent,
  readsOwners: boolean,
): Promise<ItemNodes | undefined> {
  if (extent === 'brief') {
    const owner = readsOwners ? ownerNode(await reader.get(paths.owner(item))) : undefined
    return { ...noMarks, hasOwner: !readsOwners || owner !== undefined, owner }
  }
  const names = await reader.children(paths.item(item))
  if (names === undefined) return undefined
  const textOf = async (
    name: 'running' | 'failover' | 'failovering',
  ): Promise<string | undefined> =>
    names.includes(name) ? (await reader.get(paths.mark(item, name)))?.text : undefined
  const [owner, runner, failover, failovering] = await Promise.all([
    readsOwners && names.includes('instance') ? reader.get(paths.owner(item)) : undefined,
    readsOwners ? textOf('running') : undefined,
    textOf('failover'),
    textOf('failovering'),
  ])
  return {
    hasOwner: names.includes('instance'),
    owner: ownerNode(owner),
    running: names.includes('running'),
    runner,
    misfire: names.includes('misfire'),
    disabled: names.includes('disabled'),
    failover,
    failovering,
  }
}

const noMarks: ItemNodes = {
  hasOwner: false,
  owner: undefined,
  running: false,
  runner: undefined,
  misfire: false,
  disabled: false,
  failover: undefined,
  failovering: undefined,
}

function ownerNode(node: NodeText | undefined): OwnerNode | undefined {
  return node && { instance: node.text, version: node.stat.version, czxid: node.stat.czxid }
}

function versioned<T extends Epoch | JobWord | ItemWord>(
  node: NodeText | undefined,
  decode: (text: string) => T,
): Versioned<T> | undefined {
  return node && { value: decode(node.text), version: node.stat.version }
}

/** Those that are there, by what they were asked by. */
async function readAll<Key, Value>(
  keys: readonly Key[],
  ask: (key: Key) => Promise<Value | undefined>,
): Promise<Map<Key, Value>> {
  const values = await Promise.all(keys.map(ask))
  const found = new Map<Key, Value>()
  for (const [index, key] of keys.entries()) {
    const value = values[index]
    if (value !== undefined) found.set(key, value)
  }
  return found
}
