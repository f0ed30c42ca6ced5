import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a port on this machine answers to a line. */
export function askPort(port: number, line: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`${line}\n`)
  return text(socket)
}
