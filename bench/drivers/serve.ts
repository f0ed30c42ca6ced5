import { createInterface } from 'node:readline'
import { type BenchClient, settled } from './bench-client.ts'
import type { Task } from './contract.ts'
import { say } from './say.ts'
import { runTask } from './workloads.ts'

/** Makes this process a driver: see the contract. */
export async function serve(connect: (servers: string) => Promise<BenchClient>): Promise<void> {
  const [servers = '', root = ''] = process.argv.slice(2)
  const client = await connect(servers)
  await settled((settle) => client.create(root, Buffer.alloc(100, 'x'), settle))
  say({ ready: true })
  for await (const line of createInterface(process.stdin)) {
    const { id, ...task } = JSON.parse(line) as Task & { id: number }
    try {
      say({ id, result: await runTask(client, () => connect(servers), root, task) })
    } catch (error) {
      say({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
  await settled((settle) => client.delete(root, settle))
  await client.close()
}
