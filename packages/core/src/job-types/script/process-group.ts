import { readdirSync, readFileSync } from 'node:fs'

/** A process that was started as the leader of a group, with all that it has started in turn. */
export class ProcessGroup {
  readonly #id: number
  #isGone = false

  constructor(leader: number) {
    this.#id = leader
  }

  /** Whether there is anybody left. Once there is not, the number may belong to somebody else. */
  isAlive(): boolean {
    if (!this.#isGone) this.#isGone = !this.#signal(0) || !hasLiveMember(this.#id)
    return !this.#isGone
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#isGone) this.#signal(name)
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      // Windows has no groups: there the leader stands for all.
      process.kill(process.platform === 'win32' ? this.#id : -this.#id, signal)
      return true
    } catch (error) {
      // One that may not be signalled is there all the same.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  }
}

/**
 * Orphans end as zombies where the process 1 of a container does not look after them, and a zombie
 * can be signalled as if it lived. Only Linux can be asked; elsewhere process 1 does its duty.
 */
function hasLiveMember(group: number): boolean {
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && livesIn(group, entry))
}

function livesIn(group: number, processId: string): boolean {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'latin1')
    // The name, in parentheses, may hold anything; after it come the state, the parent, the group.
    const [state, , processGroup] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
  } catch {
    // It ended in between.
    return false
  }
}
