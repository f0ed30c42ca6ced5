import { serverMode } from '../../test/zookeeper/harness/four-letter.ts'
import { eventually } from '../../test/zookeeper/harness/eventually.ts'
import { ownedDirectory, removeOwnedDirectory } from '../../test/zookeeper/harness/owned-process.ts'
import { startStandalone } from '../../test/zookeeper/harness/standalone.ts'
import { program } from '../measure/build.ts'
import { launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'

/** A server that is measured. */
export interface MeasuredServer {
  readonly connectString: string
  readonly pid: number
  /** Ends the process as a crash does, starts it again on its data, and gives the seconds until it serves. */
  restart(): Promise<number>
  stop(): Promise<void>
}

export interface ServerSettings {
  readonly pinned: boolean
  /** Whether a write is on the disk before it is answered. */
  readonly fsync: boolean
  /** Whether the state has to outlast the process. The real server always writes its log. */
  readonly durable: boolean
  /**
   * The real server's unit of time, in milliseconds.
   * @default 2000
   */
  readonly tickTime?: number
}

/** The heap of the real server: a million nodes need more than its usual one. */
export const realHeap = '2g'

const servingTimeoutMs = 120_000

export async function startReal({
  pinned,
  fsync,
  tickTime = 2_000,
}: ServerSettings): Promise<MeasuredServer> {
  const server = await startStandalone({
    tickTime,
    forceSync: fsync,
    maxHeap: realHeap,
    launcher: launcher('server', pinned),
  })
  return {
    connectString: server.connectString,
    get pid() {
      return server.pid ?? 0
    },
    async restart() {
      await server.kill()
      return secondsUntilServing(() => {
        server.spawn()
        return server.port
      })
    },
    stop: () => server.stop(),
  }
}

export async function startEmbedded({ pinned, durable }: ServerSettings): Promise<MeasuredServer> {
  const directory = durable ? await ownedDirectory('bench-embedded') : undefined
  const command = [
    ...launcher('server', pinned),
    ...program('drivers/embedded-server.js'),
    ...(directory === undefined ? [] : [directory]),
  ]
  const start = (): Promise<LineProcess<{ port: number }>> => LineProcess.start(command)
  let running = await start()
  return {
    get connectString() {
      return `127.0.0.1:${running.greeting.port}`
    },
    get pid() {
      return running.pid
    },
    async restart() {
      running.kill()
      await running.end()
      return secondsUntilServing(async () => {
        running = await start()
        return running.greeting.port
      })
    },
    async stop() {
      await running.end()
      if (directory !== undefined) removeOwnedDirectory(directory)
    },
  }
}

/** Both are asked in the same way, by a four-letter word. */
async function secondsUntilServing(start: () => Promise<number> | number): Promise<number> {
  const started = performance.now()
  const port = await start()
  await eventually(() => serverMode(port), {
    what: 'a serving server',
    timeoutMs: servingTimeoutMs,
    intervalMs: 5,
  })
  return (performance.now() - started) / 1000
}
