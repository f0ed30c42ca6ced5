import { beforeAll, describe, expect, test } from 'vitest'
import { DataDirectoryError } from '../../src/errors.ts'
import { headerSize } from '../../src/persistence/file-header.ts'
import { logName } from '../../src/persistence/names.ts'
import type { ServerState } from '../../src/state.ts'
import { MemoryDisk } from './support/disk.ts'
import { frameOffsets } from './support/files.ts'
import { fractions, History, picture } from './support/history.ts'
import { open } from './support/storage.ts'

const name = logName(1)
let history: History
let log: Buffer
/** Where the records begin, and the last transaction of each. */
let records: readonly { readonly offset: number; readonly end: number; readonly lastZxid: number }[]

/** A log of 60 acknowledged transactions in records of one to three. */
beforeAll(async () => {
  const disk = new MemoryDisk()
  const fraction = fractions(7)
  history = new History(fraction)
  const { storage, told } = await open(disk, {}, history.state)
  const lastZxids: number[] = []
  while (history.state.lastZxid < 60) {
    for (let i = 0; i <= fraction() * 3; i++) storage.append(history.next(60))
    await told.until(history.state.lastZxid)
    lastZxids.push(history.state.lastZxid)
  }
  await storage.close()
  log = disk.files.get(name) as Buffer
  const offsets = frameOffsets(log)
  records = offsets.map((offset, i) => ({
    offset,
    end: offsets[i + 1] ?? log.length,
    lastZxid: lastZxids[i] as number,
  }))
})

interface Damage {
  readonly what: string
  readonly bytes: Buffer
}

/** Where the damage begins, and where the original bytes continue. */
function placeOf(bytes: Buffer): { from: number; to: number } {
  let from = 0
  while (from < bytes.length && bytes[from] === log[from]) from++
  let same = 0
  while (same < bytes.length && bytes.at(-1 - same) === log.at(-1 - same)) same++
  return { from, to: log.length - same }
}

function flip(fraction: () => number): Damage {
  const from = Math.floor(fraction() * log.length)
  const bytes = Buffer.from(log)
  bytes[from] = (bytes[from] as number) ^ (1 << Math.floor(fraction() * 8))
  return { what: `a bit flipped at ${from}`, bytes }
}

function insert(fraction: () => number): Damage {
  const isAtRecord = fraction() < 0.3
  const { offset } = records[Math.floor(fraction() * records.length)] as { offset: number }
  const from = isAtRecord ? offset : Math.floor(fraction() * log.length)
  const inserted = Buffer.from(
    Array.from({ length: 1 + Math.floor(fraction() * 300) }, () => fraction() * 256),
  )
  const bytes = Buffer.concat([log.subarray(0, from), inserted, log.subarray(from)])
  return { what: `${inserted.length} bytes inserted at ${from}`, bytes }
}

function remove(fraction: () => number): Damage {
  const index = Math.floor(fraction() * (records.length - 1))
  const { offset, end } = records[index] as { offset: number; end: number }
  const isWhole = fraction() < 0.3
  const from = isWhole ? offset : Math.floor(fraction() * (log.length - 1))
  const to = isWhole ? end : Math.min(from + 1 + Math.floor(fraction() * 200), log.length - 1)
  const bytes = Buffer.concat([log.subarray(0, from), log.subarray(to)])
  return { what: `bytes ${from} to ${to} removed`, bytes }
}

function truncate(fraction: () => number): Damage {
  const from = Math.floor(fraction() * log.length)
  return { what: `cut at ${from}`, bytes: log.subarray(0, from) }
}

function lastZxidBefore(offset: number): number {
  return records.findLast(({ end }) => end <= offset)?.lastZxid ?? 0
}

/** The outcome of a start: the state and the warnings, or the refusal. */
type Outcome =
  | { readonly lastZxid: number; readonly events: readonly string[] }
  | { readonly offset: number | undefined; readonly intactRecords: string | undefined }

async function outcomeOf(bytes: Buffer): Promise<Outcome> {
  try {
    const { storage, state, events } = await open(MemoryDisk.of(new Map([[name, bytes]])))
    await storage.close()
    assertState(state)
    return { lastZxid: state.lastZxid, events }
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error
    const [, intactRecords] = /: (\d+) intact record/.exec(error.message) ?? []
    return { offset: error.offset, intactRecords }
  }
}

function expectedOf(bytes: Buffer): Outcome {
  const { from, to } = placeOf(bytes)
  if (from < headerSize) return { offset: 0, intactRecords: undefined }
  const intact = records.filter(({ offset }) => offset >= to)
  if (intact.length > 0) {
    const offset = records.find(({ end }) => end > from)?.offset
    return { offset, intactRecords: String(intact.length) }
  }
  const ends = [headerSize, ...records.map(({ end }) => end)]
  const isWhole = from === bytes.length && ends.includes(from)
  return { lastZxid: lastZxidBefore(from), events: isWhole ? [] : ['log:cut'] }
}

function assertState(state: ServerState): void {
  if (picture(state) === picture(history.at(state.lastZxid))) return
  throw new Error(`the state is none that there was after transaction ${state.lastZxid}`)
}

const rounds = 200

describe.for([
  ['flipped', flip],
  ['inserted', insert],
  ['removed', remove],
  ['cut off', truncate],
] as const)('bytes of the log that are %s at random', ([, damageAt]) => {
  test('are refused before an intact record, and cost only the tail otherwise', async () => {
    const fraction = fractions(2026)
    for (let round = 0; round < rounds; round++) {
      const { what, bytes } = damageAt(fraction)
      expect(await outcomeOf(bytes), `after ${what}`).toEqual(expectedOf(bytes))
    }
  })

  test('leave exactly the records before them with acceptDataLoss', async () => {
    const fraction = fractions(2027)
    for (let round = 0; round < rounds; round++) {
      const { what, bytes } = damageAt(fraction)
      const { from } = placeOf(bytes)
      // The header identifies the directory: without it no start is possible.
      if (from < headerSize) continue
      const disk = MemoryDisk.of(new Map([[name, bytes]]))
      const { storage, state, events } = await open(disk, { acceptDataLoss: true })
      await storage.close()
      assertState(state)
      expect(state.lastZxid, `after ${what}`).toBe(lastZxidBefore(from))
      const good = records.findLast(({ end }) => end <= from)?.end ?? headerSize
      expect(disk.files.get(name)?.equals(log.subarray(0, good)), `after ${what}`).toBe(true)
      const kept = disk.files.get(`${name}.damaged`)
      expect(kept?.equals(bytes), `after ${what}`).toBe(
        events.includes('data:lost') ? true : undefined,
      )
    }
  })
})
