import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/durability.ts'
import { snapshotName } from '../../src/persistence/names.ts'
import { loadSnapshot, verifySnapshot, writeSnapshot } from '../../src/persistence/snapshot-file.ts'
import { MemoryDisk } from './support/disk.ts'
import { frameOffsets, withFile } from './support/files.ts'
import { emptyState, fractions, History, picture } from './support/history.ts'

const never = new AbortController().signal

function historyOf(transactions: number, dataSize: number): History {
  const history = new History(fractions(41))
  for (let i = 0; i < transactions; i++) history.next(dataSize)
  return history
}

/** A log that is always as far as the history. */
function logOf(history: History): { readonly lastZxid: number; sync(): Promise<void> } {
  return {
    get lastZxid() {
      return history.state.lastZxid
    },
    sync: async () => undefined,
  }
}

test('snapshot: reads back the state that was written', async () => {
  const disk = new MemoryDisk()
  const history = historyOf(200, 30)
  const snapshot = history.state.snapshot()
  const written = await writeSnapshot(disk, 9n, snapshot, logOf(history), never)
  const bytes = disk.files.get(snapshotName(200)) as Buffer
  expect(written).toEqual({
    zxid: 200,
    file: snapshotName(200),
    nodes: history.state.tree.nodeCount - 1,
    bytes: bytes.length,
  })

  const verified = await verifySnapshot(disk, 200)
  expect(verified).toEqual({ zxid: 200, directoryId: 9n, upTo: 200 })
  const state = emptyState()
  await loadSnapshot(disk, verified, state)
  expect(picture(state)).toBe(picture(history.state))
})

test('snapshot contains each access control list once', async () => {
  const disk = new MemoryDisk()
  const acl = [{ permissions: 1, id: { scheme: 'digest', id: 'a name to look for' } }]
  const state = emptyState()
  for (let i = 1; i <= 20; i++) {
    const body = {
      kind: 'create',
      path: `/node-${i}`,
      data: null,
      acl: structuredClone(acl),
      owner: 0n,
      parentCreations: i,
    } as const
    state.applyTransaction({ zxid: i, time: 0, sessionId: 0n, body })
  }
  const log = { lastZxid: 20, sync: async () => undefined }
  await writeSnapshot(disk, 9n, state.snapshot(), log, never)
  const text = (disk.files.get(snapshotName(20)) as Buffer).toString('latin1')
  expect(text.split('a name to look for')).toHaveLength(2)

  const loaded = emptyState()
  await loadSnapshot(disk, await verifySnapshot(disk, 20), loaded)
  expect(picture(loaded)).toBe(picture(state))
})

test('snapshot tolerates changes while it is written', async () => {
  const disk = new MemoryDisk()
  const history = historyOf(150, 40_000)
  // A few transactions between any two blocks.
  disk.failure = ({ kind }) => {
    if (kind === 'write') for (let i = 0; i < 5; i++) history.next(40_000)
    return undefined
  }
  await writeSnapshot(disk, 9n, history.state.snapshot(), logOf(history), never)
  const { upTo } = await verifySnapshot(disk, 150)
  expect(upTo).toBeGreaterThan(160)

  const state = emptyState()
  await loadSnapshot(disk, await verifySnapshot(disk, 150), state)
  for (const transaction of history.transactions.slice(150)) state.applyTransaction(transaction)
  expect(picture(state)).toBe(picture(history.state))
})

test('snapshot gets its name only once the log contains all its transactions', async () => {
  const disk = new MemoryDisk()
  const history = historyOf(20, 30)
  let names: string[] = []
  const log = {
    lastZxid: 20,
    sync: async () => {
      names = await disk.list()
    },
  }
  await writeSnapshot(disk, 9n, history.state.snapshot(), log, never)
  expect(names).toEqual([`${snapshotName(20)}.tmp`])
  expect(await disk.list()).toEqual([snapshotName(20)])

  const failing = { lastZxid: 20, sync: () => Promise.reject(new Error('no log')) }
  const snapshot: Snapshot = { ...history.state.snapshot(), zxid: 21 }
  await expect(writeSnapshot(disk, 9n, snapshot, failing, never)).rejects.toThrow('no log')
  expect(await disk.list()).toEqual([snapshotName(20)])
})

test('snapshot can be abandoned between two blocks', async () => {
  const disk = new MemoryDisk()
  const history = historyOf(20, 30)
  const controller = new AbortController()
  disk.failure = ({ kind }) => {
    if (kind === 'write') controller.abort()
    return undefined
  }
  const { signal } = controller
  const snapshot = history.state.snapshot()
  await expect(writeSnapshot(disk, 9n, snapshot, logOf(history), signal)).rejects.toThrow('aborted')
  expect(disk.operations.filter(({ kind }) => kind === 'write')).toHaveLength(1)
  expect(await disk.list()).toEqual([])
})

test('verifySnapshot refuses a snapshot with a missing block, without its end, or with extra blocks', async () => {
  const disk = new MemoryDisk()
  const history = historyOf(50, 30)
  await writeSnapshot(disk, 9n, history.state.snapshot(), logOf(history), never)
  const name = snapshotName(50)
  const bytes = disk.files.get(name) as Buffer
  const [sessions, nodes, end] = frameOffsets(bytes) as [number, number, number]
  const changes = [
    bytes.subarray(0, end),
    Buffer.concat([bytes, Buffer.alloc(1)]),
    Buffer.concat([bytes.subarray(0, nodes), bytes.subarray(end)]),
    Buffer.concat([bytes.subarray(0, sessions), bytes.subarray(nodes)]),
  ]
  for (const changed of changes) {
    const damaged = MemoryDisk.of(withFile(disk.files, name, changed))
    await expect(verifySnapshot(damaged, 50)).rejects.toMatchObject({
      code: 'ZKS_DATA_DIR_CORRUPT',
      file: name,
      offset: expect.any(Number) as number,
    })
  }
})
