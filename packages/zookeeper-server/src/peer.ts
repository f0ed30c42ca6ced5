import { type Acl, type AclId, opCode, permission } from '@elasticjob/zookeeper/protocol'
import { isPermitted } from './acl/access.ts'
import type { Notifications } from './notifications.ts'
import type { Requester } from './request/prepare.ts'
import type { LiveSession } from './session/session-table.ts'
import type { Watcher } from './watch/watch-table.ts'

/** The way back to a client. */
export interface PeerLink {
  /** Sends a frame. Others may be sent the same bytes: they are not to be changed. */
  send(frame: Uint8Array): void
  /** Ends the connection once everything that was said has gone out. */
  close(): void
  /** Ends the connection at once. */
  drop(): void
}

/** One client's connection, as the core sees it. */
export class Peer implements Watcher, Requester {
  readonly link: PeerLink
  /** The client's IP address. */
  readonly address: string
  readonly #notifications: Notifications
  /** Who the client has proven to be; its address to begin with. */
  identities: readonly AclId[]
  /** Absent before the handshake, and again once the session was closed. */
  session: LiveSession | undefined
  /** Whether the connection is over or about to be: no further request is taken from it. */
  isClosed = false
  /** Its last request, and in which session. */
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

  /** Tells of a change, unless the client may not read the node that changed. */
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
