import { EventEmitter } from 'node:events'

import { type ResolvedOptions, resolveOptions, type ZooKeeperOptions } from './client-options.ts'
import { Chroot } from './chroot.ts'
import type { Clock } from './clock.ts'
import { createWithParents, type ParentCreator, type ParentKind } from './create-parents.ts'
import { nodeKind, type NodeKind, type NodeOptions } from './create-options.ts'
import { type Data, toBytes } from './data.ts'
import { deleteRecursive } from './delete-recursive.ts'
import { debug, requestChannel, sessionChannel } from './diagnostics.ts'
import {
  isZooKeeperError,
  MultiError,
  serverFailure,
  withoutStacks,
  type ZooKeeperError,
} from './errors.ts'
import type { SessionState, ZooKeeperEvents } from './events.ts'
import { opCode } from './jute/op-codes.ts'
import type { ClientOperation } from './jute/operation.ts'
import * as operations from './jute/operations.ts'
import type { Acl, Stat } from './jute/records.ts'
import type { CreateTtlRequest } from './jute/requests.ts'
import { serverError } from './jute/server-errors.ts'
import { problemOf, validatePath } from './paths.ts'
import { createProtected } from './protected-create.ts'
import { EphemeralAccounting, touchesEphemerals } from './session/ephemeral-accounting.ts'
import type { Lease } from './session/lease.ts'
import type { AnswerOptions, CallHooks, RequestOptions } from './session/pending-call.ts'
import { ServerWatches } from './session/server-watches.ts'
import { Session } from './session/session.ts'
import type { OneShotKind, PersistentMode, WatchListener } from './session/watch-registry.ts'
import {
  anyVersion,
  part,
  type ReadPart,
  readToWire,
  type ResultsOf,
  toWire,
  type TransactionPart,
  transactionResults,
} from './transaction.ts'

/** The options of a read. */
export interface ReadOptions extends AnswerOptions {
  /** Called once, when the node that was read changes. Survives lost connections and renewed sessions. */
  readonly watch?: WatchListener
}

/** The version that a change expects. */
export interface VersionOptions extends RequestOptions {
  /**
   * The version that the node must have.
   * @default any
   */
  readonly version?: number
}

/** The options of `create()`. */
export interface CreateOptions extends NodeOptions, RequestOptions {
  /**
   * Creates missing ancestors in the same transaction: as persistent nodes (`true`) or as containers.
   * @default false
   */
  readonly parents?: ParentKind
  /**
   * If the connection is lost before the answer arrives, finds out whether the node was created instead of
   * failing or creating a second one. Puts a unique prefix before the name to recognize the node.
   * @default false
   */
  readonly protect?: boolean
}

/** The data and the stat of a node. */
export interface NodeContent {
  readonly data: Uint8Array
  readonly stat: Stat
}

/** A watch that stays until it is removed. */
export interface Watch {
  readonly path: string
  remove(): Promise<void>
}

/** The result of one read of `multiRead()`. */
export type MultiReadResult =
  | NodeContent
  | { readonly children: string[] }
  | { readonly error: ZooKeeperError }

const noOptions = Object.freeze({})
const noBytes = new Uint8Array(0)

/** Returns the node's data. A null value on the wire becomes empty data, as every writer stores it. */
const getContent: ClientOperation<{ path: string; watch: boolean }, NodeContent> = {
  ...operations.getData,
  readReply: (reader) => {
    const { data, stat } = operations.getData.readReply(reader)
    return { data: data ?? noBytes, stat }
  },
}

const findStat: ClientOperation<{ path: string; watch: boolean }, Stat | undefined> =
  operations.exists

const rootExists = [toWire(part.check('/'), '/')]

/**
 * Not declared as a write: its outcome does not matter when the answer is lost, so the client sends it again.
 */
const changingNothing: ClientOperation<typeof rootExists, unknown> = {
  ...operations.multi,
  name: 'catchUp',
  isWrite: false,
}

/**
 * A ZooKeeper client. It keeps a session over lost connections, replaces an expired session, and
 * reports both as events. It stops only when it is closed.
 *
 * ```ts
 * const zk = await ZooKeeper.connect({ servers: '127.0.0.1:2181' })
 * await zk.create('/config', 'on', { parents: true })
 * const { data, stat } = await zk.get('/config', { watch: (event) => console.log(event) })
 * await zk.set('/config', 'off', { version: stat.version })
 * await zk.close()
 * ```
 */
export class ZooKeeper extends EventEmitter<ZooKeeperEvents> {
  readonly #options: ResolvedOptions
  readonly #session: Session
  readonly #chroot: Chroot
  readonly #ephemerals: EphemeralAccounting
  readonly #watches: ServerWatches
  /** Maps a listener to its wrapper: a listener that is set again before it fired stays one listener. */
  readonly #onceListeners = new WeakMap<WatchListener, WatchListener>()
  /** The same session, addressed by full server paths. */
  readonly #unrooted: ParentCreator = {
    exists: (path, options = noOptions) => this.#find(path, this.#chroot.toClient(path), options),
    multi: (parts, options = noOptions) => this.#multi(parts, options, new Chroot('')),
  }
  #connecting: Promise<this> | undefined

  /** Creates a client without connecting it; call `connect()` next. */
  constructor(options: ZooKeeperOptions) {
    super()
    this.#options = resolveOptions(options)
    this.#chroot = new Chroot(this.#options.chroot)
    this.#session = new Session(
      this.#options.session,
      (path) => void this.#renewLease(path),
      (name, ...payload) => {
        debug('%s %o', name, payload[0])
        if (sessionChannel.hasSubscribers) {
          sessionChannel.publish({ event: name, payload: payload[0], client: this })
        }
        this.emit(name, ...(payload as never))
      },
    )
    const toClient = (path: string): string => this.#chroot.toClient(path)
    this.#watches = new ServerWatches(
      this.#session,
      (...request) => this.#submit(...request),
      toClient,
    )
    this.#ephemerals = new EphemeralAccounting(
      this.#session.ephemerals,
      (hooks) => {
        // The count must include changes that are still being committed through another server.
        this.catchUp().catch(() => {})
        return this.#submit(operations.getEphemerals, { path: '/' }, '/', noOptions, hooks)
      },
      toClient,
    )
  }

  /** Creates a client and connects it. */
  static connect(options: ZooKeeperOptions): Promise<ZooKeeper> {
    return new Promise((resolve) => resolve(new ZooKeeper(options).connect()))
  }

  /** Resolves when the first session exists. Rejects, and closes the client, after `connectTimeout`. */
  connect(): Promise<this> {
    this.#connecting ??= this.#session.start().then(() => this)
    return this.#connecting
  }

  /** Ends the session and releases everything that belongs to it. Complete on return, safe to repeat. */
  close(): Promise<void> {
    return this.#session.close()
  }

  /**
   * Ends the session at the server, including its ephemeral nodes, and opens a new session, as after an
   * expiry. For a caller that knows that the session's nodes are wrong. Does nothing without a connection.
   */
  renewSession(): Promise<void> {
    return this.#session.renew()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get state(): SessionState {
    return this.#session.state
  }

  /** The session's id; 0 without a session. */
  get sessionId(): bigint {
    return this.#session.id
  }

  /** The secret that allows another connection to take over the session. */
  get sessionPassword(): Uint8Array {
    return this.#session.password
  }

  /** The negotiated timeout, in milliseconds. */
  get sessionTimeout(): number {
    return this.#session.timeout
  }

  /** The highest zxid that this client has seen. */
  get lastZxid(): bigint {
    return this.#session.lastZxid
  }

  /** How long the session is proven to live. */
  get lease(): Lease {
    return this.#session.lease
  }

  /** The total size of the session's ephemeral paths, in bytes, as far as this client knows. */
  get ephemeralBytes(): number {
    return this.#session.ephemerals.bytes
  }

  /** The client's clock, for recipes built on it. */
  get clock(): Clock {
    return this.#options.session.clock
  }

  get watchCount(): number {
    return this.#session.watches.size
  }

  /** The number of unanswered requests. */
  get outstanding(): number {
    return this.#session.outstanding
  }

  /** Creates a node and returns its path, which includes the sequence number of a sequential node. */
  async create(
    path: string,
    data?: Data | null,
    options: CreateOptions = noOptions,
  ): Promise<operations.Created> {
    validatePath(path, options.sequential)
    const kind = nodeKind(path, options)
    const bytes = toBytes(data)
    if (options.protect === true) {
      const { protect: _, ...unprotected } = options
      return createProtected(this, this.#options.session, path, bytes, unprotected)
    }
    const created = this.#create(path, bytes, kind, options)
    if (options.parents === undefined || options.parents === false) return created
    return created.catch(async (error: unknown) => {
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
      // Uses full server paths: the chroot itself may be missing.
      const full = this.#chroot.toServer(path)
      const made = await createWithParents(this.#unrooted, full, bytes, options).catch(
        (failure: unknown) => {
          if (!(failure instanceof MultiError)) throw failure
          // The error names the path relative to the chroot, as for any other create.
          const culprit = this.#chroot.toClient(failure.path ?? full)
          throw serverFailure(failure.errno ?? 0, 'create', culprit)
        },
      )
      return { path: this.#chroot.toClient(made.path), stat: made.stat }
    })
  }

  delete(path: string, options: VersionOptions = noOptions): Promise<void> {
    return this.#write(
      operations.remove,
      path,
      (full) => ({ path: full, version: options.version ?? anyVersion }),
      options,
      (full) => ({ onReply: () => this.#session.ephemerals.release(full) }),
    )
  }

  /**
   * Deletes a node and everything below it, and returns the number of deleted nodes. Uses one transaction if
   * it fits into a request, otherwise several, deepest nodes first. An absent node is not an error.
   */
  deleteRecursive(path: string, options: RequestOptions = noOptions): Promise<number> {
    const { session, chroot } = this.#options
    const prefixBytes = Buffer.byteLength(chroot)
    return deleteRecursive(this, session.maxRequestBytes, path, options, prefixBytes)
  }

  /** Returns the node's stat, or undefined if it does not exist. A watch also reports its creation. */
  exists(path: string, options: ReadOptions = noOptions): Promise<Stat | undefined> {
    return this.#checked(path, () => this.#find(this.#chroot.toServer(path), path, options))
  }

  get(path: string, options: ReadOptions = noOptions): Promise<NodeContent> {
    return this.#read(getContent, path, options, this.#watching('data', options.watch))
  }

  set(path: string, data: Data, options: VersionOptions = noOptions): Promise<Stat> {
    return this.#write(
      operations.setData,
      path,
      (full) => ({ path: full, data: toBytes(data), version: options.version ?? anyVersion }),
      options,
    )
  }

  /** Returns the names of the node's children, in no particular order, and its stat. */
  children(path: string, options: ReadOptions = noOptions): Promise<operations.Children> {
    return this.#read(
      operations.getChildren2,
      path,
      options,
      this.#watching('child', options.watch),
    )
  }

  /** Runs all parts as one transaction. Rejects with a `MultiError` that names the failed part. */
  async multi<const Parts extends readonly TransactionPart[]>(
    parts: Parts,
    options: RequestOptions = noOptions,
  ): Promise<ResultsOf<Parts>> {
    return this.#multi(parts, options, this.#chroot)
  }

  /** Reads several nodes in one request. Each part returns its content, its children or its own error. */
  async multiRead(
    parts: readonly ReadPart[],
    options: AnswerOptions = noOptions,
  ): Promise<MultiReadResult[]> {
    if (parts.length === 0) return []
    const wire = parts.map((one) => readToWire(one, this.#chroot.toServer(one.path)))
    const results = await this.#submit(operations.multiRead, wire, undefined, options)
    return withoutStacks(() =>
      parts.map(({ type, path }, index) => {
        const result = results[index]
        if (result?.type === opCode.getData)
          return { data: result.data ?? noBytes, stat: result.stat }
        if (result?.type === opCode.getChildren) return { children: result.children }
        const errno = result?.type === opCode.error ? result.error : serverError.MARSHALLING_ERROR
        return { error: serverFailure(errno, type, path) }
      }),
    )
  }

  /** Fails unless the node exists, with the given version if there is one. Goes through the quorum. */
  async check(path: string, options: VersionOptions = noOptions): Promise<void> {
    await this.multi([part.check(path, options.version)], options)
  }

  /**
   * Resolves when the following reads show every change that any client committed before this call. Costs a
   * transaction, because only the quorum knows what is committed.
   */
  async catchUp(options: RequestOptions = noOptions): Promise<void> {
    await this.#submit(changingNothing, rootExists, '/', options)
  }

  /**
   * The protocol's `sync`: waits until a follower has caught up with its leader. The leader answers at once,
   * although it may not have applied yet what followers already reported to their clients. To see what
   * another client has written, call `catchUp`.
   */
  async sync(path: string = '/', options: RequestOptions = noOptions): Promise<void> {
    validatePath(path)
    await this.#submit(operations.sync, { path: this.#chroot.toServer(path) }, path, options)
  }

  async getAcl(path: string, options: RequestOptions = noOptions): Promise<operations.NodeAcl> {
    validatePath(path)
    return this.#submit(operations.getAcl, { path: this.#chroot.toServer(path) }, path, options)
  }

  /** Replaces the node's ACL; `version` is the ACL version (`stat.aversion`). */
  setAcl(path: string, acl: readonly Acl[], options: VersionOptions = noOptions): Promise<Stat> {
    return this.#write(
      operations.setAcl,
      path,
      (full) => ({ path: full, acl, version: options.version ?? anyVersion }),
      options,
    )
  }

  /** Returns this session's ephemeral nodes whose path begins with the prefix. */
  async getEphemerals(
    prefix: string = '/',
    options: RequestOptions = noOptions,
  ): Promise<string[]> {
    validatePath(prefix)
    const full = this.#chroot.toServer(prefix)
    const paths = await this.#submit(operations.getEphemerals, { path: full }, prefix, options)
    return paths.map((path) => this.#chroot.toClient(path))
  }

  /** Returns the number of all nodes below a path. */
  async getAllChildrenNumber(path: string, options: RequestOptions = noOptions): Promise<number> {
    validatePath(path)
    const request = { path: this.#chroot.toServer(path) }
    return this.#submit(operations.getAllChildrenNumber, request, path, options)
  }

  /** Returns the identities that the server has accepted from this client. */
  whoAmI(options: RequestOptions = noOptions): Promise<operations.ClientIdentity[]> {
    return this.#submit(operations.whoAmI, undefined, undefined, options)
  }

  /** Authenticates, for example `addAuth('digest', 'user:password')`, now and on every reconnect. */
  addAuth(scheme: string, auth: Data): Promise<void> {
    return this.#session.addAuth(scheme, toBytes(auth))
  }

  /**
   * Watches a node (`persistent`), or a node and everything below it (`recursive`), until the watch is
   * removed. The node need not exist. The watch survives a reconnect, but changes during the disconnect are
   * not reported: read again on `session:reconnected` and `session:renewed`.
   */
  async addWatch(
    path: string,
    mode: PersistentMode,
    listener: WatchListener,
    options: RequestOptions = noOptions,
  ): Promise<Watch> {
    validatePath(path)
    const full = this.#chroot.toServer(path)
    const remove = await this.#watches.add(full, mode, this.#forClient(listener), options)
    return { path, remove }
  }

  /** Removes the listeners of a path and their watches at the server; `any` includes persistent watches. */
  async removeWatches(
    path: string,
    kind: 'data' | 'children' | 'any' = 'any',
    options: RequestOptions = noOptions,
  ): Promise<void> {
    validatePath(path)
    await this.#watches.removeAll(this.#chroot.toServer(path), kind, options)
  }

  #submit<Request, Reply>(
    operation: ClientOperation<Request, Reply>,
    request: Request,
    path: string | undefined,
    options: AnswerOptions,
    hooks?: CallHooks<Reply>,
  ): Promise<Reply> {
    if (!requestChannel.hasSubscribers) {
      return this.#session.submit(operation, request, path, options, hooks)
    }
    return requestChannel.tracePromise(
      () => this.#session.submit(operation, request, path, options, hooks),
      { operation: operation.name, path },
    )
  }

  async #multi<const Parts extends readonly TransactionPart[]>(
    parts: Parts,
    options: RequestOptions,
    chroot: Chroot,
  ): Promise<ResultsOf<Parts>> {
    if (parts.length === 0) return [] as ResultsOf<Parts>
    const wire = parts.map((one) => toWire(one, chroot.toServer(one.path)))
    const counted = touchesEphemerals(wire) ? this.#ephemerals.ofTransaction(wire) : undefined
    const hooks = counted instanceof Promise ? await counted : counted
    const results = await this.#submit(operations.multi, wire, undefined, options, hooks)
    return transactionResults(parts, results, (path) => chroot.toClient(path))
  }

  #read<Reply>(
    operation: ClientOperation<{ path: string; watch: boolean }, Reply>,
    path: string,
    options: ReadOptions,
    hooks: ((full: string) => CallHooks<Reply>) | undefined,
  ): Promise<Reply> {
    return this.#checked(path, () => {
      const full = this.#chroot.toServer(path)
      const watch = this.#needsWatch(full, options)
      return this.#submit(operation, { path: full, watch }, path, options, hooks?.(full))
    })
  }

  #find(full: string, path: string, options: ReadOptions): Promise<Stat | undefined> {
    const request = { path: full, watch: this.#needsWatch(full, options) }
    return this.#submit(findStat, request, path, options, {
      onReply: (_, abandoned) => this.#watchOnce('data', full, options.watch, abandoned),
      onRefusal: (errno, abandoned) => {
        if (errno !== serverError.NO_NODE) return undefined
        this.#watchOnce('exist', full, options.watch, abandoned)
        return { reply: undefined }
      },
    })
  }

  #needsWatch(full: string, { watch }: ReadOptions): boolean {
    return watch !== undefined && !this.#session.watches.isCovered(full)
  }

  /** Rejects on an invalid path instead of throwing synchronously. */
  #checked<Reply>(path: string, run: () => Promise<Reply>): Promise<Reply> {
    const problem = problemOf(path)
    return problem === undefined ? run() : Promise.reject(problem)
  }

  #write<Request, Reply>(
    operation: ClientOperation<Request, Reply>,
    path: string,
    request: (full: string) => Request,
    options: RequestOptions,
    hooks?: (full: string) => CallHooks<Reply>,
  ): Promise<Reply> {
    return this.#checked(path, () => {
      const full = this.#chroot.toServer(path)
      return this.#submit(operation, request(full), path, options, hooks?.(full))
    })
  }

  async #create(
    path: string,
    data: Uint8Array,
    kind: NodeKind,
    options: RequestOptions,
  ): Promise<operations.Created> {
    const full = this.#chroot.toServer(path)
    const request = { path: full, data, acl: kind.acl, flags: kind.flags, ttl: kind.ttl }
    const counted = kind.isEphemeral
      ? this.#ephemerals.ofCreate(full, kind.isSequential)
      : undefined
    const hooks = counted instanceof Promise ? await counted : counted
    const created = await this.#submit(createOperations[kind.type], request, path, options, hooks)
    return { path: this.#chroot.toClient(created.path), stat: created.stat }
  }

  #watching<Reply>(
    kind: OneShotKind,
    listener: WatchListener | undefined,
  ): ((full: string) => CallHooks<Reply>) | undefined {
    if (listener === undefined) return undefined
    return (full) => ({
      onReply: (_, abandoned) => this.#watchOnce(kind, full, listener, abandoned),
    })
  }

  #watchOnce(
    kind: OneShotKind,
    full: string,
    listener: WatchListener | undefined,
    abandoned: boolean,
  ): void {
    if (listener === undefined || abandoned) return
    let heard = this.#onceListeners.get(listener)
    if (heard === undefined) {
      heard = this.#forClient(listener)
      this.#onceListeners.set(listener, heard)
    }
    this.#session.watches.addOneShot(kind, full, heard)
  }

  async #renewLease(path: string): Promise<void> {
    const options = { whileDisconnected: 'fail', timeout: this.sessionTimeout } as const
    try {
      await this.set(path, '', options)
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) {
        debug('lease not renewed: %s', error)
        return
      }
      const node = { mode: 'ephemeral', parents: true } as const
      await this.create(path, '', { ...options, ...node }).catch((reason: unknown) =>
        debug('lease not renewed: %s', reason),
      )
    }
  }

  #forClient(listener: WatchListener): WatchListener {
    return ({ type, path }) => listener({ type, path: this.#chroot.toClient(path) })
  }
}

const createOperations: Record<
  NodeKind['type'],
  ClientOperation<CreateTtlRequest, operations.Created>
> = {
  [opCode.create2]: operations.create2,
  [opCode.createContainer]: operations.createContainer,
  [opCode.createTtl]: operations.createTtl,
}
