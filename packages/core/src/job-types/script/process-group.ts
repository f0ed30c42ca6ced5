import { readdirSync, readFileSync } from 'node:fs'

/** A process group: its leader and all processes that the leader has started. */
export class ProcessGroup {
  readonly #id: number
  #isGone = false

  constructor(leader: number) {
    this.#id = leader
  }

  /** Whether the group has a live member. After its end, the system may reuse its id for another group. */
  isAlive(): boolean {
    if (!this.#isGone) this.#isGone = !this.#signal(0) || !hasLiveMember(this.#id)
    return !this.#isGone
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#isGone) this.#signal(name)
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      // Windows has no process groups: the signal goes to the leader only.
      process.kill(process.platform === 'win32' ? this.#id : -this.#id, signal)
      return true
    } catch (error) {
      // A process that must not be signalled still exists.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  }
}

/**
 * Orphans stay zombies if process 1 of a container does not reap them, and a signal to a zombie succeeds as if it were
 * alive. Only Linux shows the state of a process; on other systems process 1 reaps orphans.
 */
function hasLiveMember(group: number): boolean {
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && livesIn(group, entry))
}

function livesIn(group: number, processId: string): boolean {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'latin1')
    // The name in parentheses may contain any characters; the state, the parent and the group follow it.
    const [state, , processGroup] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    // The process ended in the meantime.
    return false
  }
}
