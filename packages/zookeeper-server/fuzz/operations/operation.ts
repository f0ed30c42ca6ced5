/**
 * The operations of the fuzzer as plain data: a run is a list of them, which can be stored in a file and replayed.
 * Operations contain no values of one server (a session id, a zxid): they refer to slots instead.
 */
export type FuzzOperation = Connect | Drop | Expire | CleanUp | Reset | BadFrame | Request

/** A slot is a place for one connection. This many are in use. */
export const slotCount = 4

/** Opens a connection in a slot; the previous connection of the slot is dropped first. */
export interface Connect {
  readonly do: 'connect'
  readonly on: number
  /** Resumes the last session of this slot; absent for a new session. */
  readonly sessionOf?: number
  readonly password: 'right' | 'wrong' | 'empty'
  readonly timeout: number
  /** The zxid that the client claims to have seen. */
  readonly seen: 'nothing' | 'everything' | 'more'
  /** Absent as in requests of old clients. */
  readonly readOnly?: boolean
  readonly damage?: Damage
}

/** Closes the connection of a slot; its session continues. */
interface Drop {
  readonly do: 'drop'
  readonly on: number
}

/** Expires the session of a slot as if its client had been silent for too long. */
interface Expire {
  readonly do: 'expire'
  readonly on: number
}

/** Deletes empty containers and nodes past their TTL. */
interface CleanUp {
  readonly do: 'cleanUp'
}

/** Ends all sessions and deletes all nodes. */
interface Reset {
  readonly do: 'reset'
}

/** A frame that announces an impossible length. */
interface BadFrame {
  readonly do: 'badFrame'
  readonly on: number
  readonly length: number
}

/** A mutation of the bytes of a request. */
export interface Damage {
  /** Removes this many bytes at the end. */
  readonly cut?: number
  /** Appends these bytes, in hexadecimal. */
  readonly add?: string
  /** Replaces this byte, counted from the end. */
  readonly set?: readonly [at: number, value: number]
}

/** A request to the server of a slot. */
export type Request = RequestBody & {
  readonly on: number
  /** @default the next of the connection */
  readonly xid?: number
  readonly damage?: Damage
  /** Whether the next request on the same slot is sent without waiting for the answer to this one. */
  readonly isPipelined?: boolean
}

/** [permissions, scheme, id] */
export type AclEntry = readonly [number, string, string]

interface Create {
  readonly do: 'create' | 'create2' | 'createContainer'
  readonly path: string
  readonly data: string | null
  readonly acl: readonly AclEntry[]
  readonly flags: number
}

interface CreateTtl extends Omit<Create, 'do'> {
  readonly do: 'createTtl'
  readonly ttl: number
}

interface SetData {
  readonly do: 'setData'
  readonly path: string
  readonly data: string | null
  readonly version: number
}

interface Versioned {
  readonly do: 'delete' | 'check'
  readonly path: string
  readonly version: number
}

interface Watched {
  readonly do: 'exists' | 'getData' | 'getChildren' | 'getChildren2'
  readonly path: string
  readonly watch: boolean
}

/** A part of a multi or multi-read; `as` is its type on the wire, if it differs from its own. */
export type Part = (Create | CreateTtl | SetData | Versioned | Watched) & { readonly as?: number }

export type RequestBody =
  | Create
  | CreateTtl
  | SetData
  | Versioned
  | Watched
  | {
      readonly do: 'getAcl' | 'getEphemerals' | 'getAllChildrenNumber' | 'sync'
      readonly path: string | null
    }
  | {
      readonly do: 'setAcl'
      readonly path: string
      readonly acl: readonly AclEntry[]
      readonly version: number
    }
  | { readonly do: 'multi' | 'multiRead'; readonly parts: readonly Part[] }
  | { readonly do: 'addWatch'; readonly path: string; readonly mode: number }
  | { readonly do: 'checkWatches' | 'removeWatches'; readonly path: string; readonly type: number }
  | {
      readonly do: 'setWatches' | 'setWatches2'
      /** The client was last connected this many zxids ago. */
      readonly ago: number
      readonly data: readonly string[]
      readonly exist: readonly string[]
      readonly child: readonly string[]
      readonly persistent: readonly string[]
      readonly recursive: readonly string[]
    }
  | { readonly do: 'auth'; readonly scheme: string; readonly auth: string }
  | { readonly do: 'sasl'; readonly token: string }
  | { readonly do: 'reconfig'; readonly members: string | null }
  | { readonly do: 'whoAmI' | 'ping' | 'closeSession' }
  /** Any request type with any body (in hexadecimal). */
  | { readonly do: 'other'; readonly type: number; readonly body: string }

export function isRequest(operation: FuzzOperation): operation is Request {
  return !notRequests.has(operation.do)
}

const notRequests: ReadonlySet<string> = new Set([
  'connect',
  'drop',
  'expire',
  'cleanUp',
  'reset',
  'badFrame',
])
