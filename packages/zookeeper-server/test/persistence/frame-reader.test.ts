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

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test('frames come in their order, longer than what is read at once too', async () => {
  const payloads = [Buffer.from('a'), Buffer.alloc(3_000_000, 'b'), Buffer.from('c')]
  const reader = await readerOf(fileOf(payloads))
  for (const payload of payloads) {
    const reading = await reader.next()
    expect(reading.kind).toBe('frame')
    expect(reading.kind === 'frame' && payload.equals(reading.payload)).toBe(true)
  }
  expect(await reader.next()).toEqual({ kind: 'end' })
})

test('damage is met where it begins', async () => {
  const bytes = fileOf([Buffer.from('one'), Buffer.from('two')])
  const reader = await readerOf(bytes.subarray(0, -1))
  await reader.next()
  const { offset } = reader
  expect((await reader.next()).kind).toBe('damage')
  expect(reader.offset).toBe(offset)
  expect(offset).toBe(frameHeaderSize + 3)
})

test('zeros are no frames', async () => {
  const reader = await readerOf(Buffer.alloc(100))
  expect((await reader.next()).kind).toBe('damage')
  expect(await reader.findsFrameBehind(1, () => true)).toBe(false)
})

test('a frame counts only at the place it was made for', async () => {
  const misplaced = Buffer.concat([frameOf(Buffer.from('x'), 0), frameOf(Buffer.from('y'), 0)])
  const reader = await readerOf(misplaced)
  expect((await reader.next()).kind).toBe('frame')
  expect((await reader.next()).kind).toBe('damage')
})

test('a frame behind the damage is found, wherever it begins', async () => {
  // Near the damage, and where what is read at once ends.
  const gaps = [...range(1, 20), ...range(1024 * 1024 - 12, 1024 * 1024 + 2)]
  for (const gap of gaps) {
    const garbage = Buffer.alloc(gap, 0xff)
    const bytes = Buffer.concat([garbage, frameOf(Buffer.from('behind'), gap)])
    const reader = await readerOf(bytes)
    expect((await reader.next()).kind).toBe('damage')
    expect(await reader.findsFrameBehind(1, (prefix) => prefix.toString() === 'b')).toBe(true)
    expect(await reader.findsFrameBehind(1, (prefix) => prefix.toString() === 'x')).toBe(false)
  }
})
