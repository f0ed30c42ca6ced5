import { Socket } from 'node:net'

/** The sockets of a pool, so that all of them can be broken at once. */
export class Sockets {
  readonly #open = new Set<Socket>()

  create(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Whatever waits on one of them fails. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy(new Error('The connection was given up'))
  }
}
