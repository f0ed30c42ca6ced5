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

/** Who asks for a write. */
export interface Requester {
  readonly sessionId: bigint
  readonly identities: readonly AclId[]
}

/** What a server allows beyond the tree itself. */
export interface WritePolicy {
  /** Whether nodes with a time to live may be created. */
  readonly allowTtl: boolean
  /** Whether the hard limits of quotas are kept. */
  readonly enforceQuota: boolean
  /** Whether this many more bytes still fit. */
  fits(bytes: number): boolean
}

/** A change that is possible, or the number of the error that stands against it. */
export type Prepared = NodeChange | number

/** Which request asked for a node, as that decides what kind of node it will be. */
export type CreateForm = 'plain' | 'container' | 'ttl'

/** The ttl of requests that have none. */
export const noTtl = -1n

// The order of the checks in each function is the real server's: it decides which of several errors
// a client gets to see.

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
  if (isOverQuota(view, policy, path, bytes, 1) || !policy.fits(bytes + path.length)) {
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
  if (isOverQuota(view, policy, path, growth, 0) || (growth > 0 && !policy.fits(growth))) {
    return serverError.QUOTA_EXCEEDED
  }
  if (!isVersion(version, node.version)) return serverError.BAD_VERSION
  return { kind: 'setData', path, data, version: (node.version + 1) | 0 }
}

export function prepareSetAcl(
  view: TreeView,
  requester: Requester,
  request: SetAclRequest,
): Prepared {
  const { path } = request
  if (!isValidPath(path)) return serverError.BAD_ARGUMENTS
  const acl = resolveAcl(request.acl, requester.identities)
  if (acl === undefined) return serverError.INVALID_ACL
  const node = permittedNode(view, requester, path, permission.admin)
  if (typeof node === 'number') return node
  if (!isVersion(request.version, node.aclVersion)) return serverError.BAD_VERSION
  return { kind: 'setAcl', path, acl, version: (node.aclVersion + 1) | 0 }
}

/** 0 if the node is there in this version, or the number of the error. */
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

/** Ten digits, as Java formats them: the count of creations wraps around, and then has a sign. */
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
