import type { JuteWriter } from '@elasticjob/zookeeper/protocol'
import { crc32 } from 'node:zlib'

/**
 * What the files consist of after their header: a length, a checksum, and so many bytes. A frame is
 * the unit that is there or not; what follows it was begun only after it was durable.
 */
export const frameHeaderSize = 8

/** Reserves the room that `completeFrame` fills in. */
export function beginFrame(writer: JuteWriter): void {
  writer.int(0)
  writer.int(0)
}

/** Fills in length and checksum of a frame that will be at this offset of its file. */
export function completeFrame(frame: Buffer, fileSeed: number, offset: number): void {
  frame.writeInt32BE(frame.length - frameHeaderSize, 0)
  frame.writeUInt32BE(checksum(frame.subarray(frameHeaderSize), fileSeed, offset), 4)
}

/**
 * How many bytes the frame at this place has after its header, if there are so many bytes left in
 * its file; nothing if no frame begins like this.
 */
export function payloadLength(bytes: Buffer, at: number, available: number): number | undefined {
  const length = bytes.readInt32BE(at)
  return length > 0 && length <= available - frameHeaderSize ? length : undefined
}

export function isIntact(
  header: Buffer,
  payload: Uint8Array,
  fileSeed: number,
  offset: number,
): boolean {
  return header.readUInt32BE(4) === checksum(payload, fileSeed, offset)
}

/**
 * The same bytes have another checksum in another file or at another place: neither a block that the
 * disk put elsewhere nor a frame inside the data of a node is taken for a frame of this file.
 */
function checksum(payload: Uint8Array, fileSeed: number, offset: number): number {
  return crc32(payload, (fileSeed + offset) >>> 0)
}
