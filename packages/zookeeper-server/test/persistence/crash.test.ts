import { describe, expect, test } from 'vitest'
import { DataDirectoryError } from '../../src/errors.ts'
import { type Fate, MemoryDisk } from './support/disk.ts'
import { fractions, type History, picture } from './support/history.ts'
import { crashAt, live, type Lived, type Scenario } from './support/scenario.ts'
import { open, type Opened } from './support/storage.ts'

const small: Scenario = {
  seed: 11,
  transactions: 60,
  dataSize: 40,
  options: { snapshotAfterTransactions: 9, keepSnapshots: 2 },
}

/** Nodes so large that a snapshot is written in many blocks, with changes in between. */
const large: Scenario = {
  seed: 12,
  transactions: 160,
  dataSize: 60_000,
  options: { snapshotAfterTransactions: 40, keepSnapshots: 2 },
}

async function operationsOf(scenario: Scenario): Promise<number> {
  const disk = new MemoryDisk()
  const { snapshots } = await live(disk, scenario)
  expect(snapshots).toBeGreaterThan(2)
  return disk.operations.length
}

async function crash(scenario: Scenario, operation: number): Promise<Lived & { disk: MemoryDisk }> {
  const disk = new MemoryDisk()
  crashAt(disk, operation)
  return { ...(await live(disk, scenario)), disk }
}

/** Whether the state existed at some time, and is not older than what clients know. */
function isExplained({ state }: Opened, history: History, toldZxid: number): boolean {
  const { lastZxid } = state
  return (
    lastZxid >= toldZxid &&
    lastZxid <= history.state.lastZxid &&
    picture(state) === picture(history.at(lastZxid))
  )
}

/** Opens the remaining files, unless the server refuses them. */
async function openUnlessRefused(
  left: MemoryDisk,
  scenario: Scenario,
): Promise<Opened | undefined> {
  try {
    return await open(left, scenario.options)
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined
    throw error
  }
}

/** Checks that a recovered server continues, and so does the next one. */
async function expectToGoOn(disk: MemoryDisk, recovered: Opened): Promise<void> {
  const { storage, state, told } = recovered
  const { lastZxid } = state
  for (let i = 1; i <= 12; i++) {
    const body = { kind: 'none' } as const
    const transaction = { zxid: lastZxid + i, time: 0, sessionId: 0n, body }
    state.applyTransaction(transaction)
    storage.append(transaction)
  }
  await told.until(lastZxid + 12)
  await storage.close()
  const again = await open(disk)
  expect(picture(again.state)).toBe(picture(state))
  await again.storage.close()
}

const fates: readonly (readonly [Fate, number])[] = [
  ['kept', 0],
  ['lost', 0],
  ['mixed', 1],
  ['mixed', 2],
]

describe.for([
  ['small', small, 1],
  ['large', large, 11],
] as const)('%s nodes', ([, scenario, stride]) => {
  test(
    'nothing acknowledged is lost or invented after a power failure at any operation',
    { timeout: 120_000 },
    async () => {
      const operations = await operationsOf(scenario)
      for (let operation = 0; operation < operations; operation += stride) {
        const { disk, history, toldZxid } = await crash(scenario, operation)
        for (const [fate, seed] of fates) {
          const left = disk.crash(fate, fractions(seed + operation))
          const recovered = await open(left, scenario.options)
          expect(isExplained(recovered, history, toldZxid)).toBe(true)
          if (fate === 'mixed') await expectToGoOn(left, recovered)
          else await recovered.storage.close()
        }
      }
    },
  )

  test('the recovered state survives another power failure', { timeout: 120_000 }, async () => {
    const operations = await operationsOf(scenario)
    for (let operation = 0; operation < operations; operation += stride) {
      const { disk } = await crash(scenario, operation)
      disk.killProcess()
      const recovered = await open(disk, scenario.options)
      await recovered.storage.close()
      const again = await open(disk.crash('lost'), scenario.options)
      expect(picture(again.state)).toBe(picture(recovered.state))
      await again.storage.close()
    }
  })

  test('without fsync nothing is lost when the process ends', { timeout: 120_000 }, async () => {
    const relaxed = { ...scenario, options: { ...scenario.options, fsync: false } }
    const operations = await operationsOf(relaxed)
    for (let operation = 0; operation < operations; operation += stride) {
      const { disk, history, toldZxid } = await crash(relaxed, operation)
      const left = disk.crash('kept')
      const recovered = await open(left, relaxed.options)
      expect(isExplained(recovered, history, toldZxid)).toBe(true)
      await recovered.storage.close()
    }
  })

  test(
    'without fsync a power failure loses the end of the log, or the start is refused',
    { timeout: 120_000 },
    async () => {
      const relaxed = { ...scenario, options: { ...scenario.options, fsync: false } }
      const operations = await operationsOf(relaxed)
      for (let operation = 0; operation < operations; operation += stride) {
        const { disk, history } = await crash(relaxed, operation)
        for (const [fate, seed] of fates) {
          const left = disk.crash(fate, fractions(seed + operation))
          const recovered = await openUnlessRefused(left, relaxed)
          // Parts of several unsynced writes may be indistinguishable from damage.
          expect(recovered !== undefined || fate === 'mixed').toBe(true)
          if (recovered === undefined) continue
          expect(isExplained(recovered, history, 0)).toBe(true)
          await recovered.storage.close()
        }
      }
    },
  )
})
