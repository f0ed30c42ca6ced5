import {
  type Acl,
  type AclId,
  addWatchMode,
  type JuteReader,
  type JuteWriter,
  opCode,
  operations,
  permission,
  serverError,
} from '@elasticjob/zookeeper/protocol'
import { isPermitted } from '../acl/access.ts'
import { describeIdentity } from '../acl/schemes.ts'
import type { Peer } from '../peer.ts'
import type { DataTree } from '../tree/data-tree.ts'
import { type TreeNode, writeStat } from '../tree/node.ts'
import { writeErrorResult, writeResultHeader, writeResultsEnd } from './multi-results.ts'
import type { WatchMode } from '../watch/watch-table.ts'
import type { Watches } from '../watch/watches.ts'

const watchModes = new Map<number, WatchMode>([
  [addWatchMode.persistent, 'persistent'],
  [addWatchMode.persistentRecursive, 'recursive'],
])

/** Answers requests that need no transaction: reads, and everything about watches. */
export class Reads {
  readonly #tree: DataTree
  readonly #watches: Watches
  readonly #maxWatches: number

  constructor(tree: DataTree, watches: Watches, maxWatches: number) {
    this.#tree = tree
    this.#watches = watches
    this.#maxWatches = maxWatches
  }

  /**
   * Writes the body of the answer, or returns an error number; discard the output then. Undefined for any
   * other request.
   */
  answer(type: number, peer: Peer, reader: JuteReader, writer: JuteWriter): number | undefined {
    switch (type) {
      case opCode.getData:
        return this.#getData(peer, reader, writer)
      case opCode.exists:
        return this.#exists(peer, reader, writer)
      case opCode.getChildren:
        return this.#getChildren(peer, reader, writer, false)
      case opCode.getChildren2:
        return this.#getChildren(peer, reader, writer, true)
      case opCode.getAcl:
        return this.#getAcl(peer, reader, writer)
      case opCode.sync:
        // A single server has no leader to catch up with: echo the path.
        writer.string(reader.string())
        return 0
      case opCode.multiRead:
        return this.#multiRead(peer, reader, writer)
      case opCode.getEphemerals:
        return this.#getEphemerals(peer, reader, writer)
      case opCode.getAllChildrenNumber:
        return this.#getAllChildrenNumber(peer, reader, writer)
      case opCode.whoAmI:
        operations.whoAmI.writeReply(writer, peer.identities.map(describeIdentity))
        return 0
      case opCode.addWatch:
        return this.#addWatch(peer, reader, writer)
      case opCode.checkWatches:
        return this.#checkWatches(reader)
      case opCode.removeWatches:
        return this.#removeWatches(peer, reader)
      default:
        return undefined
    }
  }

  /**
   * Sets the watches of a reconnected client. Separate from the other reads because missed events are sent
   * before the answer.
   */
  setWatches(type: number, peer: Peer, reader: JuteReader): number {
    const operation = type === opCode.setWatches ? operations.setWatches : operations.setWatches2
    const request = operation.readRequest(reader)
    if (this.#watches.size >= this.#maxWatches) return serverError.QUOTA_EXCEEDED
    this.#watches.restore(request, this.#tree, peer)
    return 0
  }

  #getData(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    const { path, watch } = operations.getData.readRequest(reader)
    const node = this.#readable(path, peer.identities)
    if (typeof node === 'number') return node
    if (watch && !this.#watch('data', path, peer)) return serverError.QUOTA_EXCEEDED
    writeData(writer, node)
    return 0
  }

  #exists(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    const { path, watch } = operations.exists.readRequest(reader)
    if (path.includes('\0')) return serverError.BAD_ARGUMENTS
    if (watch && !this.#watch('data', path, peer)) return serverError.QUOTA_EXCEEDED
    const node = this.#tree.get(path)
    if (node === undefined) return serverError.NO_NODE
    writeStat(writer, node)
    return 0
  }

  #getChildren(peer: Peer, reader: JuteReader, writer: JuteWriter, withStat: boolean): number {
    const { path, watch } = operations.getChildren.readRequest(reader)
    const node = this.#readable(path, peer.identities)
    if (typeof node === 'number') return node
    if (watch && !this.#watch('children', path, peer)) return serverError.QUOTA_EXCEEDED
    writeChildren(writer, node)
    if (withStat) writeStat(writer, node)
    return 0
  }

  #getAcl({ identities }: Peer, reader: JuteReader, writer: JuteWriter): number {
    const { path } = operations.getAcl.readRequest(reader)
    const node = this.#tree.get(path)
    if (node === undefined) return serverError.NO_NODE
    if (!isPermitted(node.acl, permission.read | permission.admin, identities)) {
      return serverError.NO_AUTH
    }
    const isAdmin = isPermitted(node.acl, permission.admin, identities)
    const acl = isAdmin ? node.acl : node.acl.map(withoutPassword)
    writer.int(acl.length)
    for (const { permissions, id } of acl) {
      writer.int(permissions)
      writer.string(id.scheme)
      writer.string(id.id)
    }
    writeStat(writer, node)
    return 0
  }

  /** A multi-read sets no watches, whatever its parts request. */
  #multiRead(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    for (const { type, path } of operations.multiRead.readRequest(reader)) {
      const node = this.#readable(path, peer.identities)
      if (typeof node === 'number') {
        writeErrorResult(writer, node)
      } else {
        writeResultHeader(writer, type)
        if (type === opCode.getData) writeData(writer, node)
        else writeChildren(writer, node)
      }
    }
    writeResultsEnd(writer)
    return 0
  }

  #getEphemerals(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    const prefix = reader.string() ?? ''
    const isAll = prefix.trim() === '' || prefix.trim() === '/'
    const paths = [...this.#tree.ephemeralsOf(peer.sessionId)]
    operations.getEphemerals.writeReply(
      writer,
      isAll ? paths : paths.filter((path) => path.startsWith(prefix)),
    )
    return 0
  }

  #getAllChildrenNumber(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    const { path } = operations.getAllChildrenNumber.readRequest(reader)
    const node = this.#readable(path, peer.identities)
    if (typeof node === 'number') return node
    // Under its alias the root counts itself: Apache ZooKeeper counts all paths that begin with `/`.
    writer.int(this.#tree.countDescendants(path) + (path === '' ? 1 : 0))
    return 0
  }

  #addWatch(peer: Peer, reader: JuteReader, writer: JuteWriter): number {
    const { path, mode } = operations.addWatch.readRequest(reader)
    const watchMode = watchModes.get(mode)
    if (watchMode === undefined) return serverError.MARSHALLING_ERROR
    if (this.#watches.size >= this.#maxWatches) return serverError.QUOTA_EXCEEDED
    this.#watches.addBoth(path, peer, watchMode)
    operations.addWatch.writeReply(writer, 0)
    return 0
  }

  #checkWatches(reader: JuteReader): number {
    const { path, type } = operations.checkWatches.readRequest(reader)
    return watchResult(this.#watches.check(path, type))
  }

  #removeWatches(peer: Peer, reader: JuteReader): number {
    const { path, type } = operations.removeWatches.readRequest(reader)
    return watchResult(this.#watches.remove(path, type, peer))
  }

  #watch(table: 'data' | 'children', path: string, peer: Peer): boolean {
    if (this.#watches.size >= this.#maxWatches && !this.#watches[table].has(path, peer))
      return false
    this.#watches[table].add(path, peer, 'oneShot')
    return true
  }

  #readable(path: string, identities: readonly AclId[]): TreeNode | number {
    const node = this.#tree.get(path)
    if (node === undefined) return serverError.NO_NODE
    return isPermitted(node.acl, permission.read, identities) ? node : serverError.NO_AUTH
  }
}

function writeData(writer: JuteWriter, node: TreeNode): void {
  writer.buffer(node.data)
  writeStat(writer, node)
}

function writeChildren(writer: JuteWriter, node: TreeNode): void {
  writer.int(node.childCount)
  if (node.children === undefined) return
  for (const name of node.children) writer.string(name)
}

function watchResult(found: boolean | undefined): number {
  if (found === undefined) return serverError.MARSHALLING_ERROR
  return found ? 0 : serverError.NO_WATCHER
}

/** A client that may read an ACL but not change it does not see password hashes. */
function withoutPassword(acl: Acl): Acl {
  if (acl.id.scheme !== 'digest') return acl
  return { ...acl, id: { scheme: 'digest', id: acl.id.id.replace(/:.*/, ':x') } }
}
