/**
 * `write <url> <runs>`: writes so many runs into a history, each when it begins and again when it has ended,
 * as Java does, in batches; says how long that took and the processor time, in milliseconds.
 */
import { type Batch, openHistory } from '@elasticjob/tracing'

import { say } from '../say.ts'

/** What a recorder writes at once when much is to be written. */
const batchSize = 500

const [url = '', runs = '0'] = process.argv.slice(2)
await using history = await openHistory({ url })
let sequence = 0
let made = 0

await write(batchSize)
const cpu = process.cpuUsage()
const begin = performance.now()
await write(Number(runs))
const wall = performance.now() - begin
const { user, system } = process.cpuUsage(cpu)
say({ wall, cpu: (user + system) / 1000 })

async function write(count: number): Promise<void> {
  for (let left = count; left > 0; left -= batchSize) {
    const ids = Array.from({ length: Math.min(batchSize, left) }, () => `${process.pid}-${made++}`)
    await history.writeBatch(batchOf(ids, false))
    await history.writeBatch(batchOf(ids, true))
  }
}

function batchOf(ids: readonly string[], hasEnded: boolean): Batch {
  sequence += 1
  const now = Date.now()
  const end = hasEnded ? now + 20 : undefined
  return {
    writer: `bench-${process.pid}`,
    sequence,
    executions: ids.map((id) => ({
      id,
      jobName: 'measured',
      taskId: 'measured@-@0@-@READY@-@10.0.0.1@-@1',
      hostname: 'worker-1',
      ip: '10.0.0.1',
      shardingItem: 0,
      source: 'NORMAL_TRIGGER',
      startTime: now,
      completeTime: end,
      isSuccess: hasEnded,
      failureCause: undefined,
    })),
    runs: ids.map((runId) => ({
      runId,
      jobName: 'measured',
      shardingItem: 0,
      instance: '10.0.0.1@-@1',
      source: 'cron',
      fireTime: now,
      attempt: 1,
      retries: 0,
      manualRun: undefined,
      fencingToken: 1n,
      startTime: now,
      lateness: 1,
      completeTime: end,
      duration: hasEnded ? 20 : undefined,
      outcome: hasEnded ? 'success' : undefined,
    })),
    statuses: [],
    logs: [],
    lost: [],
  }
}
