/**
 * A port that reads one line and answers it. Whoever connects is nobody in particular: there are few
 * places, a line has an end, and nobody keeps a place for long.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

import type { Clock } from '../../clock.ts'
import { messageOf } from '../../thrown.ts'

/** A command, a token and a job's name fit into it many times. */
const maximumLine = 4096
/** So many may be connected at once; others are turned away. */
const places = 8
/** How long a line may take to come, in milliseconds. */
const lineLimit = 5000
/** How long the whole conversation may take, in milliseconds. */
const conversationLimit = 30_000

export interface DumpPortOptions {
  readonly host: string
  readonly port: number
  readonly clock: Pick<Clock, 'setTimer'>
  /** What is answered to a line; undefined for nothing. */
  answer(line: string): Promise<string | undefined>
}

export class DumpPort {
  readonly #options: DumpPortOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(options: DumpPortOptions) {
    this.#options = options
    // Whoever says nothing more may still want the answer: `echo dump@job | nc …`.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#converse(socket))
    this.#server.maxConnections = places
  }

  static open(options: DumpPortOptions): Promise<DumpPort> {
    const port = new DumpPort(options)
    return new Promise((resolve, reject) => {
      port.#server.once('error', reject)
      port.#server.listen(options.port, options.host, () => {
        port.#server.off('error', reject)
        // A connection that could not be taken is the loss of whoever made it.
        port.#server.on('error', () => {})
        resolve(port)
      })
    })
  }

  /** The port that it is, if any was asked for. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Nobody is answered any more. */
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

/** The first line, or all there is if the other side ends before; undefined if it is too long. */
function readLine(socket: Socket, done: (line: string | undefined) => void): void {
  let text = ''
  let isDone = false
  const finish = (line: string | undefined): void => {
    if (isDone) return
    isDone = true
    // What comes now is of no interest, and must not keep the connection from closing.
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
