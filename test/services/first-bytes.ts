import { connect } from 'node:net'

/** What a server on this loopback port says first, after a greeting if one is given; empty if nothing. */
export function firstBytes(port: number, greeting?: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('connect', () => {
      if (greeting !== undefined) socket.write(greeting)
    })
    socket.on('data', (chunk: Buffer) => {
      resolve(chunk)
      socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.alloc(0)))
  })
}
