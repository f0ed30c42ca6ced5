import { type EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The folder with a `node_modules` of its own that the package is installed into. */
const peers = new URL('peers/', import.meta.url)

/** A change at a watched path, as node-zookeeper-client tells it. */
export interface NodeEvent {
  getName(): string
  getPath(): string
}

type Results = readonly unknown[]
type Callback = (error: Error | null, ...results: Results) => void

interface Transaction {
  create(path: string, data?: Buffer): Transaction
  check(path: string, version?: number): Transaction
  setData(path: string, data: Buffer, version?: number): Transaction
  remove(path: string, version?: number): Transaction
  commit(callback: Callback): void
}

/** What is used of a client of node-zookeeper-client; most methods take a callback as the last. */
export interface Client extends EventEmitter {
  connect(): void
  close(): void
  addAuthInfo(scheme: string, auth: Buffer): void
  getSessionId(): Buffer
  getSessionPassword(): Buffer
  transaction(): Transaction
}

export type Operation =
  | 'create'
  | 'remove'
  | 'removeRecursive'
  | 'exists'
  | 'getData'
  | 'setData'
  | 'getChildren'
  | 'listSubTreeBFS'
  | 'getACL'
  | 'setACL'
  | 'mkdirp'

export interface NodeZooKeeperClient {
  createClient(servers: string, options: { readonly sessionTimeout: number }): Client
  readonly CreateMode: Readonly<
    Record<'EPHEMERAL' | 'PERSISTENT_SEQUENTIAL' | 'EPHEMERAL_SEQUENTIAL', number>
  >
  readonly ACL: { readonly CREATOR_ALL_ACL: unknown; readonly OPEN_ACL_UNSAFE: unknown }
}

export function nodeZooKeeperClientAvailable(): boolean {
  return existsSync(new URL('node_modules/node-zookeeper-client', peers))
}

export function loadNodeZooKeeperClient(): NodeZooKeeperClient {
  return createRequire(new URL('package.json', peers))(
    'node-zookeeper-client',
  ) as NodeZooKeeperClient
}

/** Resolves when the client is connected for the first time. */
export async function connected(client: Client): Promise<Client> {
  const connection = once(client, 'connected')
  client.connect()
  await connection
  return client
}

/** The results of an operation. */
export function call(client: Client, operation: Operation, ...args: unknown[]): Promise<Results> {
  const methods = client as unknown as Record<Operation, (...args: unknown[]) => void>
  return promised((callback) => methods[operation](...args, callback))
}

/** The results of an operation that takes its callback some other way. */
export function promised(start: (callback: Callback) => void): Promise<Results> {
  return new Promise((resolve, reject) => {
    start((error, ...results) => (error ? reject(error) : resolve(results)))
  })
}
