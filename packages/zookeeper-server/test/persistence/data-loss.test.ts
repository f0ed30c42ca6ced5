import { beforeAll, expect, test } from 'vitest'
import type { DataDirectoryError } from '../../src/errors.ts'
import { headerSize } from '../../src/persistence/file-header.ts'
import { logName, snapshotName } from '../../src/persistence/names.ts'
import { MemoryDisk } from './support/disk.ts'
import { flipped, frameOffsets, withFile } from './support/files.ts'
import { fractions, History, picture } from './support/history.ts'
import { nextEvent, open } from './support/storage.ts'

let files: Map<string, Buffer>
let history: History

/** Snapshots of transactions 10 and 20, and five records after the second. */
beforeAll(async () => {
  const disk = new MemoryDisk()
  history = new History(fractions(31))
  const { storage, told } = await open(disk, { snapshotAfterTransactions: 10 }, history.state)
  for (let zxid = 1; zxid <= 25; zxid++) {
    const taken = zxid % 10 === 0 ? nextEvent(storage, 'snapshot:taken') : undefined
    storage.append(history.next())
    await told.until(zxid)
    await taken
  }
  await storage.close()
  files = disk.files
})

/** The files with a flipped bit in a record. */
function damagedAt(name: string, record: number): Map<string, Buffer> {
  const bytes = files.get(name) as Buffer
  return withFile(files, name, flipped(bytes, (frameOffsets(bytes)[record] as number) + 20, 1))
}

async function expectState(disk: MemoryDisk, zxid: number): Promise<void> {
  const { storage, state } = await open(disk)
  expect(picture(state)).toBe(picture(history.at(zxid)))
  await storage.close()
}

test('acceptDataLoss starts before the damage, and the next start does not need it', async () => {
  const changed = damagedAt(logName(21), 2)
  const disk = MemoryDisk.of(changed)
  await expect(open(disk)).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_CORRUPT',
    message: expect.stringContaining(
      'Behind the damage: 2 intact records (2 transactions).',
    ) as string,
  })
  expect(disk.files).toEqual(changed)
  const { storage, state, events } = await open(disk, { acceptDataLoss: true })
  expect(state.lastZxid).toBe(22)
  expect(events).toEqual(['data:lost'])
  await storage.close()
  expect(disk.files.get(`${logName(21)}.damaged`)).toEqual(changed.get(logName(21)))
  await expectState(disk, 22)
})

test('acceptDataLoss preserves the files that an earlier start has kept', async () => {
  const changed = damagedAt(logName(21), 2)
  const kept = `${logName(21)}.damaged`
  const disk = MemoryDisk.of(withFile(changed, kept, Buffer.from('kept')))
  await (await open(disk, { acceptDataLoss: true })).storage.close()
  expect(disk.files.get(kept)).toEqual(Buffer.from('kept'))
  expect(disk.files.get(`${kept}-2`)).toEqual(changed.get(logName(21)))
})

test('acceptDataLoss sets aside the logs and snapshots behind the damage', async () => {
  const snapshot = flipped(files.get(snapshotName(20)) as Buffer, 50, 1)
  const log = files.get(logName(11)) as Buffer
  const damaged = flipped(log, (frameOffsets(log)[3] as number) + 20, 1)
  const changed = withFile(files, snapshotName(20), snapshot)
  const disk = MemoryDisk.of(withFile(changed, logName(11), damaged))
  await expect(open(disk)).rejects.toMatchObject({
    file: logName(11),
    // Six transactions and the seal of this file, five transactions of the next.
    message: expect.stringContaining('12 intact records (11 transactions)') as string,
  })
  await (await open(disk, { acceptDataLoss: true })).storage.close()
  await expectState(disk, 13)
  expect([...disk.files.keys()].toSorted()).toEqual([
    logName(1),
    logName(11),
    `${logName(11)}.damaged`,
    `${logName(21)}.damaged`,
    snapshotName(10),
    `${snapshotName(20)}.damaged`,
  ])
})

test('acceptDataLoss drops a log file whose header is damaged', async () => {
  const changed = withFile(files, logName(21), flipped(files.get(logName(21)) as Buffer, 9, 1))
  const disk = MemoryDisk.of(changed)
  await expect(open(disk)).rejects.toMatchObject({ file: logName(21), offset: 0 })
  await (await open(disk, { acceptDataLoss: true })).storage.close()
  await expectState(disk, 20)
  expect(disk.files.get(logName(21))).toEqual(files.get(logName(21))?.subarray(0, headerSize))
})

test('acceptDataLoss uses an older snapshot if the log does not reach a newer one', async () => {
  const log = files.get(logName(11)) as Buffer
  const unsealed = log.subarray(0, frameOffsets(log)[4])
  const damagedSnapshot = flipped(files.get(snapshotName(20)) as Buffer, 50, 1)
  const shortened = withFile(withFile(files, logName(21), undefined), logName(11), unsealed)
  const disk = MemoryDisk.of(withFile(shortened, snapshotName(20), damagedSnapshot))
  await expect(open(disk)).rejects.toThrow('the end of the log is lost')
  const { storage, events } = await open(disk, { acceptDataLoss: true })
  await storage.close()
  expect(events).toEqual(['data:lost'])
  await expectState(disk, 14)
})

test('acceptDataLoss changes nothing without damage', async () => {
  const disk = MemoryDisk.of(files)
  const { storage, events } = await open(disk, { acceptDataLoss: true })
  await storage.close()
  expect(events).toEqual([])
  expect(disk.files).toEqual(files)
})

test('a crash during a start with acceptDataLoss leaves the damage or the accepted state', async () => {
  const changed = damagedAt(logName(21), 2)
  const probe = MemoryDisk.of(changed)
  await (await open(probe, { acceptDataLoss: true })).storage.close()
  for (let at = 0; at < probe.operations.length; at++) {
    const disk = MemoryDisk.of(changed)
    let count = 0
    disk.failure = () => (count++ >= at ? { error: new Error('off'), done: 0.5 } : undefined)
    await open(disk, { acceptDataLoss: true })
      .then(({ storage }) => storage.close())
      .catch(() => undefined)
    // The lock of a running process is respected, and a crash does not remove it.
    const left = new Map([...disk.files].filter(([name]) => !name.startsWith('lock.')))
    const outcome = await open(MemoryDisk.of(left)).then(
      ({ state }) => state.lastZxid,
      (error: unknown) => (error as DataDirectoryError).code,
    )
    expect(['ZKS_DATA_DIR_CORRUPT', 22]).toContain(outcome)
    const again = MemoryDisk.of(left)
    await (await open(again, { acceptDataLoss: true })).storage.close()
    await expectState(again, 22)
  }
})
