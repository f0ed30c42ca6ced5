import type { BenchClient, Settle } from './bench-client.ts'
import { peerModule } from './peer-module.ts'
import { serve } from './serve.ts'

type NativeAnswer = (code: number, message: string) => void

/** Its callback interface: the promises that it also has are a layer above, and slower. */
interface Client {
  connect(options: Readonly<Record<string, unknown>>, callback: (error: unknown) => void): void
  close(): void
  a_get(path: string, watch: boolean, callback: NativeAnswer): void
  aw_get(path: string, changed: () => void, callback: NativeAnswer): void
  a_set(path: string, data: Buffer, version: number, callback: NativeAnswer): void
  a_create(path: string, data: Buffer, flags: number, callback: NativeAnswer): void
  a_delete_(path: string, version: number, callback: NativeAnswer): void
}

const NativeClient = peerModule('zookeeper') as new () => Client

const answer =
  (settle: Settle): NativeAnswer =>
  (code, message) =>
    settle(code === 0 ? undefined : new Error(`${code} ${message}`))

async function connect(servers: string): Promise<BenchClient> {
  const client = new NativeClient()
  await new Promise<void>((resolve, reject) => {
    const options = { connect: servers, timeout: 30_000, debug_level: 1 }
    client.connect(options, (error) => (error instanceof Error ? reject(error) : resolve()))
  })
  return {
    get: (path, settle) => client.a_get(path, false, answer(settle)),
    set: (path, value, settle) => client.a_set(path, value, -1, answer(settle)),
    create: (path, value, settle) => client.a_create(path, value, 0, answer(settle)),
    delete: (path, settle) => client.a_delete_(path, -1, answer(settle)),
    watch: (path, changed, settle) => client.aw_get(path, changed, answer(settle)),
    close: () => client.close(),
  }
}

await serve(connect)
