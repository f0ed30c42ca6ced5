import { expect, test } from 'vitest'
import { encodeHeader } from '../../src/persistence/file-header.ts'
import { logName, setAsideName, snapshotName } from '../../src/persistence/names.ts'
import { MemoryDisk } from './support/disk.ts'
import { withFile } from './support/files.ts'
import { fractions, History, picture } from './support/history.ts'
import { nextEvent, open } from './support/storage.ts'

/** A log without snapshots. */
async function logOf(transactions: number, seed: number): Promise<[MemoryDisk, History]> {
  const disk = new MemoryDisk()
  const history = new History(fractions(seed))
  const { storage, told } = await open(disk, {}, history.state)
  for (let i = 0; i < transactions; i++) {
    storage.append(history.next())
    await told.until(history.state.lastZxid)
  }
  await storage.close()
  return [disk, history]
}

/** A log in three files, whose snapshots are gone. */
async function dividedLog(): Promise<[MemoryDisk, History]> {
  const disk = new MemoryDisk()
  const history = new History(fractions(51))
  const { storage, told } = await open(disk, { snapshotAfterTransactions: 20 }, history.state)
  for (const zxid of [20, 40]) {
    const taken = nextEvent(storage, 'snapshot:taken')
    for (let i = 0; i < 20; i++) storage.append(history.next())
    await taken
    await disk.remove(snapshotName(zxid))
  }
  for (let i = 0; i < 5; i++) storage.append(history.next())
  await told.until(45)
  await storage.close()
  return [disk, history]
}

test('recovery starts an empty directory', async () => {
  const disk = new MemoryDisk()
  const { storage, state } = await open(disk)
  expect(state.lastZxid).toBe(0)
  await storage.close()
  expect(await disk.list()).toEqual([logName(1)])
})

test('recovery removes unfinished files', async () => {
  const [disk, history] = await logOf(5, 52)
  const files = withFile(disk.files, `${snapshotName(5)}.tmp`, Buffer.from('half of'))
  const left = MemoryDisk.of(files)
  const { storage, state } = await open(left)
  expect(picture(state)).toBe(picture(history.state))
  await storage.close()
  expect(await left.list()).toEqual([logName(1)])
})

test.for(['notes.txt', 'version-2', 'log.1'])(
  'a file that is not ours is refused: %s',
  async (name) => {
    const [disk] = await logOf(5, 53)
    const left = MemoryDisk.of(withFile(disk.files, name, Buffer.alloc(0)))
    await expect(open(left)).rejects.toMatchObject({
      code: 'ZKS_DATA_DIR_FOREIGN_FILE',
      file: name,
      message: expect.stringContaining(name) as string,
    })
    expect(left.files).toEqual(withFile(disk.files, name, Buffer.alloc(0)))
  },
)

test('recovery continues in the next log file', async () => {
  const [disk, history] = await dividedLog()
  const { storage, state } = await open(disk)
  expect(picture(state)).toBe(picture(history.state))
  await storage.close()
})

test('recovery refuses a log without its beginning, middle or end', async () => {
  const [disk] = await dividedLog()
  for (const name of [logName(1), logName(21), logName(41)]) {
    const left = MemoryDisk.of(withFile(disk.files, name, undefined))
    await expect(open(left)).rejects.toMatchObject({
      code: 'ZKS_DATA_DIR_FILE_MISSING',
      file: name,
      message: expect.stringContaining(`${name} is missing`) as string,
    })
  }
})

test('recovery refuses a directory with nothing but a damaged snapshot', async () => {
  const left = MemoryDisk.of(new Map([[setAsideName(snapshotName(9), []), Buffer.alloc(9)]]))
  await expect(open(left)).rejects.toMatchObject({ code: 'ZKS_DATA_DIR_FILE_MISSING' })
})

test('recovery refuses a file of another directory', async () => {
  const [disk] = await dividedLog()
  const { bytes } = encodeHeader({ kind: 'log', directoryId: 123n, zxid: 41 })
  const left = MemoryDisk.of(withFile(disk.files, logName(41), bytes))
  await expect(open(left)).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_FOREIGN_FILE',
    file: logName(41),
  })
})

test('recovery refuses a log that continues at the wrong transaction', async () => {
  const [disk] = await logOf(5, 54)
  const directoryId = Buffer.alloc(8, 7).readBigInt64BE()
  for (const zxid of [3, 6, 7]) {
    const { bytes } = encodeHeader({ kind: 'log', directoryId, zxid })
    const notEmpty = Buffer.concat([bytes, Buffer.alloc(20)])
    const left = MemoryDisk.of(withFile(disk.files, logName(zxid), notEmpty))
    await expect(open(left)).rejects.toMatchObject({
      code: 'ZKS_DATA_DIR_CORRUPT',
      file: logName(1),
    })
  }
})

test('a refused recovery changes no file and releases the directory', async () => {
  const [disk] = await dividedLog()
  const incomplete = withFile(disk.files, logName(1), undefined)
  const files = withFile(incomplete, `${snapshotName(45)}.tmp`, Buffer.from('half of'))
  const left = MemoryDisk.of(files)
  await expect(open(left)).rejects.toThrow('is missing')
  expect(left.files).toEqual(files)
})
