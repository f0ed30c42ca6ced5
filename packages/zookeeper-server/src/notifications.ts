import {
  JuteWriter,
  keeperState,
  reservedXid,
  writeWatcherEvent,
} from '@elasticjob/zookeeper/protocol'
import type { Peer } from './peer.ts'
import { writeLong } from './wire.ts'

/** Servers before 3.9 send no zxid in a notification. */
const noZxid = -1

/**
 * Sends notifications. The client of the current request receives its own between its replies, before the
 * reply to the request that caused them; all other clients share one frame.
 */
export class Notifications {
  /** The output of the current request. */
  readonly #output: JuteWriter
  readonly #writer = new JuteWriter()
  /** The client of the current request. */
  current: Peer | undefined
  /** The number of notifications sent. */
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
