import { networkTransport, type Transport } from '@elasticjob/zookeeper'
import { encodeFrame, FrameSplitter } from '../harness/frames.ts'
import { Recorder } from './recorder.ts'

/**
 * A network that holds back what a server sends, and then delivers all of it in one piece: what a
 * client does must not depend on how replies and notifications are cut into chunks.
 */
export class HoldingNetwork {
  readonly transport: Transport
  #deliver: (bytes: Buffer) => void = () => {}
  #passing = Infinity
  #held = new Recorder<Buffer>()

  constructor() {
    const network = networkTransport()
    this.transport = {
      resolve: (host) => network.resolve(host),
      connect: (endpoint, handler) => {
        const splitter = new FrameSplitter()
        this.#deliver = (bytes) => handler.received(bytes)
        return network.connect(endpoint, {
          opened: () => handler.opened(),
          closed: (error) => handler.closed(error),
          received: (chunk) => {
            for (const payload of splitter.push(chunk)) this.#receive(encodeFrame(payload))
          },
        })
      },
    }
  }

  /** Lets so many more frames pass, and holds those that follow. */
  hold(afterFrames = 0): void {
    this.#passing = afterFrames
  }

  /** Resolves when so many frames are held. */
  async holds(frames: number): Promise<void> {
    await this.#held.atLeast(frames)
  }

  /** Delivers the first so many frames that are held in one piece, and goes on to hold the others. */
  deliver(frames: number): void {
    const held = this.#held.seen
    this.#held = new Recorder()
    for (const frame of held.slice(frames)) this.#held.record(frame)
    this.#deliver(Buffer.concat(held.slice(0, frames)))
  }

  /** Delivers all that is held in one piece, and everything else as it comes. */
  release(): void {
    this.#passing = Infinity
    this.deliver(this.#held.seen.length)
  }

  #receive(frame: Buffer): void {
    if (this.#passing > 0) {
      this.#passing--
      this.#deliver(frame)
    } else {
      this.#held.record(frame)
    }
  }
}
