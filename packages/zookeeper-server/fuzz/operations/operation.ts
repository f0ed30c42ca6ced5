/**
 * What the fuzzer does, as plain data: a run is a list of these, which can be written to a file and
 * done again. Nothing in it is a fact of one server (a session's id, a zxid): it names slots instead.
 */
export type FuzzOperation = Connect | Drop | Expire | CleanUp | Reset | BadFrame | Request

/** A slot is a place for one connection. So many of them are in use. */
export const slotCount = 4

/** Opens a connection in a slot; the one that was there is dropped before. */
export interface Connect {
  readonly do: 'connect'
  readonly on: number
  /** Asks for the session that this slot had last; a new one if it is absent. */
  readonly sessionOf?: number
  readonly password: 'right' | 'wrong' | 'empty'
  readonly timeout: number
  /** What the client claims to have seen. */
  readonly seen: 'nothing' | 'everything' | 'more'
  /** Absent as in the requests of old clients. */
  readonly readOnly?: boolean
  readonly damage?: Damage
}

/** Cuts a slot's connection; its session goes on. */
interface Drop {
  readonly do: 'drop'
  readonly on: number
}

/** Ends a slot's session as if nothing had been heard of its client for too long. */
interface Expire {
  readonly do: 'expire'
  readonly on: number
}

/** Deletes the containers that are empty and the nodes that are past their time to live. */
interface CleanUp {
  readonly do: 'cleanUp'
}

/** Ends all sessions and deletes everything. */
interface Reset {
  readonly do: 'reset'
}

/** A frame that announces an impossible length. */
interface BadFrame {
  readonly do: 'badFrame'
  readonly on: number
  readonly length: number
}

/** What is done to the bytes of a request before they are sent. */
export interface Damage {
  /** So many bytes are missing at the end. */
  readonly cut?: number
  /** These bytes follow, in hexadecimal. */
  readonly add?: string
  /** This byte, counted from the end, has this value instead. */
  readonly set?: readonly [at: number, value: number]
}

/** A request to a slot's server. */
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

/** A part of a multi or multi-read; `as` is the type that it claims to be, if not its own. */
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
      /** So many zxids ago the client was last connected. */
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
  /** Any type of request, with any body (in hexadecimal). */
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
