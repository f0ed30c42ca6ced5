import { existsSync } from 'node:fs'
import { cpus } from 'node:os'

/**
 * Which core a side of a measurement has for itself. Left to the scheduler, client and server change
 * places from run to run, and the figures with them.
 */
export type Side = 'server' | 'client'

const taskset = '/usr/bin/taskset'
const coreOf: Readonly<Record<Side, number>> = { server: 0, client: 1 }

/** Whether sides can be pinned: where there are two cores, and Linux's tool for it. */
export const canPin: boolean = existsSync(taskset) && cpus().length >= 2

/** The words to put before a command so that its process stays on its side's core. */
export function launcher(side: Side, pinned: boolean): readonly string[] {
  return pinned ? [taskset, '-c', String(coreOf[side])] : []
}

export function describePinning(pinned: boolean): string {
  if (pinned) return `server on core ${coreOf.server}, client on core ${coreOf.client}`
  return 'no process is bound to a core'
}
