import type { DataDirectoryOptions } from '../../../src/persistence/options.ts'
import type { MemoryDisk, Operation } from './disk.ts'
import { systemError } from './disk.ts'
import { fractions, History } from './history.ts'
import { open, Told } from './storage.ts'

/** The activity of a server on a disk, deterministic for its numbers. */
export interface Scenario {
  readonly seed: number
  readonly transactions: number
  readonly dataSize: number
  readonly options: DataDirectoryOptions
}

export interface Lived {
  readonly history: History
  /** The last transaction that clients were told of. */
  readonly toldZxid: number
  /** The number of snapshots. */
  readonly snapshots: number
}

/**
 * Runs a scenario until its end or until the disk fails. Transactions arrive alone and in bursts, while the
 * log is busy and while it is idle, before, during and after snapshots.
 */
export async function live(disk: MemoryDisk, scenario: Scenario): Promise<Lived> {
  const fraction = fractions(scenario.seed)
  const history = new History(fraction)
  const told = new Told()
  let snapshots = 0
  try {
    const { storage } = await open(disk, scenario.options, history.state, told)
    storage.events.on('snapshot:taken', () => snapshots++)
    while (history.state.lastZxid < scenario.transactions && told.failure === undefined) {
      const burst = 1 + Math.floor(fraction() * 5)
      for (let i = 0; i < burst; i++) storage.append(history.next(scenario.dataSize))
      if (fraction() < 0.3) await told.until(history.state.lastZxid)
      else await turns(Math.floor(fraction() * 25))
    }
    await told.until(history.state.lastZxid)
    await storage.close()
  } catch (error) {
    if (!isCrash(error)) throw error
  }
  return { history, toldZxid: told.zxid, snapshots }
}

/** Yields a number of times that depends only on the argument. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve()
}

/** From this operation on nothing reaches the disk; half of this operation may. */
export function crashAt(disk: MemoryDisk, number: number): void {
  disk.failure = ({ kind, name }: Operation) => {
    const beyond = disk.operations.length - 1 - number
    if (beyond < 0) return undefined
    const error = systemError(crashCode, `${kind} ${name}`)
    return { error, done: beyond === 0 ? 0.5 : 0 }
  }
}

const crashCode = 'ECRASHED'

function isCrash(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(crashCode)
}
