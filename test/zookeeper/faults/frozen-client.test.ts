import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { fileURLToPath } from 'node:url'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { JsonLines } from '../harness/json-lines.ts'
import { exited, spawnOwned } from '../harness/owned-process.ts'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults } from './clients.ts'
import { Log } from './log.ts'

type Told = Readonly<Record<string, unknown>>

faults('a client that is frozen', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  function startProgram(path: string): {
    told: Log<Told>
    freeze: () => void
    thaw: () => void
    end: () => Promise<number | null>
  } {
    const program = fileURLToPath(new URL('frozen-client-program.ts', import.meta.url))
    const child = spawnOwned(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', program, server.connectString, path],
      'pipe',
    )
    const told = new Log<Told>()
    const lines = new JsonLines(child, told.add)
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited(child)
    })
    return {
      told,
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
      end: async () => {
        await lines.end(10_000)
        return child.exitCode
      },
    }
  }

  it('past its session wakes without a lease, and starts again in a new session', async () => {
    const observer = await connectClient({ servers: server.connectString })
    const { told, freeze, thaw, end } = startProgram('/past')
    const isRegistered = ({ event }: Told): boolean => event === 'registered'
    const { owner } = await told.until(isRegistered)
    const gone = new Log<WatchEvent>()
    await observer.zk.exists('/past', { watch: gone.add })

    freeze()
    await gone.until(({ type }) => type === 'deleted')
    const before = told.entries.length
    thaw()

    const again = await told.until(isRegistered, before)
    expect(again['owner']).not.toBe(owner)
    expect(String((await observer.zk.exists('/past'))?.ephemeralOwner)).toBe(again['owner'])
    await told.until(({ event }) => event === 'lease:regained')
    const events = told.entries.map(({ event }) => event)
    expect(events.filter((event) => String(event).startsWith('session:'))).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
    ])
    expect(events.filter((event) => String(event).startsWith('lease:'))).toEqual([
      'lease:ended',
      'lease:regained',
    ])
    expect(told.entries).toContainEqual({ event: 'woke', leaseValid: false })
    // Nothing that the client started keeps the process alive after its close.
    expect(await end()).toBe(0)
    expect(await observer.zk.exists('/past')).toBeUndefined()
  })
})
