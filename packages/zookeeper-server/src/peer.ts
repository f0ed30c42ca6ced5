import { type Acl, type AclId, opCode, permission } from '@elasticjob/zookeeper/protocol'
import { isPermitted } from './acl/access.ts'
import type { Notifications } from './notifications.ts'
import type { Requester } from './request/prepare.ts'
import type { LiveSession } from './session/session-table.ts'
import type { Watcher } from './watch/watch-table.ts'

/** The output side of a client's connection. */
export interface PeerLink {
  /** Sends a frame. The bytes may be shared with other clients and must not be modified. */
  send(frame: Uint8Array): void
  /** Closes the connection once all output is sent. */
  close(): void
  drop(): void
}

/** One client's connection, as the core sees it. */
export class Peer implements Watcher, Requester {
  readonly link: PeerLink
  readonly address: string
  readonly #notifications: Notifications
  /** The authenticated identities; initially only the address. */
  identities: readonly AclId[]
  /** Undefined before the handshake, and after the session was closed. */
  session: LiveSession | undefined
  /** Whether the connection is closed or closing: the server accepts no further request from it. */
  isClosed = false
  /** Its last request and that request's session. */
  lastXid = 0
  lastType: number = opCode.createSession
  lastSessionId = 0n

  constructor(link: PeerLink, address: string, notifications: Notifications) {
    this.link = link
    this.address = address
    this.#notifications = notifications
    this.identities = [{ scheme: 'ip', id: address }]
  }

  get sessionId(): bigint {
    return this.session?.sessionId ?? 0n
  }

  addIdentity(identity: AclId): void {
    const { scheme, id } = identity
    if (this.identities.some((known) => known.scheme === scheme && known.id === id)) return
    this.identities = [...this.identities, identity]
  }

  /** Sends a notification, unless the client has no read permission for the changed node. */
  notify(type: number, path: string, acl: readonly Acl[]): void {
    if (!isPermitted(acl, permission.read, this.identities)) return
    this.#notifications.deliver(this, type, path)
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.link.close()
  }

  drop(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.link.drop()
  }
}
