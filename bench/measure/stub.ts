import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { exited, spawnOwned } from '../../test/zookeeper/harness/owned-process.ts'
import { program } from './build.ts'
import { launcher } from './cores.ts'

export interface StubServer {
  readonly connectString: string
  stop(): Promise<void>
}

/** Starts the stub in a process of its own. */
export async function startStub(pinned: boolean): Promise<StubServer> {
  const [file = '', ...args] = [...launcher('server', pinned), ...program('drivers/stub-server.js')]
  const child = spawnOwned(file, args, ['pipe', 'pipe', 'inherit'])
  if (child.stdout === null) throw new Error('the stub has no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { port } = JSON.parse(line) as { port: number }
  return {
    connectString: `127.0.0.1:${port}`,
    async stop() {
      child.stdin?.end()
      await exited(child)
    },
  }
}
