import { expect, test } from 'vitest'
import { completeFrame, frameHeaderSize } from '../../src/persistence/frame.ts'
import { FrameReader } from '../../src/persistence/frame-reader.ts'
import { MemoryDisk } from './support/disk.ts'

const seed = 0xfffffff0

function frameOf(payload: Uint8Array, offset: number): Buffer {
  const frame = Buffer.concat([Buffer.alloc(frameHeaderSize), payload])
  completeFrame(frame, seed, offset)
  return frame
}

function fileOf(payloads: readonly Uint8Array[]): Buffer {
  let bytes: Buffer = Buffer.alloc(0)
  for (const payload of payloads) bytes = Buffer.concat([bytes, frameOf(payload, bytes.length)])
  return bytes
}

async function readerOf(bytes: Buffer): Promise<FrameReader> {
  const file = await MemoryDisk.of(new Map([['it', bytes]])).open('it', 'read')
  return new FrameReader(file, bytes.length, seed, 0)
}

/** The offsets for which the likely frames were written. */
async function writtenOffsets(
  reader: FrameReader,
  isLikely: (prefix: Buffer) => boolean,
): Promise<number[]> {
  const offsets: number[] = []
  await reader.scan(1, isLikely, (_, offset) => offsets.push(offset) > 0)
  return offsets
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test('FrameReader returns frames in order, including frames larger than its window', async () => {
  const payloads = [Buffer.from('a'), Buffer.alloc(3_000_000, 'b'), Buffer.from('c')]
  const reader = await readerOf(fileOf(payloads))
  for (const payload of payloads) {
    const reading = await reader.next()
    expect(reading.kind).toBe('frame')
    expect(reading.kind === 'frame' && payload.equals(reading.payload)).toBe(true)
  }
  expect(await reader.next()).toEqual({ kind: 'end' })
})

test('FrameReader reports damage where it begins', async () => {
  const bytes = fileOf([Buffer.from('one'), Buffer.from('two')])
  const reader = await readerOf(bytes.subarray(0, -1))
  await reader.next()
  const { offset } = reader
  expect((await reader.next()).kind).toBe('damage')
  expect(reader.offset).toBe(offset)
  expect(offset).toBe(frameHeaderSize + 3)
})

test('FrameReader does not accept zeros as frames', async () => {
  const reader = await readerOf(Buffer.alloc(100))
  expect((await reader.next()).kind).toBe('damage')
  expect(await writtenOffsets(reader, () => true)).toEqual([])
})

test('FrameReader accepts a frame only at its own offset', async () => {
  const misplaced = Buffer.concat([frameOf(Buffer.from('x'), 0), frameOf(Buffer.from('y'), 0)])
  const reader = await readerOf(misplaced)
  expect((await reader.next()).kind).toBe('frame')
  expect((await reader.next()).kind).toBe('damage')
})

test('FrameReader.scan finds a frame behind the damage at any offset', async () => {
  // Near the damage, and at the end of the window.
  const gaps = [...range(1, 20), ...range(1024 * 1024 - 12, 1024 * 1024 + 2)]
  for (const gap of gaps) {
    const garbage = Buffer.alloc(gap, 0xff)
    const bytes = Buffer.concat([garbage, frameOf(Buffer.from('behind'), gap)])
    const reader = await readerOf(bytes)
    expect((await reader.next()).kind).toBe('damage')
    expect(await writtenOffsets(reader, (prefix) => prefix.toString() === 'b')).toEqual([gap])
    expect(await writtenOffsets(reader, (prefix) => prefix.toString() === 'x')).toEqual([])
  }
})

test('FrameReader.scan returns the offset for which a moved frame was written', async () => {
  const moved = [frameOf(Buffer.from('bat'), 5), Buffer.alloc(9), frameOf(Buffer.from('bee'), 4000)]
  const reader = await readerOf(Buffer.concat([Buffer.alloc(30, 0xff), ...moved]))
  expect(await writtenOffsets(reader, (prefix) => prefix.toString() === 'b')).toEqual([5, 4000])
})
