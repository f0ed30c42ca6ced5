import type { CreateOptions } from './client.ts'
import { isZooKeeperError, ZooKeeperError } from './errors.ts'
import type { Children, Created } from './jute/node-operations.ts'
import type { Stat } from './jute/records.ts'
import { childOf, nameOf, parentOf } from './paths.ts'
import { type Random, uuid } from './random.ts'
import type { RequestOptions } from './session/pending-call.ts'

/** The client methods used here. */
export interface ProtectedCreator {
  readonly sessionId: bigint
  create(path: string, data: Uint8Array, options: CreateOptions): Promise<Created>
  children(path: string, options?: RequestOptions): Promise<Children>
  exists(path: string, options?: RequestOptions): Promise<Stat | undefined>
  catchUp(options?: RequestOptions): Promise<void>
}

/**
 * Creates a node whose name begins with a unique prefix, in Curator's format. If the connection is lost
 * before the answer arrives, the prefix shows whether the node exists, so the create is resolved and never
 * repeated blindly.
 */
export async function createProtected(
  client: ProtectedCreator,
  { random }: { random: Random },
  path: string,
  data: Uint8Array,
  options: CreateOptions,
): Promise<Created> {
  const parent = parentOf(path)
  const prefix = `_c_${uuid(random)}-`
  const unique = childOf(parent, prefix + nameOf(path))
  for (;;) {
    try {
      return await client.create(unique, data, options)
    } catch (error) {
      if (!isZooKeeperError(error) || !error.outcomeUnknown) throw error
      const { sessionId } = client
      const found = await findCreated(client, parent, prefix, options).catch((reason: unknown) => {
        throw isZooKeeperError(reason) ? unresolved(path, reason) : reason
      })
      if (options.mode === 'ephemeral' && client.sessionId !== sessionId) {
        // The old session took its node with it, and the caller asked for a node of that session.
        throw new ZooKeeperError('ZK_SESSION_EXPIRED', `create ${path}: the session expired`, {
          operation: 'create',
          path,
        })
      }
      if (found !== undefined) return found
    }
  }
}

async function findCreated(
  client: ProtectedCreator,
  parent: string,
  prefix: string,
  options: RequestOptions,
): Promise<Created | undefined> {
  const { signal, timeout } = options
  const request: RequestOptions = {
    whileDisconnected: 'wait',
    ...(signal === undefined ? {} : { signal }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  for (;;) {
    try {
      // The current server may lag behind the one that received the create, or the create may still be on its
      // way through the quorum.
      await client.catchUp(request)
      const { children } = await client.children(parent, request)
      const name = children.find((child) => child.startsWith(prefix))
      if (name === undefined) return undefined
      const path = childOf(parent, name)
      const stat = await client.exists(path, request)
      return stat === undefined ? undefined : { path, stat }
    } catch (error) {
      if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
      // The lookup failed with the old session; the new session can answer it as well.
      if (!isZooKeeperError(error, 'ZK_SESSION_EXPIRED')) throw error
    }
  }
}

/** The error of a create whose outcome could not be found out. */
function unresolved(path: string, cause: ZooKeeperError): ZooKeeperError {
  return new ZooKeeperError(
    cause.code,
    `create ${path}: the connection was lost and the outcome is unknown, because the lookup failed: ${cause.message}`,
    { operation: 'create', path, outcomeUnknown: true, cause },
  )
}
