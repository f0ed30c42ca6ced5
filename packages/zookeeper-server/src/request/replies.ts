import type { JuteWriter } from '@elasticjob/zookeeper/protocol'
import { writeLong } from '../wire.ts'

/** Begins the frame of a reply; the caller writes the body and ends the frame with the returned mark. */
export function beginReply(writer: JuteWriter, xid: number, zxid: number, error: number): number {
  const mark = writer.beginFrame()
  writer.int(xid)
  writeLong(writer, zxid)
  writer.int(error)
  return mark
}

/** Writes a reply without a body. */
export function writeReply(writer: JuteWriter, xid: number, zxid: number, error: number): void {
  writer.endFrame(beginReply(writer, xid, zxid, error))
}
