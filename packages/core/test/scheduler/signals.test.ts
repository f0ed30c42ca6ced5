import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { drainOnSignals } from '../../src/scheduler/signals.ts'

/** Makes what it starts process 1 of a space of its own, as a container does. Not everybody may. */
const container = ['unshare', '--pid', '--fork', '--kill-child']
const hasContainers =
  spawnSync(container[0] as string, [...container.slice(1), 'true']).status === 0

const program = fileURLToPath(new URL('fixtures/drained.ts', import.meta.url))

describe('a process that is told to end', { timeout: 60_000 }, () => {
  let server: RunningServer
  let child: ChildProcess | undefined
  let lines: AsyncIterator<string>
  let messageParts: string[]

  beforeEach(async () => {
    server = await startServer({ port: 0 })
    messageParts = []
  })

  afterEach(async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    child = undefined
    await server.stop()
  })

  /** Resolves when it is in the middle of a run. */
  async function start({
    isDeaf = false,
    hasHandler = false,
    isContained = false,
  } = {}): Promise<ChildProcess> {
    const options = JSON.stringify({ servers: server.connectString, isDeaf, hasHandler })
    const node = [process.execPath, '--import', 'tsx', '--conditions=source', program, options]
    const [command, ...rest] = isContained ? [...container, ...node] : node
    child = spawn(command as string, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
    lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]()
    await untilPrinted('running')
    return child
  }

  async function untilPrinted(expected: string): Promise<void> {
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      messageParts.push(next.value)
      if (next.value === expected) return
    }
    throw new Error(`it ended without saying ${expected}, after ${messageParts.join(', ')}`)
  }

  /** What is left of it in the registry. */
  async function leftovers(): Promise<string[]> {
    const client = await ZooKeeper.connect({ servers: server.connectString })
    const found = await Promise.all(
      ['/drain/job/instances', '/drain.state/alive'].map(
        async (path) => (await client.children(path)).children,
      ),
    )
    await client.close()
    return found.flat()
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('drains on %s and ends well', async (signal) => {
    const process = await start()
    const ended = once(process, 'exit')
    process.kill(signal)
    await untilPrinted('left')
    expect(await ended).toEqual([0, null])
    expect(messageParts.slice(messageParts.indexOf('aborted'))).toEqual([
      'aborted',
      'completed success',
      'left',
    ])
    expect(await leftovers()).toEqual([])
  })

  it('ends at once when it is told twice', async () => {
    const process = await start({ isDeaf: true })
    const ended = once(process, 'exit')
    process.kill('SIGTERM')
    await untilPrinted('aborted')
    process.kill('SIGTERM')
    expect(await ended).toEqual([143, null])
  })

  // The kernel ignores what process 1 has no handler for, and so it would a signal that is raised again.
  it.skipIf(!hasContainers)('ends well as process 1 of a container (unshare)', async () => {
    const outside = await start({ isContained: true })
    const ended = once(outside, 'exit')
    const children = readFileSync(`/proc/${outside.pid}/task/${outside.pid}/children`, 'utf8')
    process.kill(Number(children), 'SIGTERM')
    await untilPrinted('left')
    expect(await ended).toEqual([0, null])
    expect(messageParts).toContain('pid 1')
    expect(await leftovers()).toEqual([])
  })

  it('leaves the end to a handler of its own', async () => {
    const process = await start({ hasHandler: true })
    const ended = once(process, 'exit')
    process.kill('SIGTERM')
    await untilPrinted('stopped')
    expect(await ended).toEqual([7, null])
    expect(messageParts).toEqual(expect.arrayContaining(['mine', 'aborted', 'left']))
  })
})

describe('drainOnSignals', () => {
  const count = (): number => process.listenerCount('SIGTERM')
  const stop = (): Promise<void> => Promise.resolve()

  it('has one handler for all schedulers, and none without one', () => {
    const before = count()
    const first = drainOnSignals({ stop })
    const second = drainOnSignals({ stop })
    expect(count()).toBe(before + 1)
    first()
    expect(count()).toBe(before + 1)
    second()
    expect(count()).toBe(before)
  })
})
