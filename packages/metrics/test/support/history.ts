import type { TracingSource } from '../../src/index.ts'

/** A history that has so many entries waiting, and has dropped so many rows. */
export function historyOf(queued: number, executions: number): TracingSource {
  const dropped = { executions, statuses: 0, logs: 0, lost: 0, ends: 0 }
  return { figures: { database: { queued: { entries: queued }, dropped } } }
}
