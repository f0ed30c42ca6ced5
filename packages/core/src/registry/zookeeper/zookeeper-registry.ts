/** A registry in ZooKeeper. */
import { EventEmitter } from 'node:events'

import {
  type Acl,
  LeaderLatch,
  type MultiReadResult,
  part,
  type TransactionPart as ZooKeeperPart,
  type ZooKeeper,
} from '@elasticjob/zookeeper'

import type { Clock } from '../../clock.ts'
import type {
  CreateOptions,
  Lease,
  ReadOptions,
  RegistryClient,
  RegistryClientEvents,
  RequestOptions,
  SessionState,
  TreeCopy,
  Watch,
  WatchListener,
  WatchMode,
} from '../registry-client.ts'
import type { PartResult, ReadPart, ReadResult, Stat, TransactionPart } from '../transaction.ts'
import { rethrow, toRegistryError } from './registry-errors.ts'
import { ZooKeeperTreeCopy } from './tree-copy.ts'

export class ZooKeeperRegistry
  extends EventEmitter<RegistryClientEvents>
  implements RegistryClient
{
  readonly #client: ZooKeeper
  readonly #acl: readonly Acl[]
  readonly refusalOf: (error: unknown) => unknown

  /** A registry on a connected client; every node that it creates gets this ACL. */
  constructor(
    client: ZooKeeper,
    acl: readonly Acl[],
    refusalOf: (error: unknown) => unknown = (error) => error,
  ) {
    super()
    this.#client = client
    this.#acl = acl
    this.refusalOf = refusalOf
    client.on('session:suspended', ({ reason }) => {
      this.emit('session:suspended', { reason: toRegistryError(reason) })
    })
    client.on('session:reconnected', () => this.emit('session:reconnected'))
    client.on('session:expired', () => this.emit('session:expired'))
    client.on('session:renewed', () => this.emit('session:renewed'))
    client.on('lease:ended', () => this.emit('lease:ended'))
    client.on('lease:regained', () => this.emit('lease:regained'))
  }

  get clock(): Clock {
    return this.#client.clock
  }

  get state(): SessionState {
    return this.#client.state
  }

  get sessionTimeout(): number {
    return this.#client.sessionTimeout
  }

  get lastZxid(): bigint {
    return this.#client.lastZxid
  }

  get outstanding(): number {
    return this.#client.outstanding
  }

  get lease(): Lease {
    return this.#client.lease
  }

  transact(
    parts: readonly TransactionPart[],
    options?: RequestOptions,
  ): Promise<readonly PartResult[]> {
    const sent = parts.map((one) => this.#toZooKeeper(one))
    return this.#client.multi(sent, options).catch(rethrow) as Promise<readonly PartResult[]>
  }

  read(parts: readonly ReadPart[], options?: ReadOptions): Promise<readonly ReadResult[]> {
    return this.#client.multiRead(parts, options).then(toReadResults, rethrow)
  }

  create(path: string, options: CreateOptions = {}): Promise<Stat> {
    return this.#client
      .create(path, '', { ...options, acl: this.#acl })
      .then(({ stat }) => stat, rethrow)
  }

  async watch(
    path: string,
    mode: WatchMode,
    listener: WatchListener,
    options?: RequestOptions,
  ): Promise<Watch> {
    const watch = await this.#client
      .addWatch(
        path,
        mode,
        ({ type, path: changed }) => {
          // Created and deleted children have events of their own where they are watched.
          if (type !== 'childrenChanged') listener({ type, path: changed })
        },
        options,
      )
      .catch(rethrow)
    return { remove: () => watch.remove().catch(rethrow) }
  }

  catchUp(): Promise<void> {
    return this.#client.catchUp().catch(rethrow)
  }

  copyOf(path: string): TreeCopy {
    return new ZooKeeperTreeCopy(this.#client, path)
  }

  async inLatch(
    path: string,
    timeout: number,
    act: (latchNode: string) => Promise<void>,
  ): Promise<boolean> {
    const latch = new LeaderLatch(this.#client, path)
    try {
      await latch.start()
      if (!(await isHeld(latch, this.clock, timeout)) || latch.node === undefined) return false
      await act(latch.node)
      return true
    } catch (error) {
      return rethrow(error)
    } finally {
      await latch.stop().catch(rethrow)
    }
  }

  renewSession(): Promise<void> {
    return this.#client.renewSession().catch(rethrow)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #toZooKeeper(one: TransactionPart): ZooKeeperPart {
    if (one.type !== 'create') return one
    return part.create(one.path, one.data, { acl: this.#acl, mode: one.mode })
  }
}

function toReadResults(results: readonly MultiReadResult[]): readonly ReadResult[] {
  return results.map((result) =>
    'error' in result ? { error: toRegistryError(result.error) } : result,
  )
}

/** Resolves with whether the latch was acquired in time: a client may hold it forever. */
function isHeld(latch: LeaderLatch, clock: Clock, timeout: number): Promise<boolean> {
  if (latch.hasLeadership) return Promise.resolve(true)
  return new Promise((resolve) => {
    const timer = clock.setTimer(() => resolve(false), timeout)
    latch.once('leadership:gained', () => {
      timer.cancel()
      resolve(true)
    })
  })
}
