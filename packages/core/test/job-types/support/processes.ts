import { readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended and waits to be looked after does not. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    if (process.platform !== 'linux') return true
    const text = readFileSync(`/proc/${processId}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2)[0] !== 'Z'
  } catch {
    return false
  }
}

/** The number at the end of a line that a script has written. */
export function numberIn(line: string): number {
  return Number(/\d+$/.exec(line)?.[0])
}
