import type { Acl, JuteWriter } from '@elasticjob/zookeeper/protocol'
import { writeLong } from '../wire.ts'
import { noOwner, ownerKind } from './owner.ts'

/** The properties of a node that the checks of a write need. */
export interface NodeView {
  readonly acl: readonly Acl[]
  readonly owner: bigint
  readonly version: number
  readonly aclVersion: number
  /** How many children it has ever had; the source of sequence numbers. */
  readonly creations: number
  readonly childCount: number
  readonly dataLength: number
}

/** A node of the tree. Only the tree changes it, and only by applying a transaction. */
export class TreeNode implements NodeView {
  data: Uint8Array | null
  acl: readonly Acl[]
  readonly owner: bigint
  readonly czxid: number
  mzxid: number
  pzxid: number
  readonly ctime: number
  mtime: number
  version = 0
  aclVersion = 0
  creations = 0
  /** The names of the children; undefined if it never had one, which is the most common case. */
  children: Set<string> | undefined = undefined

  constructor(
    data: Uint8Array | null,
    acl: readonly Acl[],
    owner: bigint,
    zxid: number,
    time: number,
  ) {
    this.data = data
    this.acl = acl
    this.owner = owner
    this.czxid = zxid
    this.mzxid = zxid
    this.pzxid = zxid
    this.ctime = time
    this.mtime = time
  }

  get childCount(): number {
    return this.children === undefined ? 0 : this.children.size
  }

  get dataLength(): number {
    return this.data === null ? 0 : this.data.length
  }
}

/** The source of a stat: a node, or a copy of its earlier state. */
export type StatSource = Pick<
  TreeNode,
  | 'czxid'
  | 'mzxid'
  | 'pzxid'
  | 'ctime'
  | 'mtime'
  | 'version'
  | 'aclVersion'
  | 'creations'
  | 'childCount'
  | 'dataLength'
  | 'owner'
>

export function copyStat(node: StatSource, dataLength: number = node.dataLength): StatSource {
  const { czxid, mzxid, pzxid, ctime, mtime, version, aclVersion, creations, owner } = node
  const { childCount } = node
  return {
    czxid,
    mzxid,
    pzxid,
    ctime,
    mtime,
    version,
    aclVersion,
    creations,
    childCount,
    dataLength,
    owner,
  }
}

/** Writes a stat as clients see it: with the number of child changes, and only sessions as owner. */
export function writeStat(writer: JuteWriter, node: StatSource): void {
  const { childCount } = node
  writeLong(writer, node.czxid)
  writeLong(writer, node.mzxid)
  writeLong(writer, node.ctime)
  writeLong(writer, node.mtime)
  writer.int(node.version)
  // Child changes are creations plus deletions, and deletions are the creations less the remaining children.
  writer.int((node.creations * 2 - childCount) | 0)
  writer.int(node.aclVersion)
  writer.long(ownerKind(node.owner) === 'ephemeral' ? node.owner : noOwner)
  writer.int(node.dataLength)
  writer.int(childCount)
  writeLong(writer, node.pzxid)
}
