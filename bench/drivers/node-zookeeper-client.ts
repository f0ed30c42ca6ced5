import { once } from 'node:events'
import type { EventEmitter } from 'node:events'
import type { BenchClient, Settle } from './bench-client.ts'
import { peerModule } from './peer-module.ts'
import { serve } from './serve.ts'

interface Transaction {
  setData(path: string, data: Buffer, version: number): Transaction
  commit(callback: Settle): void
}

interface Client extends EventEmitter {
  connect(): void
  close(): void
  getData(path: string, callback: Settle): void
  getData(path: string, watcher: () => void, callback: Settle): void
  setData(path: string, data: Buffer, version: number, callback: Settle): void
  create(path: string, data: Buffer, callback: Settle): void
  remove(path: string, version: number, callback: Settle): void
  transaction(): Transaction
}

const { createClient } = peerModule('node-zookeeper-client') as {
  createClient: (servers: string, options: { sessionTimeout: number }) => Client
}

async function connect(servers: string): Promise<BenchClient> {
  const client = createClient(servers, { sessionTimeout: 30_000 })
  const connected = once(client, 'connected')
  client.connect()
  await connected
  return {
    get: (path, settle) => client.getData(path, settle),
    set: (path, value, settle) => client.setData(path, value, -1, settle),
    create: (path, value, settle) => client.create(path, value, settle),
    delete: (path, settle) => client.remove(path, -1, settle),
    setAll: (paths, value, settle) => {
      const transaction = client.transaction()
      for (const path of paths) transaction.setData(path, value, -1)
      transaction.commit(settle)
    },
    watch: (path, changed, settle) => client.getData(path, changed, settle),
    close: () => client.close(),
  }
}

await serve(connect)
