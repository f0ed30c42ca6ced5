import type { DurabilityListener } from '../../../src/durability.ts'
import { DataDirectory } from '../../../src/persistence/data-directory.ts'
import type { Directory } from '../../../src/persistence/directory.ts'
import type { DataDirectoryEvents } from '../../../src/persistence/events.ts'
import type { DataDirectoryOptions } from '../../../src/persistence/options.ts'
import type { ServerState } from '../../../src/state.ts'
import { emptyState } from './history.ts'

const eventNames = [
  'lock:inherited',
  'log:cut',
  'data:lost',
  'snapshot:set-aside',
  'snapshot:taken',
  'snapshot:failed',
] as const

/** Records the callbacks of a log, and waits for more. */
export class Told implements DurabilityListener {
  zxid = 0
  calls = 0
  failure: Error | undefined
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = []

  durable(zxid: number): void {
    this.calls++
    this.zxid = zxid
    this.#check()
  }

  failed(error: Error): void {
    this.failure = error
    this.#check()
  }

  /** Resolves when the log has reached this zxid, or has failed. */
  async until(zxid: number): Promise<void> {
    await this.#until(() => this.zxid >= zxid || this.failure !== undefined)
  }

  #until(isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isOver, resolve })
      this.#check()
    })
  }

  #check(): void {
    const ended = this.#waiting.filter(({ isOver }) => isOver())
    this.#waiting = this.#waiting.filter((waiting) => !ended.includes(waiting))
    for (const { resolve } of ended) resolve()
  }
}

export interface Opened {
  readonly storage: DataDirectory
  /** The recovered state. */
  readonly state: ServerState
  readonly told: Told
  /** The names of the events so far, in order. */
  readonly events: string[]
}

/** Recovers and starts a directory, with the state of a server or another one. */
export async function open(
  directory: Directory,
  options: DataDirectoryOptions = {},
  source?: ServerState,
  told: Told = new Told(),
): Promise<Opened> {
  const random = { bytes: (count: number) => Buffer.alloc(count, 7) }
  const storage = new DataDirectory(directory, options, random)
  const events: string[] = []
  for (const name of eventNames) storage.events.on(name, () => events.push(name))
  const state = emptyState()
  await storage.recover(state)
  told.zxid = storage.durableZxid
  storage.start(source ?? state, told)
  return { storage, state, told, events }
}

/** The next event of this name. */
export function nextEvent<K extends keyof DataDirectoryEvents>(
  storage: DataDirectory,
  name: K,
): Promise<DataDirectoryEvents[K][0]> {
  return new Promise((resolve) => {
    storage.events.once(name, ((payload: DataDirectoryEvents[K][0]) => resolve(payload)) as never)
  })
}
