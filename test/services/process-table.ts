/** What Linux knows of processes; nothing where there is no /proc to ask. */
import { readdirSync, readFileSync } from 'node:fs'

/** The processes that this one has started, by their ids. */
export function childrenOf(parent: number): number[] {
  const parentLine = new RegExp(`^PPid:\\s+${parent}$`, 'm')
  return processIds().filter((pid) => parentLine.test(statusOf(pid)))
}

/** Whether a process has ended and its parent has not asked for it yet. */
export function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(statusOf(pid))
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** Empty when the process has ended meanwhile. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
