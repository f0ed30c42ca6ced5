import { createServer } from 'node:net'
import type { Server } from 'node:net'

/**
 * Ports below the range that Linux gives to outgoing connections (32768 and up). A port from that
 * range could become the source port of somebody's connection while a killed server is down, and
 * the server's restart would fail.
 */
const firstPort = 12_000
const blockSize = 100
const blockCount = 200

/**
 * The blocks of this process. Each is held by a listening socket on its first port, so that test
 * processes that run side by side never hand out the same port, and a dead one frees its blocks
 * without leaving anything behind.
 */
const heldBlocks: Server[] = []

let nextPort = 0
let endOfBlock = 0
let lastRequest: Promise<unknown> = Promise.resolve()

/** Free loopback ports, none of which this or any other test process hands out again. */
export function freePorts(count: number): Promise<number[]> {
  const request = lastRequest.then(() => takePorts(count))
  lastRequest = request.catch(() => undefined)
  return request
}

/** One free loopback port: see {@link freePorts}. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('no port was handed out')
  return port
}

async function takePorts(count: number): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < count) {
    if (nextPort === endOfBlock) await claimBlock()
    const port = nextPort++
    const probe = await listen(port)
    if (probe === undefined) continue
    await close(probe)
    taken.push(port)
  }
  return taken
}

async function claimBlock(): Promise<void> {
  const start = Math.floor(Math.random() * blockCount)
  for (let step = 0; step < blockCount; step++) {
    const block = firstPort + ((start + step) % blockCount) * blockSize
    const lock = await listen(block)
    if (lock === undefined) continue
    lock.unref()
    heldBlocks.push(lock)
    nextPort = block + 1
    endOfBlock = block + blockSize
    return
  }
  throw new Error(`no free block of ports from ${firstPort} on`)
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
