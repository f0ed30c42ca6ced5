import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  bytesOf,
  type CommitClient,
  type Committed,
  Committer,
  maximumBytes,
} from '../../src/registry/committer.ts'
import { isOutcomeUnknown, RegistryError } from '../../src/registry/registry-error.ts'
import {
  part,
  type PartResult,
  type Stat,
  type TransactionPart,
} from '../../src/registry/transaction.ts'
import { TreeServer } from '../tree-server.ts'

const modified = 4711

/** A client whose server is a tree, and whose transactions are counted. */
class TreeClient implements CommitClient {
  readonly tree = new TreeServer()
  readonly sent: (readonly TransactionPart[])[] = []
  /** What has to happen before the server answers. */
  gate: Promise<void> = Promise.resolve()
  failure: Error | undefined
  onSent: () => unknown = () => undefined

  async transact(parts: readonly TransactionPart[]): Promise<readonly PartResult[]> {
    this.sent.push(parts)
    this.onSent()
    await this.gate
    if (this.failure !== undefined) throw this.failure
    for (const [index] of parts.entries()) {
      const outcome = this.tree.fork().apply(parts.slice(0, index + 1))
      if (outcome !== 'committed') {
        throw new RegistryError(`REGISTRY_${outcome}`, outcome, { partIndex: index })
      }
    }
    this.tree.apply(parts)
    return parts.map(({ type, path }) =>
      type === 'set'
        ? { stat: { version: this.tree.get(path)?.version, mtime: BigInt(modified) } as Stat }
        : {},
    )
  }
}

interface Bench {
  readonly clock: SimulatedClock
  readonly client: TreeClient
  readonly committer: Committer
  readonly observed: (readonly [number, number])[]
}

function bench(): Bench {
  const clock = new SimulatedClock()
  const client = new TreeClient()
  const observed: [number, number][] = []
  const committer = new Committer(client, clock, {
    observe: (time, begun) => observed.push([time, begun.wall]),
  })
  return { clock, client, committer, observed }
}

function settled(promises: readonly Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    promises.map((promise) =>
      promise.then(
        () => 'committed',
        (error: unknown) => (error instanceof RegistryError ? error.code : 'failed'),
      ),
    ),
  )
}

async function outcomesOf(commits: Promise<readonly Committed[]>): Promise<string[]> {
  return (await commits).map(({ error }) =>
    error instanceof RegistryError ? error.code : 'committed',
  )
}

describe('Committer', () => {
  it('sends what is decided in the same instant as one transaction', async () => {
    const { clock, client, committer } = bench()
    const commits = ['/a', '/b', '/c'].map((path) => committer.commit([part.create(path)]))
    expect(client.sent).toHaveLength(0)
    expect(await clock.until(settled(commits))).toEqual(['committed', 'committed', 'committed'])
    expect(client.sent).toHaveLength(1)
    await clock.until(committer.commit([part.create('/d')]))
    expect(client.sent).toHaveLength(2)
  })

  it('sends many beside each other, so that the first are answered while the rest is worked on', async () => {
    const { clock, client, committer } = bench()
    const units = Array.from({ length: 300 }, (_, n) => ({ parts: [part.create(`/n-${n}`)] }))
    const outcomes = await clock.until(committer.commitEach(units))
    expect(outcomes).toHaveLength(300)
    expect(outcomes[299]?.results).toHaveLength(1)
    expect(client.sent.map(({ length }) => length)).toEqual([128, 128, 44])
  })

  it('gives everybody the answers to its own parts', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/a')
    client.tree.put('/b')
    client.tree.put('/b')
    client.tree.apply([part.set('/b', '')])
    const one = committer.commit([part.check('/a'), part.set('/a', '1')])
    const other = committer.commit([part.check('/a'), part.create('/c'), part.set('/b', '2')])
    const [first, second] = await clock.until(Promise.all([one, other]))
    expect(first.map(({ stat }) => stat?.version)).toEqual([undefined, 1])
    expect(second[1]).toEqual({})
    expect(second[2]?.stat?.version).toBe(2)
  })

  it('tells of the time of the registry, and when the write began', async () => {
    const { clock, client, committer, observed } = bench()
    client.tree.put('/a')
    const begun = clock.now()
    await clock.until(committer.commit([part.set('/a', '1')]))
    await clock.until(committer.commit([part.create('/b')]))
    expect(observed).toEqual([[modified, begun]])
  })

  it('asks once what several want to be sure of', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/me')
    const commits = [1, 2, 3].map((n) =>
      committer.commit([part.check('/me'), part.create(`/${n}`)]),
    )
    await clock.until(settled(commits))
    expect(client.sent[0]?.filter(({ type }) => type === 'check')).toHaveLength(1)
  })

  it('asks again where one of them changes it in between', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/me')
    const commits = [
      committer.commit([part.check('/me', 0), part.create('/1')]),
      committer.commit([part.set('/me', 'changed', 0)]),
      committer.commit([part.check('/me', 0), part.create('/2')]),
    ]
    expect(await clock.until(settled(commits))).toEqual([
      'committed',
      'committed',
      'REGISTRY_BAD_VERSION',
    ])
  })

  it('asks again where a unit changes the node that it has checked', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/leader')
    const commits = [
      committer.commit([part.check('/leader', 0), part.delete('/leader', 0)]),
      committer.commit([part.check('/leader', 0), part.create('/late')]),
    ]
    expect(await clock.until(settled(commits))).toEqual(['committed', 'REGISTRY_NO_NODE'])
    expect(client.tree.get('/late')).toBeUndefined()
  })

  it('asks apart for other versions', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/me')
    const commits = [
      committer.commit([part.check('/me', 0), part.create('/1')]),
      committer.commit([part.check('/me', 7), part.create('/2')]),
    ]
    expect(await clock.until(settled(commits))).toEqual(['committed', 'REGISTRY_BAD_VERSION'])
  })

  it('tells who fails, and tries the others again', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/2')
    const commits = [1, 2, 3, 4].map((n) => committer.commit([part.create(`/${n}`)]))
    const outcomes = await clock.until(settled(commits))
    expect(outcomes).toEqual(['committed', 'REGISTRY_NODE_EXISTS', 'committed', 'committed'])
  })

  it('tells all who share the check that fails', async () => {
    const { clock, committer } = bench()
    const commits = [1, 2].map((n) => committer.commit([part.check('/gone'), part.create(`/${n}`)]))
    const other = committer.commit([part.create('/3')])
    const outcomes = await clock.until(settled([...commits, other]))
    expect(outcomes).toEqual(['REGISTRY_NO_NODE', 'REGISTRY_NO_NODE', 'committed'])
  })

  it('blames the unit that failed when earlier units share their first check with it', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/me')
    client.tree.put('/4')
    const commits = [1, 2, 3, 4].map((n) =>
      committer.commit([part.check('/me'), part.create(`/${n}`)]),
    )
    // The check is sent once: the failed part stands at position 4, where unit 3 would be without merging.
    const outcomes = await clock.until(settled(commits))
    expect(client.sent[0]).toHaveLength(5)
    expect(outcomes).toEqual(['committed', 'committed', 'committed', 'REGISTRY_NODE_EXISTS'])
  })

  it('does not try again what is known to be in vain when another has failed', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/0')
    const units = Array.from({ length: 9 }, (_, n) => ({
      parts: [part.create(`/${n}`)],
      isVain: () => n % 2 === 1,
    }))
    const outcomes = await clock.until(outcomesOf(committer.commitEach(units)))
    expect(outcomes).toEqual(
      Array.from({ length: 9 }, (_, n) =>
        n === 0 || n % 2 === 1 ? 'REGISTRY_NODE_EXISTS' : 'committed',
      ),
    )
    expect(client.sent.map((parts) => parts.length)).toEqual([9, 2, 2])
  })

  it('asks nobody whether it is in vain while all goes well', async () => {
    const { clock, committer } = bench()
    const units = [1, 2].map((n) => ({ parts: [part.create(`/${n}`)], isVain: () => true }))
    const outcomes = await clock.until(outcomesOf(committer.commitEach(units)))
    expect(outcomes).toEqual(['committed', 'committed'])
  })

  it('tells all of a connection that is lost, and tries nothing again', async () => {
    const { clock, client, committer } = bench()
    client.failure = new RegistryError('REGISTRY_CONNECTION_LOSS', 'lost', {
      outcomeUnknown: true,
    })
    const commits = [1, 2].map((n) => committer.commit([part.create(`/${n}`)]))
    expect(await clock.until(settled(commits))).toEqual([
      'REGISTRY_CONNECTION_LOSS',
      'REGISTRY_CONNECTION_LOSS',
    ])
    expect(client.sent).toHaveLength(1)
  })

  it('goes on after that', async () => {
    const { clock, client, committer } = bench()
    client.failure = new RegistryError('REGISTRY_CONNECTION_LOSS', 'lost')
    await clock.until(settled([committer.commit([part.create('/1')])]))
    client.failure = undefined
    await clock.until(committer.commit([part.create('/1')]))
    expect(client.tree.get('/1')).toBeDefined()
  })

  it('refuses what no server would take, at once, and sends nothing', async () => {
    const { client, committer } = bench()
    const huge = committer.commit([part.create('/a', 'x'.repeat(maximumBytes))])
    await expect(huge).rejects.toMatchObject({ code: 'JOB_TRANSACTION_TOO_LARGE' })
    expect(client.sent).toHaveLength(0)
  })

  it('settles units that were given together in their order, the one that is too large at once', async () => {
    const { clock, client, committer } = bench()
    client.tree.put('/2')
    const huge = part.create('/huge', 'x'.repeat(maximumBytes))
    const units = [[part.create('/1')], [huge], [part.create('/2')], [part.create('/3')]]
    const committed = await clock.until(committer.commitEach(units.map((parts) => ({ parts }))))
    expect(committed.map(({ results }) => results?.length)).toEqual([1, undefined, undefined, 1])
    expect(committed.map(({ error }) => (error as { code?: string } | undefined)?.code)).toEqual([
      undefined,
      'JOB_TRANSACTION_TOO_LARGE',
      'REGISTRY_NODE_EXISTS',
      undefined,
    ])
    expect(await clock.until(committer.commitEach([]))).toEqual([])
  })

  it('has so many under way at most, and sends what came meanwhile together', async () => {
    const { clock, client, committer } = bench()
    let open = (): void => {}
    client.gate = new Promise((resolve) => {
      open = resolve
    })
    const commits: Promise<unknown>[] = []
    for (let n = 0; n < 20; n++) {
      commits.push(committer.commit([part.create(`/${n}`)]))
      await clock.advance(1)
    }
    const underWay = client.sent.length
    expect(underWay).toBeLessThan(20)
    open()
    await clock.until(settled(commits))
    expect(client.sent).toHaveLength(underWay + 1)
    expect(client.sent.at(-1)).toHaveLength(20 - underWay)
  })

  it('settles every unit exactly once, and truly, in batches that are small enough', async () => {
    const unit = fc.record({
      node: fc.integer({ min: 0, max: 5 }),
      type: fc.constantFrom('create', 'set', 'check', 'delete'),
      version: fc.constantFrom(-1, 0, 1),
      bytes: fc.constantFrom(0, 10, 200_000),
      batch: fc.integer({ min: 0, max: 2 }),
    })
    const partsOf = (
      { node, type, version, bytes }: typeof unit extends fc.Arbitrary<infer T> ? T : never,
      index: number,
    ): TransactionPart[] => {
      const path = `/n${node}`
      const own = part.create(`/own${index}`, 'x'.repeat(bytes))
      if (type === 'create') return [part.create(path), own]
      if (type === 'set') return [part.set(path, '', version), own]
      if (type === 'delete') return [part.delete(path, version), own]
      return [part.check(path, version), own]
    }
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 12 }), async (units) => {
        const { clock, client, committer } = bench()
        for (const node of [0, 1, 2]) client.tree.put(`/n${node}`)
        const times = units.map(() => 0)
        const outcomes: (string | undefined)[] = []
        for (const batch of [0, 1, 2]) {
          for (const [index, one] of units.entries()) {
            if (one.batch !== batch) continue
            void settled([committer.commit(partsOf(one, index))]).then(([outcome]) => {
              times[index] = (times[index] as number) + 1
              outcomes[index] = outcome
            })
          }
          await clock.advance(1)
        }
        await clock.advance(1000)
        expect(times).toEqual(units.map(() => 1))
        for (const sent of client.sent) expect(bytesOf(sent)).toBeLessThanOrEqual(maximumBytes)
        for (const [index] of units.entries()) {
          const isThere = client.tree.get(`/own${index}`) !== undefined
          expect(isThere).toBe(outcomes[index] === 'committed')
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('bytesOf', () => {
  it('is no less than what the parts take', () => {
    const parts = [
      part.create('/ä', 'x'.repeat(100)),
      part.set('/b', 'yy'),
      part.delete('/c'),
      part.check('/d'),
    ]
    expect(bytesOf(parts)).toBeGreaterThan(100 + 2 + Buffer.byteLength('/ä/b/c/d'))
    expect(bytesOf([])).toBe(0)
  })
})

describe('isOutcomeUnknown', () => {
  it('is what may have been carried out although no answer came', () => {
    const lost = new RegistryError('REGISTRY_CONNECTION_LOSS', '', { outcomeUnknown: true })
    expect(isOutcomeUnknown(lost)).toBe(true)
    expect(isOutcomeUnknown(new RegistryError('REGISTRY_BAD_VERSION', ''))).toBe(false)
    expect(isOutcomeUnknown(new Error('other'))).toBe(false)
  })
})
