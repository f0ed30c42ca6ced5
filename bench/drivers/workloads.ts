import { type BenchClient, settled } from './bench-client.ts'
import { type Measurement, multiParts, type Task } from './contract.ts'
import { type Limit, measure, percentiles, pipeline, upTo } from './measure.ts'

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
      return afterWarmUp(task, (limit) =>
        measure(limit, window, (_, settle) => client.get(root, settle)),
      )
    case 'set':
      return afterWarmUp(task, (limit) =>
        measure(limit, window, (_, settle) => client.set(root, value, settle)),
      )
    case 'create':
      return afterWarmUp(task, async (limit) => {
        const { creation } = await createAndDelete(client, root, value, limit, window)
        return creation
      })
    case 'delete':
      return afterWarmUp(task, async (limit) => {
        const { deletion } = await createAndDelete(client, root, value, limit, window)
        return deletion
      })
    case 'multi':
      return multi(client, childrenOf(root, multiParts), value, task)
    case 'watch':
      return watch(client, await connect(), root, value, task)
  }
}

/** Does everything twice; what comes of the first time is forgotten. */
async function afterWarmUp(
  { ops, warmup, seconds }: Task,
  run: (limit: Limit) => Promise<Measurement>,
): Promise<Measurement> {
  await run({ ops: warmup, seconds })
  return run({ ops, seconds })
}

async function createAndDelete(
  client: BenchClient,
  parent: string,
  value: Buffer,
  limit: Limit,
  window: number,
): Promise<{ creation: Measurement; deletion: Measurement }> {
  const nodes = childrenOf(parent, limit.ops)
  const creation = await measure(limit, window, (op, settle) =>
    client.create(nodes[op] as string, value, settle),
  )
  // All that were created, however long it takes: the next task finds the parent as this one did.
  const all = { ops: creation.ops, seconds: Infinity }
  const deletion = await measure(all, window, (op, settle) =>
    client.delete(nodes[op] as string, settle),
  )
  return { creation, deletion }
}

async function multi(
  client: BenchClient,
  nodes: readonly string[],
  value: Buffer,
  task: Task,
): Promise<Measurement | null> {
  const setAll = client.setAll?.bind(client)
  if (setAll === undefined) return null
  const each = upTo(nodes.length)
  await pipeline(each, preparing, (op, settle) => client.create(nodes[op] as string, value, settle))
  const measurement = await afterWarmUp(task, (limit) =>
    measure(limit, task.window, (_, settle) => setAll(nodes, value, settle)),
  )
  await pipeline(each, preparing, (op, settle) => client.delete(nodes[op] as string, settle))
  return measurement
}

/** An operation ends when both have come, the answer to the set and the event; the event counts. */
async function watch(
  client: BenchClient,
  watching: BenchClient,
  node: string,
  value: Buffer,
  task: Task,
): Promise<Measurement> {
  const measurement = await afterWarmUp(task, async (limit) => {
    const latencies = new Float64Array(limit.ops)
    const whole = await measure(limit, 1, (op, settle) => {
      changeLatency(client, watching, node, value)
        .then((latency) => {
          latencies[op] = latency
        })
        .then(() => settle(), settle)
    })
    return { ...whole, ...percentiles(latencies.subarray(0, whole.ops)) }
  })
  await watching.close()
  return measurement
}

/** From a set to the other's event, in milliseconds. */
async function changeLatency(
  client: BenchClient,
  watching: BenchClient,
  node: string,
  value: Buffer,
): Promise<number> {
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
  return changedAt - start
}

function childrenOf(parent: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${parent}/n${index}`)
}
