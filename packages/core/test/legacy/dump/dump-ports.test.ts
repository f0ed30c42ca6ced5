import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { systemClock } from '../../../src/clock.ts'
import { type DumpOptions, resolveDump } from '../../../src/config/dump-options.ts'
import { DumpPorts } from '../../../src/legacy/dump/dump-ports.ts'
import type { ElasticJobEvents } from '../../../src/events.ts'
import { askPort } from '../../support/ask-port.ts'

type Told = { readonly name: string } & Partial<ElasticJobEvents['dump:failed'][0]>

let told: Told[]
let listeners: (() => void)[]
let ports: DumpPorts

beforeEach(() => {
  told = []
  listeners = []
})

afterEach(() => ports.stop())

function make(options: DumpOptions = {}): DumpPorts {
  ports = new DumpPorts(resolveDump(options), {
    clock: systemClock,
    emit: (name, ...[payload]) => {
      told.push({ name, ...(payload as object) })
      for (const listener of listeners.splice(0)) listener()
    },
    dump: async (jobName) => `dump of ${jobName}\n`,
  })
  return ports
}

async function untilTold(count: number): Promise<Told> {
  while (told.length < count) await new Promise<void>((resolve) => listeners.push(resolve))
  return told[count - 1] as Told
}

describe('the port of a process', () => {
  it('is not opened unless it is asked for', async () => {
    await make().start()
    expect(told).toEqual([])
  })

  it('answers dump@job on the loopback, and nothing else', async () => {
    await make({ port: 0 }).start()
    const { port = 0 } = told[0] as Told
    expect(told).toEqual([{ name: 'dump:listening', jobName: undefined, host: '127.0.0.1', port }])
    expect(await askPort(port, 'dump@job')).toBe('dump of job\n')
    expect(await askPort(port, 'dump')).toBe('')
    expect(await askPort(port, 'unknown')).toBe('')
  })

  it('wants its token, on whatever address', async () => {
    await make({ port: 0, host: '0.0.0.0', token: 'open-sesame' }).start()
    const { port = 0 } = told[0] as Told
    expect(await askPort(port, 'dump@job')).toContain('this port wants its token')
    expect(await askPort(port, 'open-sesama dump@job')).toContain('this port wants its token')
    expect(await askPort(port, 'open-sesame dump@job')).toBe('dump of job\n')
  })

  it('that somebody else has is told, and no reason to stop', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await make({ port }).start()
    expect(told).toMatchObject([
      {
        name: 'dump:failed',
        jobName: undefined,
        host: '127.0.0.1',
        port,
        error: { code: 'EADDRINUSE' },
      },
    ])
    other.close()
    await once(other, 'close')
  })

  it('is closed when it is stopped', async () => {
    await make({ port: 0 }).start()
    const { port = 0 } = told[0] as Told
    await ports.stop()
    await expect(askPort(port, 'dump@job')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the port of a job', () => {
  it('answers dump, as 1.x and 2.x do, for that job alone', async () => {
    make().follow('job', 0)
    const { jobName, port = 0 } = await untilTold(1)
    expect(jobName).toBe('job')
    expect(await askPort(port, 'dump')).toBe('dump of job\n')
    expect(await askPort(port, 'dump@other')).toBe('')
  })

  it('moves and closes as the job wants it', async () => {
    make().follow('job', 0)
    const { port: first = 0 } = await untilTold(1)
    ports.follow('job', first)
    const { port: second } = await untilTold(2)
    // The same port can be had again only by closing it before.
    expect([second, told[1]?.name]).toEqual([first, 'dump:listening'])
    ports.follow('job', undefined)
    ports.follow('other', first)
    expect(await untilTold(3)).toMatchObject({ name: 'dump:listening', jobName: 'other' })
    expect(await askPort(first, 'dump')).toBe('dump of other\n')
  })

  it('is opened once, however often it is wanted, and not after the end', async () => {
    make().follow('job', 0)
    ports.follow('job', 0)
    await untilTold(1)
    await ports.stop()
    ports.follow('late', 0)
    await ports.stop()
    expect(told).toHaveLength(1)
  })
})
