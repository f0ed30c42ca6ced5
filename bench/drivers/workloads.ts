import { type BenchClient, settled } from './bench-client.ts'
import { type Measurement, multiParts, type Task } from './contract.ts'
import { measure, pipeline } from './measure.ts'

/** How many preparing requests are without an answer at a time. */
const preparing = 100

/** Runs one task below the root; null when the client cannot. */
export async function runTask(
  client: BenchClient,
  connect: () => Promise<BenchClient>,
  root: string,
  task: Task,
): Promise<Measurement | null> {
  const value = Buffer.alloc(task.valueSize, 'x')
  const { window } = task
  switch (task.workload) {
    case 'get':
      await pipeline(task.warmup, window, (_, settle) => client.get(root, settle))
      return measure(task.ops, window, (_, settle) => client.get(root, settle))
    case 'set':
      await pipeline(task.warmup, window, (_, settle) => client.set(root, value, settle))
      return measure(task.ops, window, (_, settle) => client.set(root, value, settle))
    case 'create':
      await createAndDelete(client, childrenOf(root, task.warmup), value, window)
      return (await createAndDelete(client, childrenOf(root, task.ops), value, window)).creation
    case 'delete':
      await createAndDelete(client, childrenOf(root, task.warmup), value, window)
      return (await createAndDelete(client, childrenOf(root, task.ops), value, window)).deletion
    case 'multi':
      return multi(client, childrenOf(root, multiParts), value, task)
    case 'watch':
      return watch(client, await connect(), root, value, task)
  }
}

async function createAndDelete(
  client: BenchClient,
  nodes: readonly string[],
  value: Buffer,
  window: number,
): Promise<{ creation: Measurement; deletion: Measurement }> {
  const creation = await measure(nodes.length, window, (op, settle) =>
    client.create(nodes[op] as string, value, settle),
  )
  const deletion = await measure(nodes.length, window, (op, settle) =>
    client.delete(nodes[op] as string, settle),
  )
  return { creation, deletion }
}

async function multi(
  client: BenchClient,
  nodes: readonly string[],
  value: Buffer,
  { ops, warmup, window }: Task,
): Promise<Measurement | null> {
  const setAll = client.setAll?.bind(client)
  if (setAll === undefined) return null
  await pipeline(nodes.length, preparing, (op, settle) =>
    client.create(nodes[op] as string, value, settle),
  )
  await pipeline(warmup, window, (_, settle) => setAll(nodes, value, settle))
  const measurement = await measure(ops, window, (_, settle) => setAll(nodes, value, settle))
  await pipeline(nodes.length, preparing, (op, settle) =>
    client.delete(nodes[op] as string, settle),
  )
  return measurement
}

/** An operation ends when both have come, the answer to the set and the event; the event counts. */
async function watch(
  client: BenchClient,
  watching: BenchClient,
  node: string,
  value: Buffer,
  { ops, warmup }: Task,
): Promise<Measurement> {
  const latencies: number[] = []
  const once = async (): Promise<void> => {
    let changedAt = 0
    let happened!: () => void
    const change = new Promise<void>((resolve) => {
      happened = resolve
    })
    const changed = (): void => {
      changedAt = performance.now()
      happened()
    }
    await settled((settle) => watching.watch(node, changed, settle))
    const start = performance.now()
    await Promise.all([change, settled((settle) => client.set(node, value, settle))])
    latencies.push(changedAt - start)
  }
  for (let op = 0; op < warmup; op++) await once()
  latencies.length = 0
  const whole = await measure(ops, 1, (_, settle) => void once().then(() => settle(), settle))
  await watching.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => (latencies[Math.floor(ops * share)] ?? 0) * 1000
  return { ...whole, p50Micros: at(0.5), p99Micros: at(0.99) }
}

function childrenOf(parent: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${parent}/n${index}`)
}
