import type { TracingSource } from '../../src/index.ts'

/** A history with this many queued entries and dropped rows. */
export function historyOf(queued: number, executions: number): TracingSource {
  const dropped = { executions, statuses: 0, logs: 0, lost: 0, ends: 0 }
  return { metrics: { database: { queued: { entries: queued }, dropped } } }
}
