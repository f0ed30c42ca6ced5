import {
  JuteWriter,
  keeperState,
  reservedXid,
  writeWatcherEvent,
} from '@elasticjob/zookeeper/protocol'
import type { Peer } from './peer.ts'
import { writeLong } from './wire.ts'

/** The zxid that a notification carries before 3.9: none. */
const noZxid = -1

/**
 * Sends notifications. The client whose request is being answered finds its own between its
 * replies, before the one to the request that caused it; everybody else is sent one and the same
 * frame.
 */
export class Notifications {
  /** Where replies to the current request are written. */
  readonly #output: JuteWriter
  readonly #writer = new JuteWriter()
  /** The client whose request is being answered. */
  current: Peer | undefined
  /** How many were sent. */
  count = 0
  #lastType = 0
  #lastPath = ''
  #lastFrame: Uint8Array | undefined

  constructor(output: JuteWriter) {
    this.#output = output
  }

  deliver(peer: Peer, type: number, path: string): void {
    this.count++
    if (peer === this.current) {
      writeNotification(this.#output, type, path)
    } else if (!peer.isClosed) {
      peer.link.send(this.#frame(type, path))
    }
  }

  #frame(type: number, path: string): Uint8Array {
    if (this.#lastFrame === undefined || type !== this.#lastType || path !== this.#lastPath) {
      writeNotification(this.#writer, type, path)
      this.#lastFrame = this.#writer.take()
      this.#lastType = type
      this.#lastPath = path
    }
    return this.#lastFrame
  }
}

function writeNotification(writer: JuteWriter, type: number, path: string): void {
  const mark = writer.beginFrame()
  writer.int(reservedXid.notification)
  writeLong(writer, noZxid)
  writer.int(0)
  writeWatcherEvent(writer, { type, state: keeperState.syncConnected, path })
  writer.endFrame(mark)
}
