import { beforeAll, describe, expect, test } from 'vitest'
import { DataDirectoryError } from '../../src/errors.ts'
import { headerSize } from '../../src/persistence/file-header.ts'
import { MemoryDisk } from './support/disk.ts'
import { flipped, frameOffsets, named, newest, withFile } from './support/files.ts'
import { fractions, History, picture } from './support/history.ts'
import { nextEvent, open } from './support/storage.ts'

let files: Map<string, Buffer>
let history: History
/** The last log file, and where its last record begins. */
let lastLog: string
let lastBytes: Buffer
let lastRecord: number
/** The state without the last record. */
let zxidBefore: number

/** Five snapshots, three of them kept, and four records of two transactions after the last. */
beforeAll(async () => {
  const disk = new MemoryDisk()
  history = new History(fractions(21))
  const options = { snapshotAfterTransactions: 10, keepSnapshots: 3 }
  const { storage, told } = await open(disk, options, history.state)
  for (let snapshots = 0; snapshots < 5; snapshots++) {
    const taken = nextEvent(storage, 'snapshot:taken')
    for (let i = 0; i < 10; i++) {
      storage.append(history.next(12))
      await told.until(history.state.lastZxid)
    }
    await taken
  }
  for (let i = 0; i < 4; i++) {
    storage.append(history.next(12))
    storage.append(history.next(12))
    await told.until(history.state.lastZxid)
  }
  await storage.close()
  files = disk.files
  lastLog = newest(files, 'log')
  lastBytes = files.get(lastLog) as Buffer
  const offsets = frameOffsets(lastBytes)
  lastRecord = offsets.at(-1) as number
  zxidBefore = lastBytes.readInt32BE(lastRecord + 12) - 1
})

type Outcome = { readonly zxid: number; readonly events: string[] } | DataDirectoryError

/** The outcome of a start with these files: a former state, or a refusal. */
async function outcomeOf(changed: ReadonlyMap<string, Buffer>): Promise<Outcome> {
  try {
    const { storage, state, events } = await open(MemoryDisk.of(changed))
    await storage.close()
    const zxid = state.lastZxid
    expect(picture(state)).toBe(pictureAt(zxid))
    return { zxid, events }
  } catch (error) {
    if (error instanceof DataDirectoryError) return error
    throw error
  }
}

/** Every byte of the files that are read; some bytes of the files that are only kept. */
function strideOf(name: string): number {
  return name === lastLog || name === newest(files, 'snapshot') ? 1 : 23
}

const pictures = new Map<number, string>()

function pictureAt(zxid: number): string {
  const known = pictures.get(zxid) ?? picture(history.at(zxid))
  pictures.set(zxid, known)
  return known
}

test('the scenario has several snapshots and logs', () => {
  expect(named(files, 'snapshot')).toHaveLength(3)
  expect(named(files, 'log')).toHaveLength(3)
  expect(frameOffsets(lastBytes)).toHaveLength(4)
})

describe('an incomplete end of the log is truncated', () => {
  test('at every byte of the last record', async () => {
    for (let length = lastRecord + 1; length < lastBytes.length; length++) {
      const changed = withFile(files, lastLog, lastBytes.subarray(0, length))
      expect(await outcomeOf(changed)).toEqual({ zxid: zxidBefore, events: ['log:cut'] })
    }
  })

  test('with zeros instead of the rest, and beyond it', async () => {
    for (let length = lastRecord; length < lastBytes.length; length++) {
      const head = lastBytes.subarray(0, length)
      // Where the record itself ends with zeros, nothing is missing.
      const isWhole = lastBytes.subarray(length).every((byte) => byte === 0)
      const filled = Buffer.concat([head, Buffer.alloc(lastBytes.length - length)])
      const zxid = isWhole ? 58 : zxidBefore
      expect(await outcomeOf(withFile(files, lastLog, filled))).toEqual({
        zxid,
        events: isWhole ? [] : ['log:cut'],
      })
      const longer = Buffer.concat([filled, Buffer.alloc(5000)])
      expect(await outcomeOf(withFile(files, lastLog, longer))).toEqual({
        zxid,
        events: ['log:cut'],
      })
    }
  })

  test('and leftovers of the crash are removed', async () => {
    const disk = MemoryDisk.of(withFile(files, lastLog, lastBytes.subarray(0, lastRecord + 5)))
    const { storage } = await open(disk)
    await storage.close()
    expect(disk.files.get(lastLog)).toEqual(lastBytes.subarray(0, lastRecord))
  })
})

/** The expected outcome for damage in older files, which are not needed. */
const unharmed = { zxid: 58, events: [] }
const withOlderSnapshot = { zxid: 58, events: ['snapshot:set-aside'] }
const refused = { code: 'ZKS_DATA_DIR_CORRUPT' }

describe('damage is refused, recovered, or costs the end of the log', () => {
  test('for a flipped bit in any byte of any file', { timeout: 60_000 }, async () => {
    for (const [name, bytes] of files) {
      for (let offset = 0; offset < bytes.length; offset += strideOf(name)) {
        const outcome = await outcomeOf(withFile(files, name, flipped(bytes, offset, offset % 8)))
        expect(outcome, `${name} at ${offset}`).toMatchObject(expectedFor(name, offset))
      }
    }

    function expectedFor(name: string, offset: number): object {
      if (name === newest(files, 'snapshot')) return withOlderSnapshot
      if (name !== lastLog) return unharmed
      return offset < lastRecord ? { ...refused, file: name } : { zxid: zxidBefore }
    }
  })

  test('for a file truncated at any length', { timeout: 60_000 }, async () => {
    const offsets = frameOffsets(lastBytes)
    for (const [name, bytes] of files) {
      for (let length = 0; length < bytes.length; length += strideOf(name)) {
        const outcome = await outcomeOf(withFile(files, name, bytes.subarray(0, length)))
        expect(outcome, `${name} of ${length} bytes`).toMatchObject(expectedFor(name, length))
      }
    }

    function expectedFor(name: string, length: number): object {
      if (name === newest(files, 'snapshot')) return withOlderSnapshot
      if (name !== lastLog) return unharmed
      if (length < headerSize) return { ...refused, file: name, offset: 0 }
      const records = offsets.filter((_, i) => (offsets[i + 1] ?? lastBytes.length) <= length)
      return { zxid: 50 + 2 * records.length }
    }
  })

  test('for a missing file', async () => {
    for (const name of files.keys()) {
      const isNeeded = name === lastLog
      const outcome = await outcomeOf(withFile(files, name, undefined))
      const missing = { code: 'ZKS_DATA_DIR_FILE_MISSING', file: name }
      expect(outcome, `without ${name}`).toMatchObject(isNeeded ? missing : unharmed)
    }
  })

  test('for a bad record followed by an intact one, naming file and offset', async () => {
    const [first] = frameOffsets(lastBytes) as [number]
    for (let offset = first; offset < lastRecord; offset++) {
      const changed = withFile(files, lastLog, flipped(lastBytes, offset, 3))
      const outcome = await outcomeOf(changed)
      const damaged = frameOffsets(lastBytes).findLast((start) => start <= offset)
      expect(outcome).toMatchObject({
        code: 'ZKS_DATA_DIR_CORRUPT',
        file: lastLog,
        offset: damaged,
      })
      expect((outcome as Error).message).toContain(`${lastLog} is damaged at offset ${damaged}`)
    }
  })
})

describe('a damaged snapshot', () => {
  test('is set aside when an older snapshot and the log give the same state', async () => {
    const [oldest, middle, last] = named(files, 'snapshot') as [string, string, string]
    const flip = (name: string, into: Map<string, Buffer>): Map<string, Buffer> =>
      withFile(into, name, flipped(files.get(name) as Buffer, 50, 1))

    expect(await outcomeOf(flip(last, files))).toEqual({ zxid: 58, events: ['snapshot:set-aside'] })
    const disk = MemoryDisk.of(flip(last, flip(middle, files)))
    const { storage, state, events } = await open(disk)
    await storage.close()
    expect(picture(state)).toBe(pictureAt(58))
    expect(events).toEqual(['snapshot:set-aside', 'snapshot:set-aside'])
    expect([...disk.files.keys()]).toEqual(
      expect.arrayContaining([oldest, `${middle}.damaged`, `${last}.damaged`]),
    )

    expect(await outcomeOf(flip(last, flip(middle, flip(oldest, files))))).toMatchObject({
      code: 'ZKS_DATA_DIR_CORRUPT',
      file: last,
      message: expect.stringContaining('Restore the directory from a backup') as string,
    })
  })

  test('does not hide that the log lost transactions of the snapshot', async () => {
    const last = newest(files, 'snapshot')
    const damaged = withFile(files, last, flipped(files.get(last) as Buffer, 50, 1))
    // Only the log before the snapshot exists, and it ends as if nothing had followed.
    const logs = named(files, 'log')
    const previous = logs.at(-2) as string
    const sealed = files.get(previous) as Buffer
    const unsealed = sealed.subarray(0, frameOffsets(sealed).at(-2))
    const shortened = withFile(withFile(damaged, lastLog, undefined), previous, unsealed)
    expect(await outcomeOf(shortened)).toMatchObject({
      code: 'ZKS_DATA_DIR_CORRUPT',
      message: expect.stringContaining('the end of the log is lost') as string,
    })
  })
})
