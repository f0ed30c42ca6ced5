import { expect, test } from 'vitest'
import { damageError } from '../../src/persistence/log-damage.ts'
import { LogReader } from '../../src/persistence/log-reader.ts'
import { encodeSeal, RecordEncoder } from '../../src/persistence/log-record.ts'
import { logName } from '../../src/persistence/names.ts'
import { Segment } from '../../src/persistence/segment.ts'
import { MemoryDisk } from './support/disk.ts'

const directoryId = 3n

function record(...zxids: number[]): Buffer {
  const encoder = new RecordEncoder()
  for (const zxid of zxids) encoder.add({ zxid, time: 0, sessionId: 0n, body: { kind: 'none' } })
  return encoder.take()?.frame ?? Buffer.alloc(0)
}

async function segment(disk: MemoryDisk, firstZxid: number, frames: Buffer[]): Promise<void> {
  const created = await Segment.create(disk, directoryId, firstZxid)
  for (const frame of frames) await created.append(frame)
  await created.close()
}

async function read(disk: MemoryDisk, segments: number[], startZxid = 1): Promise<unknown> {
  const zxids: number[] = []
  const reader = new LogReader(disk, segments, directoryId, ({ zxid }) => zxids.push(zxid))
  const end = await reader.read(startZxid)
  if (end.damage !== undefined) throw damageError(end.damage)
  const { firstZxid, lastZxid, transactions, tornTail, unusedFile } = end
  return { zxids, firstZxid, lastZxid, transactions, tornTail, unusedFile }
}

const whole = { tornTail: undefined, unusedFile: undefined }

test('LogReader applies transactions in order, across files', async () => {
  const disk = new MemoryDisk()
  await segment(disk, 1, [record(1), record(2, 3), encodeSeal(4)])
  await segment(disk, 4, [record(4)])
  expect(await read(disk, [1, 4])).toEqual({
    zxids: [1, 2, 3, 4],
    firstZxid: 4,
    lastZxid: 4,
    transactions: 4,
    ...whole,
  })
  expect(await read(disk, [1, 4], 4)).toMatchObject({ zxids: [4], transactions: 1 })
})

test('LogReader ignores a file that was begun before its predecessor was sealed', async () => {
  const disk = new MemoryDisk()
  await segment(disk, 1, [record(1)])
  await segment(disk, 2, [])
  expect(await read(disk, [1, 2])).toMatchObject({
    firstZxid: 1,
    lastZxid: 1,
    tornTail: undefined,
    unusedFile: logName(2),
  })
})

test('LogReader refuses a file of another directory', async () => {
  for (const zxid of [2, 4]) {
    const disk = new MemoryDisk()
    await segment(disk, 1, [record(1, 2)])
    await segment(disk, zxid, [])
    await expect(read(disk, [1, zxid])).rejects.toMatchObject({
      code: 'ZKS_DATA_DIR_CORRUPT',
      file: logName(1),
    })
  }
})

test('LogReader truncates an incomplete seal', async () => {
  const disk = new MemoryDisk()
  await segment(disk, 1, [record(1), encodeSeal(2)])
  await segment(disk, 2, [])
  const file = await disk.open(logName(1), 'write')
  await file.truncate((await file.size()) - 3)
  expect(await read(disk, [1, 2])).toMatchObject({
    lastZxid: 1,
    tornTail: { file: logName(1) },
    unusedFile: logName(2),
  })
})

test.for([
  ['a gap between two records', [record(1), record(3)]],
  ['a record that comes twice', [record(1), record(1)]],
  ['a seal that leaves a gap', [record(1), encodeSeal(3)]],
  ['a record behind the seal', [record(1), encodeSeal(2), record(2)]],
] as const)('%s is refused', async ([, frames]) => {
  const disk = new MemoryDisk()
  await segment(
    disk,
    1,
    frames.map((frame) => Buffer.from(frame)),
  )
  await segment(disk, 2, [])
  await expect(read(disk, [1, 2])).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_CORRUPT',
    file: logName(1),
    offset: expect.any(Number) as number,
  })
})

test('LogReader refuses an intact record that cannot be decoded', async () => {
  const disk = new MemoryDisk()
  const odd = record(1)
  odd.writeInt32BE(99, odd.length - 4)
  await segment(disk, 1, [odd])
  await expect(read(disk, [1])).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_CORRUPT',
    file: logName(1),
    offset: 32,
  })
})
