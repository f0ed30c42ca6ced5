import { setTimeout as pass } from 'node:timers/promises'
import { program } from '../measure/build.ts'
import { launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { usageOf } from '../measure/process-usage.ts'
import type { MeasuredServer } from './servers.ts'

export interface IdleUsage {
  readonly rssBefore: number
  readonly rssWith: number
  readonly cpuPercent: number
}

/** Sessions ping every ten seconds: two rounds of that. */
const watchedSeconds = 20

/** What a server needs for sessions that do nothing but live. */
export async function measureIdleSessions(
  server: MeasuredServer,
  sessions: number,
  pinned: boolean,
): Promise<IdleUsage> {
  const before = usageOf(server.pid)
  const holder = await LineProcess.start([
    ...launcher('client', pinned),
    ...program('drivers/idle-sessions.js'),
    server.connectString,
    String(sessions),
  ])
  const opened = usageOf(server.pid)
  await pass(watchedSeconds * 1000)
  const held = usageOf(server.pid)
  await holder.end()
  return {
    rssBefore: before.rssMegabytes,
    rssWith: held.rssMegabytes,
    cpuPercent: ((held.cpuSeconds - opened.cpuSeconds) / watchedSeconds) * 100,
  }
}
