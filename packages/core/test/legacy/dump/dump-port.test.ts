import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, it } from 'vitest'

import { type Clock, systemClock, type Timer } from '../../../src/clock.ts'
import { DumpPort } from '../../../src/legacy/dump/dump-port.ts'

type TimerClock = Pick<Clock, 'setTimer'>

/** Timers that go off when a test says so. */
class HandClock implements TimerClock {
  readonly timers = new Set<{ callback: () => void; milliseconds: number }>()

  setTimer(callback: () => void, milliseconds: number): Timer {
    const timer = { callback, milliseconds }
    this.timers.add(timer)
    return { cancel: () => void this.timers.delete(timer) }
  }

  /** The timer that is set for the shortest time goes off. */
  ring(): void {
    const [first] = [...this.timers].toSorted((a, b) => a.milliseconds - b.milliseconds)
    if (first === undefined) throw new Error('no timer is set')
    this.timers.delete(first)
    first.callback()
  }
}

let port: DumpPort | undefined
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await port?.close()
  port = undefined
})

async function open(
  answer: (line: string) => Promise<string | undefined>,
  clock: TimerClock = systemClock,
): Promise<DumpPort> {
  port = await DumpPort.open({ host: '127.0.0.1', port: 0, clock, answer })
  return port
}

async function visit(at: DumpPort): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: at.port })
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

async function ask(at: DumpPort, line: string): Promise<string> {
  const socket = await visit(at)
  socket.write(line)
  return text(socket)
}

const echo = async (line: string): Promise<string> => `<${line}>`

describe('DumpPort', () => {
  it.each(['dump@job\n', 'dump@job\r\n', 'dump@job\nmore\n'])(
    'answers the line of %j',
    async (line) => {
      expect(await ask(await open(echo), line)).toBe('<dump@job>')
    },
  )

  it('answers a line that comes in pieces, and one that ends with the connection', async () => {
    const opened = await open(echo)
    const socket = await visit(opened)
    socket.write('dump')
    socket.write('@ü')
    socket.end()
    expect(await text(socket)).toBe('<dump@ü>')
  })

  it('answers nothing to what is no command', async () => {
    expect(await ask(await open(async () => undefined), 'help\n')).toBe('')
  })

  it('says what went wrong', async () => {
    const failing = await open(async () => {
      throw new Error('the registry is out of reach')
    })
    expect(await ask(failing, 'dump@job\n')).toBe('the registry is out of reach\n')
  })

  it('does not read a line without an end', async () => {
    const lines: string[] = []
    const opened = await open(async (line) => {
      lines.push(line)
      return 'never'
    })
    expect(await ask(opened, 'x'.repeat(100_000))).toBe('')
    expect(lines).toEqual([])
  })

  it('serves others while somebody says nothing, and turns that one out', async () => {
    const clock = new HandClock()
    const opened = await open(echo, clock)
    const silent = await visit(opened)
    expect(await ask(opened, 'dump@job\n')).toBe('<dump@job>')
    const messageParts = text(silent)
    clock.ring()
    expect(await messageParts).toBe('')
  })

  it('turns out who does not take the answer', async () => {
    const clock = new HandClock()
    const opened = await open(async () => 'x'.repeat(50_000_000), clock)
    const slow = await visit(opened)
    slow.on('error', () => {})
    slow.write('dump@job\n')
    await once(slow, 'readable')
    expect(clock.timers.size).toBe(1)
    clock.ring()
    const closed = once(slow, 'close')
    slow.resume()
    await closed
    expect(slow.bytesRead).toBeLessThan(50_000_000)
  })

  it('has few places', async () => {
    const opened = await open(echo)
    const guests = await Promise.all(Array.from({ length: 8 }, () => visit(opened)))
    const ninth = await visit(opened)
    expect(await text(ninth)).toBe('')
    const [first] = guests as [Socket]
    first.write('dump@job\n')
    expect(await text(first)).toBe('<dump@job>')
  })

  it('does not open a port that somebody else has', async () => {
    const opened = await open(echo)
    const options = { host: '127.0.0.1', port: opened.port, clock: systemClock, answer: echo }
    await expect(DumpPort.open(options)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('leaves nobody connected when it closes', async () => {
    const opened = await open(echo)
    const messageParts = text(await visit(opened))
    // Who comes later is served: the first is known by then.
    await ask(opened, 'dump@job\n')
    await opened.close()
    port = undefined
    expect(await messageParts).toBe('')
  })
})
