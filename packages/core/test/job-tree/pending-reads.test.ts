import { describe, expect, it } from 'vitest'

import { PendingReads } from '../../src/job-tree/pending-reads.ts'
import { read, type ReadPart, type ReadResult } from '../../src/registry/transaction.ts'

interface Sent {
  readonly parts: readonly ReadPart[]
  /** The answer arrives, and is delivered. */
  answer(): Promise<void>
}

interface Bench {
  readonly pendingReads: PendingReads
  readonly sent: Sent[]
  readonly delivered: string[]
}

function bench(): Bench {
  const sent: Sent[] = []
  const delivered: string[] = []
  const pendingReads = new PendingReads({
    read: (parts, onAnswer) =>
      new Promise((resolve) => {
        const answer = async (): Promise<void> => {
          onAnswer()
          resolve(parts.map(() => ({ data: Buffer.alloc(0) }) as unknown as ReadResult))
          await new Promise(setImmediate)
        }
        sent.push({ parts, answer })
      }),
    deliver: ({ path }) => delivered.push(path),
    delivered: () => delivered.push('all'),
    failed: (error) => delivered.push(String(error)),
  })
  return { pendingReads, sent, delivered }
}

async function asked(pendingReads: PendingReads, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) pendingReads.ask(read.get(path))
  await new Promise(setImmediate)
}

describe('Questions', () => {
  it('delivers the answers to all that is asked in one instant', async () => {
    const { pendingReads, sent, delivered } = bench()
    await asked(pendingReads, '/a', '/b', '/a')
    expect(sent.map(({ parts }) => parts.length)).toEqual([2])
    expect(pendingReads.isSettled).toBe(false)
    await sent[0]?.answer()
    expect(delivered).toEqual(['/a', '/b', 'all'])
    expect(pendingReads.isSettled).toBe(true)
  })

  it('drops an answer of an earlier connection', async () => {
    const { pendingReads, sent, delivered } = bench()
    await asked(pendingReads, '/a')
    pendingReads.clear()
    await asked(pendingReads, '/a')
    await sent[0]?.answer()
    expect(delivered).toEqual([])
    expect(pendingReads.isSettled).toBe(false)
    await sent[1]?.answer()
    expect(delivered).toEqual(['/a', 'all'])
    expect(pendingReads.isSettled).toBe(true)
  })
})
