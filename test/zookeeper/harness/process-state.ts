import { existsSync, readFileSync, readdirSync } from 'node:fs'

/**
 * Whether a stop signal has reached every thread. The signal is sent at once but threads stop one
 * by one: without this, a server that was "paused" may still answer one more request. Where there
 * is no /proc to ask, the signal is believed.
 */
export function threadsStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return true
  return readdirSync(tasks).every((task) => {
    // The state follows the program's name, which is in parentheses and may hold anything.
    const status = readFileSync(`${tasks}/${task}/stat`, 'utf8')
    return status.slice(status.lastIndexOf(')') + 2).startsWith('T')
  })
}
