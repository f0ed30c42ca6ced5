/**
 * A port that reads one line and answers it. Clients are not trusted: the port limits the number of connections, the
 * length of the line and the duration of a connection.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

import type { Clock } from '../../clock.ts'
import { messageOf } from '../../thrown.ts'

/** Many times the length of a command with its token and job name. */
const maximumLine = 4096
/** The number of simultaneous connections; the port refuses more. */
const places = 8
/** How long the port waits for the line, in milliseconds. */
const lineLimit = 5000
/** How long a connection may last, in milliseconds. */
const conversationLimit = 30_000

export interface DumpPortOptions {
  readonly host: string
  readonly port: number
  readonly clock: Pick<Clock, 'setTimer'>
  /** The answer to a line; undefined for none. */
  answer(line: string): Promise<string | undefined>
}

export class DumpPort {
  readonly #options: DumpPortOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(options: DumpPortOptions) {
    this.#options = options
    // A client that closes its side may still expect the answer: `echo dump@job | nc …`.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#converse(socket))
    this.#server.maxConnections = places
  }

  static open(options: DumpPortOptions): Promise<DumpPort> {
    const port = new DumpPort(options)
    return new Promise((resolve, reject) => {
      port.#server.once('error', reject)
      port.#server.listen(options.port, options.host, () => {
        port.#server.off('error', reject)
        // A connection that cannot be accepted affects only its client.
        port.#server.on('error', () => {})
        resolve(port)
      })
    })
  }

  /** The actual port, also if the options left the choice to the system. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the port and all its connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #converse(socket: Socket): void {
    const { clock } = this.#options
    this.#sockets.add(socket)
    const end = clock.setTimer(() => socket.destroy(), conversationLimit)
    const silence = clock.setTimer(() => socket.destroy(), lineLimit)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#sockets.delete(socket)
      end.cancel()
      silence.cancel()
    })
    readLine(socket, (line) => {
      silence.cancel()
      void this.#reply(socket, line)
    })
  }

  async #reply(socket: Socket, line: string | undefined): Promise<void> {
    let text: string | undefined
    try {
      text = line === undefined ? undefined : await this.#options.answer(line)
    } catch (error) {
      text = `${messageOf(error)}\n`
    }
    if (!socket.destroyed) socket.end(text ?? '')
  }
}

/** The first line, or the whole text if the client ends before a line break; undefined if the line is too long. */
function readLine(socket: Socket, done: (line: string | undefined) => void): void {
  let text = ''
  let isDone = false
  const finish = (line: string | undefined): void => {
    if (isDone) return
    isDone = true
    // Discard further data, so that it does not keep the connection from closing.
    socket.removeAllListeners('data')
    socket.resume()
    done(line)
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    const end = text.search(/\r|\n/)
    if (end !== -1) finish(text.slice(0, end))
    else if (text.length > maximumLine) finish(undefined)
  })
  socket.on('end', () => finish(text))
}
