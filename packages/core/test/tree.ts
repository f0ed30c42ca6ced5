import { openAcl, type TransactionPart } from '@elasticjob/zookeeper'

import type { OwnedItem } from '../src/execution/plan.ts'
import { decodeEpoch, encodeEpoch, type Epoch, noEpoch } from '../src/job-tree/epoch.ts'
import {
  decodeItemWord,
  encodeItemWord,
  type ItemWord,
  neverRun,
} from '../src/job-tree/item-word.ts'
import { isJavaInstance, serverOf } from '../src/job-tree/instance-id.ts'
import type { Absence, Gap, ItemNodes, JobView } from '../src/job-tree/job-view.ts'
import { decodeJobWord, encodeJobWord, type JobWord, noJobWord } from '../src/job-tree/job-word.ts'
import { itemNumber, locate } from '../src/job-tree/location.ts'
import type { Member } from '../src/job-tree/member.ts'
import { type ItemMark, JobPaths, StatePaths } from '../src/job-tree/paths.ts'
import { nodeMaker } from '../src/registry/node-maker.ts'
import { digestOf, type ShardingInputs } from '../src/sharding/needs.ts'
import { type Outcome, TreeServer } from './tree-server.ts'

/** Who takes part: one instance on each of three hosts, in the order of their ids, and one of Java's. */
export const x = '10.0.0.1@-@11-xxxxxxxx'
export const y = '10.0.0.2@-@12-yyyyyyyy'
export const z = '10.0.0.3@-@13-zzzzzzzz'
export const java = '10.0.0.9@-@99'

/** The id of the n-th of many instances, each on a host of its own. */
export function instanceNumber(n: number): string {
  return `10.1.${Math.floor(n / 250)}.${(n % 250) + 1}@-@${n}-abcdefgh`
}

const namespace = 'ns'
const strategy = 'AVG_ALLOCATION'

/** A job as it stands, said in as few words as the situation needs. */
export interface Situation {
  readonly jobName?: string
  readonly instances?: readonly string[]
  /** Instances of ours that have given up their node while their session lives on. */
  readonly leaving?: readonly string[]
  /** What the operator has said; ENABLED where nothing is said, no node for undefined. */
  readonly servers?: Readonly<Record<string, string | undefined>>
  readonly leader?: string
  /** The owner of each item, in its node and in the epoch; one without an owner is an empty item. */
  readonly owners?: readonly (string | undefined)[]
  /** Items that go to somebody else when their run ends. */
  readonly moving?: Readonly<Record<number, string>>
  /** What the last resharding came from, where it differs from what stands here; false if there was none. */
  readonly dealt?: (Partial<ShardingInputs> & { readonly among?: readonly string[] }) | false
  readonly epochVersion?: number
  readonly marks?: Readonly<Record<number, Partial<Record<ItemMark, string>>>>
  /** What the words of items say. */
  readonly words?: Readonly<Record<number, Partial<ItemWord>>>
  /** What the word of the job says; no node for false. */
  readonly word?: Partial<JobWord> | false
  readonly config?: string
  readonly necessary?: boolean
  readonly processing?: boolean
  /** The server that `next-job-instance-ip` names. */
  readonly turn?: string
  /** Java instances whose nodes are away. */
  readonly absent?: Readonly<Record<string, Absence>>
  /** Instances of Java that were away for a moment, and are back. */
  readonly gaps?: Readonly<Record<string, Gap>>
  readonly waitingForFailover?: readonly number[]
  readonly triggers?: readonly string[]
}

/** A job on a server of its own. */
export class JobTree {
  readonly server: TreeServer
  readonly paths: JobPaths
  readonly state: StatePaths = new StatePaths(namespace)
  readonly jobName: string
  readonly absences: ReadonlyMap<string, Absence>
  gaps: ReadonlyMap<string, Gap> = new Map()

  constructor(
    jobName: string,
    server: TreeServer,
    absences: ReadonlyMap<string, Absence> = new Map(),
  ) {
    this.jobName = jobName
    this.server = server
    this.absences = absences
    this.paths = new JobPaths(namespace, this.state, jobName)
  }

  member(instance: string): Member {
    const { paths } = this
    return { instance, ip: serverOf(instance), paths, make: nodeMaker(openAcl) }
  }

  /** The same once more, for trying what would happen. */
  fork(): JobTree {
    return new JobTree(this.jobName, this.server.fork(), this.absences)
  }

  apply(operations: readonly TransactionPart[], instance: string): Outcome {
    return this.server.apply(operations, instance)
  }

  join(instance: string): void {
    const { server, state, paths } = this
    server.put(state.aliveNode(instance), '', { session: instance })
    server.put(paths.instance(instance), '', { session: instance })
    const node = paths.server(serverOf(instance))
    if (server.get(node) === undefined) server.put(node, 'ENABLED')
  }

  itemWord(item: number): ItemWord | undefined {
    const node = this.server.get(this.paths.itemWord(item))
    return node === undefined ? undefined : decodeItemWord(node.text)
  }

  /** An item as its owner has read it. */
  owned(item: number): OwnedItem {
    const node = this.server.get(this.paths.itemWord(item))
    return {
      item,
      ownerVersion: this.server.get(this.paths.owner(item))?.version ?? -1,
      created: this.server.get(this.paths.item(item))?.ctime ?? 0,
      word: this.itemWord(item),
      wordVersion: node?.version ?? -1,
    }
  }

  /** What the nodes say of who owns each item. */
  get ownerNodes(): (string | undefined)[] {
    const owners: (string | undefined)[] = []
    for (const item of this.view.items.keys()) {
      owners[item] = this.server.get(this.paths.owner(item))?.text
    }
    return Array.from(owners)
  }

  /** What a replica of the job shows. */
  get view(): JobView {
    const { server, paths, state, jobName } = this
    const text = (path: string): string | undefined => server.get(path)?.text
    const leader = server.get(paths.leaderInstance)
    const epoch = server.get(paths.epoch)
    const necessary = server.get(paths.necessary)
    const turn = server.get(paths.nextInstanceIp)
    const word = server.get(paths.word)
    const config = server.get(paths.config)
    const numbers = (path: string): number[] =>
      server
        .children(path)
        .map(itemNumber)
        .filter((item) => item !== undefined)
    const below = server.paths.filter((path) => path.startsWith(`${paths.root}/`))
    const folders = below
      .map((path) => locate(path.slice(paths.root.length + 1)))
      .filter((location) => location?.kind === 'folder')
    const items = numbers(paths.items).map((item) => [item, this.#nodesOf(item)] as const)
    const view: JobView = {
      jobName,
      config: config && { text: config.text, version: config.version, mtime: config.mtime },
      instances: new Set(server.children(paths.instances)),
      absences: this.absences,
      gaps: this.gaps,
      alive: new Set(server.children(state.alive)),
      servers: new Map(
        server.children(paths.servers).map((ip) => [ip, text(paths.server(ip)) ?? '']),
      ),
      leader: leader && { instance: leader.text, version: leader.version },
      epoch: epoch && { value: decodeEpoch(epoch.text), version: epoch.version },
      necessary: necessary && { czxid: necessary.czxid, ctime: necessary.ctime },
      lastFlag: necessary?.ctime,
      processing: server.get(paths.processing) !== undefined,
      failoverItems: new Set(numbers(paths.failoverItems)),
      items: new Map(items),
      readsOwners: this.#isJavaHere(),
      turn: turn && { ip: turn.text, ctime: turn.ctime },
      triggers: new Map(
        server.children(paths.triggers).map((name) => [name, text(paths.trigger(name)) ?? '']),
      ),
      word: word && { value: decodeJobWord(word.text), version: word.version },
      folders: new Set(folders.map(({ path }) => path)),
    }
    return view.readsOwners ? view : withoutNames(view)
  }

  #nodesOf(item: number): ItemNodes {
    const { server, paths } = this
    const owner = server.get(paths.owner(item))
    const mark = (name: ItemMark): string | undefined => server.get(paths.mark(item, name))?.text
    return {
      hasOwner: owner !== undefined,
      owner: owner && { instance: owner.text, version: owner.version, czxid: owner.czxid },
      running: mark('running') !== undefined,
      runner: mark('running'),
      misfire: mark('misfire') !== undefined,
      disabled: mark('disabled') !== undefined,
      failover: mark('failover'),
      failovering: mark('failovering'),
    }
  }

  #isJavaHere(): boolean {
    const { server, paths } = this
    const texts = server.paths
      .filter((path) => path.startsWith(paths.items) || path === paths.leaderInstance)
      .map((path) => server.get(path)?.text ?? '')
    const away = [...this.absences].filter(([, { isFinal }]) => !isFinal).map(([name]) => name)
    return [...server.children(paths.instances), ...texts, ...away].some(isJavaInstance)
  }
}

/** Without Java the replica reads no owners and no runners: the epoch says it all. */
function withoutNames(view: JobView): JobView {
  const items = [...view.items].map(
    ([item, nodes]) => [item, { ...nodes, owner: undefined, runner: undefined }] as const,
  )
  return { ...view, items: new Map(items) }
}

export function jobTree(situation: Situation = {}): JobTree {
  const { jobName = 'job', instances = [], leaving = [], owners = [], marks = {} } = situation
  const server = new TreeServer()
  const tree = new JobTree(jobName, server, new Map(Object.entries(situation.absent ?? {})))
  tree.gaps = new Map(Object.entries(situation.gaps ?? {}))
  const { paths, state } = tree
  for (const folder of [
    ...state.folders,
    paths.instances,
    paths.servers,
    paths.election,
    paths.items,
    paths.failoverItems,
  ]) {
    server.put(folder)
  }
  for (const instance of instances) tree.join(instance)
  for (const instance of leaving) server.put(state.aliveNode(instance), '', { session: instance })
  for (const [ip, text] of Object.entries(situation.servers ?? {})) {
    if (text === undefined) server.drop(paths.server(ip))
    else server.put(paths.server(ip), text)
  }
  const { leader } = situation
  if (leader !== undefined) {
    server.put(paths.leaderInstance, leader, {
      session: leader,
      version: isJavaInstance(leader) ? 0 : 1,
    })
  }
  for (const [item, owner] of owners.entries()) {
    server.put(paths.item(item))
    if (owner !== undefined) server.put(paths.owner(item), owner)
  }
  server.put(paths.epoch, encodeEpoch(epochOf(situation)), { version: situation.epochVersion ?? 1 })
  for (const [item, names] of Object.entries(marks)) {
    for (const [mark, text] of Object.entries(names)) {
      server.put(paths.mark(Number(item), mark as ItemMark), text, { session: text })
    }
  }
  server.put(paths.words)
  for (const [item, word] of Object.entries(situation.words ?? {})) {
    server.put(paths.itemWord(Number(item)), encodeItemWord({ ...neverRun, ...word }))
  }
  if (situation.word !== false)
    server.put(paths.word, encodeJobWord({ ...noJobWord, ...situation.word }))
  if (situation.config !== undefined) server.put(paths.config, situation.config)
  if (situation.necessary === true) server.put(paths.necessary)
  if (situation.processing === true) server.put(paths.processing)
  if (situation.turn !== undefined) server.put(paths.nextInstanceIp, situation.turn)
  for (const item of situation.waitingForFailover ?? []) server.put(paths.failoverItem(item))
  for (const instance of situation.triggers ?? []) server.put(paths.trigger(instance))
  return tree
}

/** The view alone, of a job that nobody changes. */
export function viewOf(situation: Situation): JobView {
  return jobTree(situation).view
}

function epochOf({
  instances = [],
  servers = {},
  owners = [],
  moving = {},
  dealt = {},
}: Situation): Epoch {
  if (dealt === false) return noEpoch
  const available = instances.filter((instance) => servers[serverOf(instance)] !== 'DISABLED')
  const inputs = { total: owners.length, strategy, ...dealt }
  const moves = Object.entries(moving).map(([item, to]) => [Number(item), to] as const)
  return { digest: digestOf(dealt.among ?? available, inputs), owners, moving: new Map(moves) }
}
