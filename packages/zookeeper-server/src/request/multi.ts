import { type MultiPart, opCode, serverError } from '@elasticjob/zookeeper/protocol'
import type { NodeChange } from '../transaction.ts'
import { createMode } from './create-mode.ts'
import {
  noTtl,
  prepareCheck,
  prepareCreate,
  type Prepared,
  prepareDelete,
  prepareSetData,
  type Requester,
  type WritePolicy,
} from './prepare.ts'
import { PendingView, type TreeView } from './tree-view.ts'

/** The part that fails a multi, and its error. */
export interface FailedMulti {
  readonly error: number
  readonly at: number
}

/** The changes of a multi's parts (none for a check), or why it failed. */
export type PreparedMulti = { readonly changes: readonly (NodeChange | undefined)[] } | FailedMulti

/**
 * Checks the parts of a multi in order. Undefined if a part is malformed: Apache ZooKeeper then fails the
 * whole request.
 */
export function prepareMulti(
  tree: TreeView,
  requester: Requester,
  policy: WritePolicy,
  parts: readonly MultiPart[],
): PreparedMulti | undefined {
  const view = new PendingView(tree)
  const changes: (NodeChange | undefined)[] = []
  for (const [at, part] of parts.entries()) {
    const prepared = preparePart(view, requester, policy, part)
    if (prepared === undefined) return undefined
    if (typeof prepared !== 'number') {
      view.record(prepared)
      changes.push(prepared)
    } else if (prepared === 0) {
      changes.push(undefined)
    } else {
      return { error: prepared, at }
    }
  }
  return { changes }
}

function preparePart(
  view: TreeView,
  requester: Requester,
  policy: WritePolicy,
  part: MultiPart,
): Prepared | undefined {
  switch (part.type) {
    case opCode.delete:
      return prepareDelete(view, requester, part)
    case opCode.setData:
      return prepareSetData(view, requester, policy, part)
    case opCode.check:
      return prepareCheck(view, requester, part)
    case opCode.create:
    case opCode.create2:
    case opCode.createContainer: {
      const mode = createMode(part.flags)
      // Within a multi the flags decide, not the type; a TTL node without its TTL field is malformed.
      if (mode?.hasTtl === true) return undefined
      const form = mode?.isContainer === true ? 'container' : 'plain'
      return prepareCreate(view, requester, policy, form, part, noTtl)
    }
    case opCode.createTtl: {
      const mode = createMode(part.flags)
      if (mode?.hasTtl === true) {
        return prepareCreate(view, requester, policy, 'ttl', part, part.ttl)
      }
      const form = mode?.isContainer === true ? 'container' : 'plain'
      return prepareCreate(view, requester, policy, form, part, noTtl)
    }
    default:
      return serverError.UNIMPLEMENTED
  }
}
