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

export interface ReadOptions extends AnswerOptions {
  /** Called once, when what was read changes. It survives lost connections and renewed sessions. */
  readonly watch?: WatchListener
}

export interface VersionOptions extends RequestOptions {
  /**
   * The version that the node must have.
   * @default any
   */
  readonly version?: number
}

export interface CreateOptions extends NodeOptions, RequestOptions {
  /**
   * Creates the nodes above that are missing, together with this one in one transaction: as
   * persistent nodes (`true`) or as containers.
   * @default false
   */
  readonly parents?: ParentKind
  /**
   * Finds out, should the connection be lost before the answer came, whether the node was created,
   * instead of failing or creating a second one. A unique prefix is put before the name for that.
   * @default false
   */
  readonly protect?: boolean
}

export interface NodeContent {
  readonly data: Uint8Array
  readonly stat: Stat
}

/** A watch that stays until it is removed. */
export interface Watch {
  readonly path: string
  remove(): Promise<void>
}

export type MultiReadResult =
  | NodeContent
  | { readonly children: string[] }
  | { readonly error: ZooKeeperError }

const noOptions = Object.freeze({})
const noBytes = new Uint8Array(0)

/** The node's data as the client gives it: no data is no bytes, as it is for every writer of it. */
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

/** Not declared a write, since nothing is in doubt when its answer is lost: it is sent once more. */
const changingNothing: ClientOperation<typeof rootExists, unknown> = {
  ...operations.multi,
  name: 'catchUp',
  isWrite: false,
}

/**
 * A client of ZooKeeper. It keeps a session over lost connections, replaces one that expired, and
 * says so by its events; it stops only when it is closed.
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
  /** What stands for a listener: set again before it fired, it is still one listener. */
  readonly #onceListeners = new WeakMap<WatchListener, WatchListener>()
  /** The same session by the server's full paths. */
  readonly #unrooted: ParentCreator = {
    exists: (path, options = noOptions) => this.#find(path, this.#chroot.toClient(path), options),
    multi: (parts, options = noOptions) => this.#multi(parts, options, new Chroot('')),
  }
  #connecting: Promise<this> | undefined

  /** Prepares a client; `connect()` makes it connect. */
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
        // What is still being committed by way of another server has to be in the answer.
        this.catchUp().catch(() => {})
        return this.#submit(operations.getEphemerals, { path: '/' }, '/', noOptions, hooks)
      },
      toClient,
    )
  }

  /** A client that is connected. */
  static connect(options: ZooKeeperOptions): Promise<ZooKeeper> {
    return new Promise((resolve) => resolve(new ZooKeeper(options).connect()))
  }

  /** Resolves when the first session exists; rejects, and closes the client, if none does in time. */
  connect(): Promise<this> {
    this.#connecting ??= this.#session.start().then(() => this)
    return this.#connecting
  }

  /** Ends the session and everything that belongs to it. Complete on return, safe to repeat. */
  close(): Promise<void> {
    return this.#session.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get state(): SessionState {
    return this.#session.state
  }

  /** The session's id; 0 while there is none. */
  get sessionId(): bigint {
    return this.#session.id
  }

  /** The secret by which the session can be taken over from another connection. */
  get sessionPassword(): Uint8Array {
    return this.#session.password
  }

  /** The timeout that the server settled on, in milliseconds. */
  get sessionTimeout(): number {
    return this.#session.timeout
  }

  /** The highest zxid that this client has seen. */
  get lastZxid(): bigint {
    return this.#session.lastZxid
  }

  /** Until when the session may be believed to live. */
  get lease(): Lease {
    return this.#session.lease
  }

  /** The bytes of ephemeral paths that the session holds, as far as this client knows. */
  get ephemeralBytes(): number {
    return this.#session.ephemerals.bytes
  }

  /** Where this client's time comes from, for what is built upon it. */
  get clock(): Clock {
    return this.#options.session.clock
  }

  /** The number of paths that are watched. */
  get watchCount(): number {
    return this.#session.watches.size
  }

  /** The number of requests that have no answer yet. */
  get outstanding(): number {
    return this.#session.outstanding
  }

  /** Creates a node; the path answered has its number in it if the node is sequential. */
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
      // By full paths: the root of this client's paths may itself be among what is missing.
      const full = this.#chroot.toServer(path)
      const made = await createWithParents(this.#unrooted, full, bytes, options).catch(
        (failure: unknown) => {
          if (!(failure instanceof MultiError)) throw failure
          // To its caller it is a create like any other, of the paths that the caller knows.
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
   * Deletes a node and all below it, and answers how many nodes that were. One transaction as long as
   * it fits into a request; beyond that several, the deepest nodes first. A node that is absent is no
   * error.
   */
  deleteRecursive(path: string, options: RequestOptions = noOptions): Promise<number> {
    const { session, chroot } = this.#options
    const prefixBytes = Buffer.byteLength(chroot)
    return deleteRecursive(this, session.maxRequestBytes, path, options, prefixBytes)
  }

  /** The node's stat, or undefined if it does not exist. A watch reports its creation, too. */
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

  /** The names of the node's children, in no particular order, and its stat. */
  children(path: string, options: ReadOptions = noOptions): Promise<operations.Children> {
    return this.#read(
      operations.getChildren2,
      path,
      options,
      this.#watching('child', options.watch),
    )
  }

  /**
   * Carries out all parts as one transaction, or none. Rejects with a `MultiError` that names the part
   * that failed.
   */
  async multi<const Parts extends readonly TransactionPart[]>(
    parts: Parts,
    options: RequestOptions = noOptions,
  ): Promise<ResultsOf<Parts>> {
    return this.#multi(parts, options, this.#chroot)
  }

  /** Reads several nodes in one request; each part comes to its content, its children or its own error. */
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

  /** Fails unless the node exists, in this version if one is given. Goes through the quorum. */
  async check(path: string, options: VersionOptions = noOptions): Promise<void> {
    await this.multi([part.check(path, options.version)], options)
  }

  /**
   * Resolves when whatever was committed before this call, by anybody, is seen by what is read next.
   * It costs a transaction, for only the quorum knows what is committed.
   */
  async catchUp(options: RequestOptions = noOptions): Promise<void> {
    await this.#submit(changingNothing, rootExists, '/', options)
  }

  /**
   * The protocol's `sync`: waits until a follower has caught up with its leader. The leader itself
   * answers at once, although it may not have applied yet what followers have told their clients
   * already: who must see what another client has written calls `catchUp`.
   */
  async sync(path: string = '/', options: RequestOptions = noOptions): Promise<void> {
    validatePath(path)
    await this.#submit(operations.sync, { path: this.#chroot.toServer(path) }, path, options)
  }

  async getAcl(path: string, options: RequestOptions = noOptions): Promise<operations.NodeAcl> {
    validatePath(path)
    return this.#submit(operations.getAcl, { path: this.#chroot.toServer(path) }, path, options)
  }

  /** Replaces the node's ACL; `version` is that of the ACL (`stat.aversion`). */
  setAcl(path: string, acl: readonly Acl[], options: VersionOptions = noOptions): Promise<Stat> {
    return this.#write(
      operations.setAcl,
      path,
      (full) => ({ path: full, acl, version: options.version ?? anyVersion }),
      options,
    )
  }

  /** The ephemeral nodes of this session whose path begins with the prefix. */
  async getEphemerals(
    prefix: string = '/',
    options: RequestOptions = noOptions,
  ): Promise<string[]> {
    validatePath(prefix)
    const full = this.#chroot.toServer(prefix)
    const paths = await this.#submit(operations.getEphemerals, { path: full }, prefix, options)
    return paths.map((path) => this.#chroot.toClient(path))
  }

  /** The number of all nodes below a path. */
  async getAllChildrenNumber(path: string, options: RequestOptions = noOptions): Promise<number> {
    validatePath(path)
    const request = { path: this.#chroot.toServer(path) }
    return this.#submit(operations.getAllChildrenNumber, request, path, options)
  }

  /** The identities that the server sees this client have. */
  whoAmI(options: RequestOptions = noOptions): Promise<operations.ClientIdentity[]> {
    return this.#submit(operations.whoAmI, undefined, undefined, options)
  }

  /** Proves an identity, for example `addAuth('digest', 'user:password')`, now and on every reconnect. */
  addAuth(scheme: string, auth: Data): Promise<void> {
    return this.#session.addAuth(scheme, toBytes(auth))
  }

  /**
   * Watches a node (`persistent`), or a node and all below it (`recursive`), until the watch is removed.
   * The node need not exist. After a reconnect the watch is there again, but what changed meanwhile is
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

  /** Forgets the listeners of a path and the server's watches for them, the lasting ones with `any`. */
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

  /** A bad path is a rejection like any other failure, never an exception at the call. */
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
