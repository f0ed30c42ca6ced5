import { expect, test } from 'vitest'
import { type LogListener, LogWriter } from '../../src/persistence/log-writer.ts'
import { logName } from '../../src/persistence/names.ts'
import { Segment } from '../../src/persistence/segment.ts'
import type { Transaction } from '../../src/transaction.ts'
import { MemoryDisk, systemError } from './support/disk.ts'
import { frameOffsets } from './support/files.ts'
import { Told } from './support/storage.ts'

function transaction(zxid: number, size = 10): Transaction {
  const data = Buffer.alloc(size, zxid)
  const body = { kind: 'setData', path: '/a', data, version: zxid } as const
  return { zxid, time: zxid, sessionId: 1n, body }
}

async function startWriter(
  disk: MemoryDisk,
  fsync = true,
): Promise<{ writer: LogWriter; told: Told }> {
  const told = new Told()
  const listener: LogListener = {
    written: (zxid) => told.durable(zxid),
    failed: (error) => told.failed(error),
  }
  const segment = await Segment.create(disk, 5n, 1)
  disk.operations.length = 0
  const options = { directory: disk, directoryId: 5n, fsync }
  return { writer: new LogWriter(options, listener, segment, 0), told }
}

function kindsOf(disk: MemoryDisk): string[] {
  return disk.operations.map(({ kind }) => kind)
}

test('LogWriter writes and syncs transactions of one turn together', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  for (let zxid = 1; zxid <= 50; zxid++) writer.append(transaction(zxid))
  expect(disk.operations).toEqual([])
  await told.until(50)
  expect(kindsOf(disk)).toEqual(['write', 'syncFile'])
  expect(told.calls).toBe(1)
  await writer.close()
})

test('LogWriter collects transactions during a write for the next one', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  writer.append(transaction(1))
  disk.failure = ({ kind }) => {
    // The sync of the first write is in progress.
    if (kind === 'syncFile' && writer.lastZxid === 1) {
      for (let zxid = 2; zxid <= 30; zxid++) writer.append(transaction(zxid))
    }
    return undefined
  }
  await told.until(1)
  expect(told.zxid).toBe(1)
  await told.until(30)
  expect(kindsOf(disk)).toEqual(['write', 'syncFile', 'write', 'syncFile'])
  await writer.close()
})

test('LogWriter reports nothing as durable before the sync', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  const before: number[] = []
  disk.failure = () => {
    before.push(told.zxid)
    return undefined
  }
  writer.append(transaction(1))
  await told.until(1)
  expect(before).toEqual([0, 0])
  await writer.close()
})

test('LogWriter without fsync reports a write as durable', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk, false)
  writer.append(transaction(1))
  await told.until(1)
  expect(kindsOf(disk)).toEqual(['write'])
  await writer.sync()
  expect(kindsOf(disk)).toEqual(['write', 'syncFile'])
  await writer.close()
})

test('LogWriter splits large batches into frames of a few megabytes', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  for (let zxid = 1; zxid <= 10; zxid++) writer.append(transaction(zxid, 1_000_000))
  await told.until(10)
  expect(frameOffsets(disk.files.get(logName(1)) as Buffer)).toHaveLength(2)
  await writer.close()
})

test('LogWriter.rotate separates earlier from later transactions', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  writer.append(transaction(1))
  writer.append(transaction(2))
  const rotated = writer.rotate()
  writer.append(transaction(3))
  await rotated
  await told.until(3)
  await writer.close()
  expect([...disk.files.keys()].toSorted()).toEqual([logName(1), logName(3)])
  expect(frameOffsets(disk.files.get(logName(1)) as Buffer)).toHaveLength(2)
  expect(frameOffsets(disk.files.get(logName(3)) as Buffer)).toHaveLength(1)
})

test.for(['write', 'syncFile'] as const)(
  'LogWriter fails permanently after a failed %s',
  async (kind) => {
    const disk = new MemoryDisk()
    const { writer, told } = await startWriter(disk)
    writer.append(transaction(1))
    await told.until(1)
    const error = systemError('ENOSPC', 'no space left on device')
    let isFull = true
    disk.failure = (operation) =>
      isFull && operation.kind === kind ? { error, done: 0.5 } : undefined
    writer.append(transaction(2))
    const synced = writer.sync()
    writer.append(transaction(3))
    await expect(synced).rejects.toBe(error)
    expect(told.failure).toBe(error)
    isFull = false
    writer.append(transaction(4))
    await expect(writer.rotate()).rejects.toBe(error)
    await writer.close()
    expect(told.zxid).toBe(1)
  },
)

test('LogWriter fails on a gap in the zxids and writes no gap', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  writer.append(transaction(1))
  writer.append(transaction(3))
  expect(told.failure?.message).toBe('transaction 3 does not follow transaction 1')
  await writer.close()
})

test('LogWriter.close waits for appended transactions', async () => {
  const disk = new MemoryDisk()
  const { writer, told } = await startWriter(disk)
  writer.append(transaction(1))
  await writer.close()
  expect(told.zxid).toBe(1)
})
