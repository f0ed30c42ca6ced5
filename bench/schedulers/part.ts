/** What the parts of the comparison have in common. */
import { setTimeout as pass } from 'node:timers/promises'
import type { WantedJob } from '../drivers/schedulers/contract.ts'
import { type MeasuredServer, startReal } from '../server/servers.ts'
import type { Section } from '../report/report.ts'
import type { Sides } from './sides.ts'

export interface Part {
  /** What `--only` is looked for in. */
  readonly title: string
  readonly measure: (sides: Sides, quick: boolean) => Promise<readonly Section[]>
}

/** When nobody measures any more; Quartz looks no further than a hundred years ahead. */
const never = '0 0 0 1 1 ? 2099'

export const everySecond = '* * * * * ?'

/** A job that never fires, has one shard and does nothing, unless it is said otherwise. */
export function job(name: string, options: Partial<WantedJob> = {}): WantedJob {
  return { name, cron: never, shards: 1, failover: false, lingers: false, ...options }
}

/** A fresh server, of which nothing remains. */
export async function onServer<T>(
  run: (server: MeasuredServer) => Promise<T>,
  tickTime = 2_000,
): Promise<T> {
  // Java works with many threads: a core of its own would hold it back.
  const server = await startReal({ pinned: false, fsync: false, durable: false, tickTime })
  try {
    return await run(server)
  } finally {
    await server.stop()
  }
}

/** Resolves in the middle between two seconds, so many of them later. */
export async function seconds(count: number): Promise<void> {
  const now = Date.now()
  const middle = Math.floor(now / 1000) * 1000 + 500
  await pass(Math.max(middle + count * 1000 - now, 0))
}

export function shards(count: number): string {
  return `${count.toLocaleString('en')} shard${count === 1 ? '' : 's'}`
}
