import { expect, test } from 'vitest'
import { DataDirectory } from '../../src/persistence/data-directory.ts'
import { headerSize } from '../../src/persistence/file-header.ts'
import { machineProcesses } from '../../src/persistence/lock.ts'
import { lockName, logName, snapshotName } from '../../src/persistence/names.ts'
import { MemoryDisk, systemError } from './support/disk.ts'
import { named } from './support/files.ts'
import { fractions, History, picture } from './support/history.ts'
import { nextEvent, open } from './support/storage.ts'

function sizeOf(disk: MemoryDisk, name: string): number {
  return disk.files.get(name)?.length ?? 0
}

test('DataDirectory: appended transactions survive a restart', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(1))
  const first = await open(disk)
  for (let i = 0; i < 50; i++) first.storage.append(history.next())
  await first.told.until(50)
  expect(first.storage.durableZxid).toBe(50)
  await first.storage.close()

  const second = await open(disk)
  expect(second.storage.durableZxid).toBe(50)
  expect(picture(second.state)).toBe(picture(history.state))
  await second.storage.close()
})

test('DataDirectory takes a snapshot after snapshotAfterTransactions, and removes obsolete files', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(2))
  const options = { snapshotAfterTransactions: 10, keepSnapshots: 2 }
  const first = await open(disk, options, history.state)
  for (let i = 1; i <= 5; i++) {
    const taken = nextEvent(first.storage, 'snapshot:taken')
    for (let j = 0; j < 10; j++) first.storage.append(history.next())
    expect((await taken).zxid).toBe(10 * i)
  }
  await first.storage.close()
  expect(named(disk.files, 'snapshot')).toEqual([snapshotName(40), snapshotName(50)])
  expect(named(disk.files, 'log')).toEqual([logName(41), logName(51)])

  const second = await open(disk)
  expect(picture(second.state)).toBe(picture(history.state))
  await second.storage.close()
})

test('DataDirectory takes a snapshot after snapshotAfterBytes', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(3))
  const { storage, told } = await open(disk, { snapshotAfterBytes: 2000 }, history.state)
  const taken = nextEvent(storage, 'snapshot:taken')
  while (sizeOf(disk, logName(1)) - headerSize < 2000) {
    expect(named(disk.files, 'snapshot')).toEqual([])
    storage.append(history.next(100))
    await told.until(history.state.lastZxid)
  }
  expect((await taken).zxid).toBe(history.state.lastZxid)
  await storage.close()
})

test('DataDirectory: recovered transactions count towards the next snapshot', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(4))
  const first = await open(disk, {}, history.state)
  for (let i = 0; i < 9; i++) first.storage.append(history.next())
  await first.storage.close()
  const second = await open(disk, { snapshotAfterTransactions: 10 }, history.state)
  const taken = nextEvent(second.storage, 'snapshot:taken')
  second.storage.append(history.next())
  expect((await taken).zxid).toBe(10)
  await second.storage.close()
})

test('DataDirectory: a full disk fails the log, and nothing more becomes durable', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(5))
  const { storage, told } = await open(disk, {}, history.state)
  storage.append(history.next())
  await told.until(1)
  const error = systemError('ENOSPC', 'no space left on device')
  disk.failure = ({ kind }) => (kind === 'write' ? { error, done: 0.5 } : undefined)
  storage.append(history.next())
  await told.until(2)
  expect(told.zxid).toBe(1)
  expect(told.failure).toMatchObject({ code: 'ZKS_DATA_DIR_WRITE_FAILED', cause: error })
  expect(told.failure?.message).toContain('ENOSPC')
  disk.failure = () => undefined
  storage.append(history.next())
  await storage.close()
  expect(storage.durableZxid).toBe(1)

  const recovered = await open(disk)
  expect(picture(recovered.state)).toBe(picture(history.at(1)))
  expect(recovered.events).toEqual(['log:cut'])
  await recovered.storage.close()
})

test('DataDirectory: a failed snapshot does not stop the log, and is retried', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(6))
  const options = { snapshotAfterTransactions: 10 }
  const { storage, told } = await open(disk, options, history.state)
  const error = systemError('EIO', 'no luck')
  disk.failure = ({ kind, name }) =>
    kind === 'write' && name.startsWith('snapshot.') ? { error, done: 0 } : undefined
  const failed = nextEvent(storage, 'snapshot:failed')
  for (let i = 0; i < 10; i++) storage.append(history.next())
  expect(await failed).toEqual({ error })
  expect(named(disk.files, 'snapshot')).toEqual([])

  disk.failure = () => undefined
  const taken = nextEvent(storage, 'snapshot:taken')
  for (let i = 0; i < 10; i++) storage.append(history.next())
  await taken
  expect(told.failure).toBeUndefined()
  await storage.close()
  const recovered = await open(disk)
  expect(picture(recovered.state)).toBe(picture(history.state))
  await recovered.storage.close()
})

test('DataDirectory: close() abandons a snapshot that is being written', async () => {
  const disk = new MemoryDisk()
  const history = new History(fractions(7))
  const { storage, events } = await open(disk, { snapshotAfterTransactions: 10 }, history.state)
  let closed: Promise<void> | undefined
  const writing = new Promise<void>((resolve) => {
    disk.failure = ({ kind, name }) => {
      if (kind === 'write' && name.startsWith('snapshot.')) {
        closed ??= storage.close()
        resolve()
      }
      return undefined
    }
  })
  for (let i = 0; i < 10; i++) storage.append(history.next())
  await writing
  await closed
  expect(events).toEqual([])
  expect((await disk.list()).toSorted()).toEqual([logName(1), logName(11)])
})

test('DataDirectory refuses a directory that is in use', async () => {
  const disk = new MemoryDisk()
  const first = await open(disk)
  await expect(open(disk)).rejects.toMatchObject({ code: 'ZKS_DATA_DIR_LOCKED' })
  await first.storage.close()
  const second = await open(disk)
  await second.storage.close()
})

test('DataDirectory takes over the lock of a dead process', async () => {
  const { pid } = await machineProcesses.self()
  const disk = MemoryDisk.of(new Map([[lockName(pid, '1-00000000'), Buffer.alloc(0)]]))
  const { storage, events } = await open(disk)
  expect(events).toEqual(['lock:inherited'])
  await storage.close()
  expect(await disk.list()).toEqual([logName(1)])
})

test('DataDirectory: close() works before recover(), and repeatedly', async () => {
  const disk = new MemoryDisk()
  const storage = new DataDirectory(disk, {}, { bytes: (count) => Buffer.alloc(count) })
  await storage.close()
  await storage.close()
  expect(disk.operations).toEqual([])
  const other = await open(disk)
  await other.storage.close()
  await other.storage.close()
})
