import type { JuteWriter } from '@elasticjob/zookeeper/protocol'
import { crc32 } from 'node:zlib'
import { crc32Start } from './crc32-start.ts'

/**
 * Files consist of frames after their header: a length, a checksum, and the payload. A frame is written as a
 * whole or not at all; the next frame is begun only after it is durable.
 */
export const frameHeaderSize = 8

/** Reserves the header that `completeFrame` fills in. */
export function beginFrame(writer: JuteWriter): void {
  writer.int(0)
  writer.int(0)
}

/** Fills in length and checksum of a frame at this offset of its file. */
export function completeFrame(frame: Buffer, fileSeed: number, offset: number): void {
  frame.writeInt32BE(frame.length - frameHeaderSize, 0)
  frame.writeUInt32BE(checksum(frame.subarray(frameHeaderSize), fileSeed, offset), 4)
}

/**
 * The payload length of the frame at this position, if the file has enough bytes left; undefined if no frame
 * begins here.
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
 * The offset for which an intact frame was written, modulo 2^32. It differs from the actual offset when bytes
 * before the frame were inserted or removed. Arbitrary for bytes that are not a frame.
 */
export function writtenOffset(header: Buffer, payload: Uint8Array, fileSeed: number): number {
  return (crc32Start(payload, header.readUInt32BE(4)) - fileSeed) >>> 0
}

/**
 * The checksum depends on the file and the offset: neither a block that the disk misplaced nor a frame inside
 * the data of a node passes as a frame of this file.
 */
function checksum(payload: Uint8Array, fileSeed: number, offset: number): number {
  return crc32(payload, (fileSeed + offset) >>> 0)
}
