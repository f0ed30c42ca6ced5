import { Socket } from 'node:net'

/** The open sockets of a pool, so that all can be destroyed at once. */
export class Sockets {
  readonly #open = new Set<Socket>()

  create(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Every statement that waits on one of them fails. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy(new Error('The connection was aborted'))
  }
}
