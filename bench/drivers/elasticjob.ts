import { part, ZooKeeper } from '@elasticjob/zookeeper'
import type { BenchClient } from './bench-client.ts'
import { serve } from './serve.ts'

async function connect(servers: string): Promise<BenchClient> {
  const zk = await ZooKeeper.connect({ servers, sessionTimeout: 30_000 })
  return {
    get: (path, settle) => void zk.get(path).then(() => settle(), settle),
    set: (path, value, settle) => void zk.set(path, value).then(() => settle(), settle),
    create: (path, value, settle) => void zk.create(path, value).then(() => settle(), settle),
    delete: (path, settle) => void zk.delete(path).then(() => settle(), settle),
    setAll: (paths, value, settle) =>
      void zk.multi(paths.map((path) => part.set(path, value))).then(() => settle(), settle),
    watch: (path, changed, settle) =>
      void zk.get(path, { watch: changed }).then(() => settle(), settle),
    close: () => zk.close(),
  }
}

await serve(connect)
