/** What becomes of the history, and of nothing else, when its database is in trouble. */
import { setImmediate as nextTurn } from 'node:timers/promises'

import { Tracing, type RecorderMetrics } from '@elasticjob/tracing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { eventually } from '../../zookeeper/harness/eventually.ts'
import { countRows, databaseKinds, lockTable, type Server } from './support/databases.ts'
import { Fires } from './support/fires.ts'

const queueEntries = 3000

function metricsOf(tracing: Tracing): RecorderMetrics {
  const [metrics] = Object.values(tracing.metrics)
  if (metrics === undefined) throw new Error('nothing is recorded yet')
  return metrics
}

describe.for(databaseKinds)('$name', (kind) => {
  let server: Server

  beforeAll(async () => {
    if (kind.isAvailable) server = await kind.start()
  })
  afterAll(async () => {
    if (kind.isAvailable) await server.stop()
  })

  /** A recording in the middle of its work, whose database has something of it already. */
  async function atWork(): Promise<{ tracing: Tracing; fires: Fires }> {
    const fires = new Fires()
    const tracing = new Tracing(fires.jobs, {
      url: server.url,
      timeout: 1500,
      queueEntries,
      flushInterval: 50,
      retention: false,
      logger: false,
    })
    onTestFinished(() => tracing.stop())
    await fires.run(500)
    await tracing.flush(30_000)
    expect(metricsOf(tracing)).toMatchObject({ written: { executions: 500 }, lastError: undefined })
    return { tracing, fires }
  }

  interface Fault {
    readonly name: string
    /** Begins it; the answer ends it. */
    begin(): Promise<() => Promise<void> | void>
  }

  const faults: readonly Fault[] = [
    {
      name: 'is killed and comes back',
      async begin() {
        await server.kill()
        return () => server.start()
      },
    },
    {
      name: 'stands still and goes on',
      async begin() {
        await server.pause()
        return () => server.resume()
      },
    },
    { name: 'has its table locked', begin: () => lockTable(kind, server) },
  ]

  test.for(faults)('$name: what is missing is right to the row', async (fault, { skip }) => {
    if (!kind.isAvailable) skip('npm run setup:databases')
    const before = await atWork()
    const { tracing, fires } = before
    const rowsBefore = await countRows(kind, server)
    // Some are in the middle of their run, and end while nothing can be written.
    const long = Array.from({ length: 20 }, () => fires.begin())
    await tracing.flush(30_000)
    const end = await fault.begin()
    await fires.run(queueEntries)
    const failed = eventually(() => metricsOf(tracing).failures.inARow || undefined, {
      what: 'a write that fails',
    })
    for (const run of long) fires.end(run)
    for (let index = 0; index < 10; index++) {
      await fires.run(queueEntries / 5)
      expect(metricsOf(tracing).queued.entries).toBeLessThanOrEqual(queueEntries)
      await nextTurn()
    }
    await failed
    await end()
    await fires.run(100)
    await tracing.flush(60_000)
    const { dropped, queued, written } = metricsOf(tracing)
    expect(queued).toEqual({ entries: 0, bytes: 0 })
    expect(dropped.executions).toBeGreaterThan(queueEntries)
    const rows = await countRows(kind, server)
    const told = fires.runIds.length - 500
    expect(rows.executions - rowsBefore.executions).toBe(told - dropped.executions)
    expect(rows.runs).toBe(rows.executions)
    expect(rows.statuses - rowsBefore.statuses).toBe(told * 3 - dropped.statuses)
    expect(rows.logs - rowsBefore.logs).toBe(told - 20 - dropped.logs)
    expect(rows.open).toBe(0)
    expect(dropped.ends).toBe(0)
    expect(written.executions - 500).toBe(told - dropped.executions)
    const history = await tracing.history()
    const last = fires.runIds.at(-1) as string
    expect(await history.run(last)).toMatchObject({ execution: { outcome: 'success' } })
  })
})
