import {
  type AclId,
  type CreateRequest,
  permission,
  serverError,
  type SetAclRequest,
  type SetDataRequest,
  type VersionedPathRequest,
} from '@elasticjob/zookeeper/protocol'
import { isPermitted, resolveAcl } from '../acl/access.ts'
import type { NodeChange } from '../transaction.ts'
import { configPath, systemRoot } from '../tree/data-tree.ts'
import type { NodeView } from '../tree/node.ts'
import { containerOwner, maxTtl, noOwner, ownerKind, ttlOwner } from '../tree/owner.ts'
import { isValidPath, parentPath } from '../tree/path.ts'
import { quotaRoot } from '../tree/quota.ts'
import { createMode } from './create-mode.ts'
import type { TreeView } from './tree-view.ts'

/** The client of a write. */
export interface Requester {
  readonly sessionId: bigint
  readonly identities: readonly AclId[]
}

/** The write limits of a server. */
export interface WritePolicy {
  /** Whether nodes with a TTL may be created. */
  readonly allowTtl: boolean
  /** Whether hard quota limits are enforced. */
  readonly enforceQuota: boolean
  /** The maximum total size of paths, data and ACLs, in bytes. */
  readonly maxDataBytes: number
  readonly maxNodes: number
}

/** A valid change, or the error number that rejects it. */
export type Prepared = NodeChange | number

/** The request type that creates a node, which decides its kind. */
export type CreateForm = 'plain' | 'container' | 'ttl'

/** The TTL of requests without one. */
export const noTtl = -1n

// The order of the checks in each function is that of Apache ZooKeeper: it decides which of several errors a
// client sees.

export function prepareCreate(
  view: TreeView,
  requester: Requester,
  policy: WritePolicy,
  form: CreateForm,
  request: CreateRequest,
  ttl: bigint,
): Prepared {
  const mode = createMode(request.flags)
  if (mode === undefined) return serverError.BAD_ARGUMENTS
  if (mode.hasTtl && !policy.allowTtl) return serverError.UNIMPLEMENTED
  if (mode.hasTtl ? ttl <= 0n || ttl > maxTtl : ttl >= 0n || form === 'ttl') {
    return serverError.BAD_ARGUMENTS
  }
  if (!hasParent(request.path)) return serverError.BAD_ARGUMENTS
  const acl = resolveAcl(request.acl, requester.identities)
  if (acl === undefined) return serverError.INVALID_ACL
  const parent = view.get(parentPath(request.path))
  if (parent === undefined) return serverError.NO_NODE
  if (!isPermitted(parent.acl, permission.create, requester.identities)) return serverError.NO_AUTH
  const path = mode.isSequential ? request.path + sequence(parent.creations) : request.path
  if (!isValidPath(path)) return serverError.BAD_ARGUMENTS
  if (view.get(path) !== undefined) return serverError.NODE_EXISTS
  if (ownerKind(parent.owner) === 'ephemeral') return serverError.NO_CHILDREN_FOR_EPHEMERALS
  const bytes = request.data?.length ?? 0
  const growth = path.length + bytes + view.aclGrowth(acl)
  if (isOverQuota(view, policy, path, bytes, 1) || isOverLimit(view, policy, growth, 1)) {
    return serverError.QUOTA_EXCEEDED
  }
  const parentCreations = (parent.creations + 1) | 0
  const owner = ownerFor(form, mode.isEphemeral, requester.sessionId, ttl)
  return { kind: 'create', path, data: request.data, acl, owner, parentCreations }
}

export function prepareDelete(
  view: TreeView,
  requester: Requester,
  { path, version }: VersionedPathRequest,
): Prepared {
  if (!hasParent(path) || isSystemPath(path)) return serverError.BAD_ARGUMENTS
  const parent = view.get(parentPath(path))
  if (parent === undefined) return serverError.NO_NODE
  if (!isPermitted(parent.acl, permission.delete, requester.identities)) return serverError.NO_AUTH
  const node = view.get(path)
  if (node === undefined) return serverError.NO_NODE
  if (!isVersion(version, node.version)) return serverError.BAD_VERSION
  if (node.childCount > 0) return serverError.NOT_EMPTY
  return { kind: 'delete', path }
}

export function prepareSetData(
  view: TreeView,
  requester: Requester,
  policy: WritePolicy,
  { path, data, version }: SetDataRequest,
): Prepared {
  const node = permittedNode(view, requester, path, permission.write)
  if (typeof node === 'number') return node
  const growth = (data?.length ?? 0) - node.dataLength
  if (isOverQuota(view, policy, path, growth, 0) || isOverLimit(view, policy, growth, 0)) {
    return serverError.QUOTA_EXCEEDED
  }
  if (!isVersion(version, node.version)) return serverError.BAD_VERSION
  return { kind: 'setData', path, data, version: (node.version + 1) | 0 }
}

export function prepareSetAcl(
  view: TreeView,
  requester: Requester,
  policy: WritePolicy,
  request: SetAclRequest,
): Prepared {
  const { path } = request
  if (!isValidPath(path)) return serverError.BAD_ARGUMENTS
  const acl = resolveAcl(request.acl, requester.identities)
  if (acl === undefined) return serverError.INVALID_ACL
  const node = permittedNode(view, requester, path, permission.admin)
  if (typeof node === 'number') return node
  if (isOverLimit(view, policy, view.aclGrowth(acl), 0)) return serverError.QUOTA_EXCEEDED
  if (!isVersion(request.version, node.aclVersion)) return serverError.BAD_VERSION
  return { kind: 'setAcl', path, acl, version: (node.aclVersion + 1) | 0 }
}

/** 0 if the node exists in this version, otherwise the error number. */
export function prepareCheck(
  view: TreeView,
  requester: Requester,
  { path, version }: VersionedPathRequest,
): number {
  const node = permittedNode(view, requester, path, permission.read)
  if (typeof node === 'number') return node
  return isVersion(version, node.version) ? 0 : serverError.BAD_VERSION
}

function permittedNode(
  view: TreeView,
  requester: Requester,
  path: string,
  permissions: number,
): NodeView | number {
  if (!isValidPath(path)) return serverError.BAD_ARGUMENTS
  const node = view.get(path)
  if (node === undefined) return serverError.NO_NODE
  return isPermitted(node.acl, permissions, requester.identities) ? node : serverError.NO_AUTH
}

function isVersion(expected: number, actual: number): boolean {
  return expected === -1 || expected === actual
}

function hasParent(path: string): boolean {
  return path.includes('/') && !path.includes('\0')
}

function isSystemPath(path: string): boolean {
  return path === '/' || path === systemRoot || path === quotaRoot || path === configPath
}

function isOverQuota(
  view: TreeView,
  policy: WritePolicy,
  path: string,
  bytes: number,
  count: number,
): boolean {
  return policy.enforceQuota && view.exceedsQuota(path, bytes, count)
}

/** A write that needs no more space is always accepted: a full tree can still shrink. */
function isOverLimit(view: TreeView, policy: WritePolicy, bytes: number, nodes: number): boolean {
  return (
    (bytes > 0 && view.usedBytes + bytes > policy.maxDataBytes) ||
    (nodes > 0 && view.nodeCount + nodes > policy.maxNodes)
  )
}

/** Ten digits, as Java formats them: the counter of creations wraps around and then has a sign. */
function sequence(creations: number): string {
  return creations < 0
    ? `-${String(-creations).padStart(9, '0')}`
    : String(creations).padStart(10, '0')
}

function ownerFor(form: CreateForm, isEphemeral: boolean, sessionId: bigint, ttl: bigint): bigint {
  if (form === 'container') return containerOwner
  if (form === 'ttl') return ttlOwner(ttl)
  return isEphemeral ? sessionId : noOwner
}
