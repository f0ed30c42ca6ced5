import { type AclEntry, type Request, slotCount } from '../operations/operation.ts'
import { settings } from '../servers/steerable-server.ts'
import type { Side } from './side.ts'

/** The slot of a connection with all permissions. */
export const janitorSlot: number = slotCount

const everybody: readonly AclEntry[] = [[31, 'world', 'anyone']]
const systemPaths: ReadonlySet<string> = new Set([
  '/',
  '/zookeeper',
  '/zookeeper/quota',
  '/zookeeper/config',
])

/** Resets both servers to their initial state. */
export class Janitor {
  readonly #paths: () => readonly string[]

  /** `paths` are those of all nodes, parents first. */
  constructor(paths: () => readonly string[]) {
    this.#paths = paths
  }

  async wipe(side: Side): Promise<void> {
    // Before either of the two sides changes anything.
    const paths = this.#paths().filter((path) => !systemPaths.has(path))
    await this.#enter(side)
    await side.request(janitorSlot, paths.toReversed().map(remove))
    await side.request(janitorSlot, [
      ...['/', '/zookeeper', '/zookeeper/quota'].map(open),
      { do: 'getAllChildrenNumber', on: janitorSlot, path: '/' },
    ])
  }

  async #enter(side: Side): Promise<void> {
    if (side.isConnected(janitorSlot)) return
    await side.connect({
      do: 'connect',
      on: janitorSlot,
      password: 'right',
      timeout: settings.minSessionTimeout,
      seen: 'nothing',
      readOnly: false,
    })
    const { superUser } = settings
    await side.requestAlone(janitorSlot, {
      do: 'auth',
      on: janitorSlot,
      scheme: 'digest',
      auth: superUser,
    })
  }
}

function remove(path: string): Request {
  return { do: 'delete', on: janitorSlot, path, version: -1 }
}

function open(path: string): Request {
  return { do: 'setAcl', on: janitorSlot, path, acl: everybody, version: -1 }
}
