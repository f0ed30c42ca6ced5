import { describe, expect, it } from 'vitest'

import { jobDefaults, type JobConfiguration } from '../../src/config/job-configuration.ts'
import { JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { ephemeralBytesOf, SessionPool } from '../../src/scheduler/session-pool.ts'
import type { SessionSlot } from '../../src/scheduler/session-slot.ts'
import { x } from '../tree.ts'

/** A session that only counts what is reserved in it. */
class CountingSlot {
  readonly jobs = new Map<string, number>()
  isClosed = false
  readonly session = {
    close: () => {
      this.isClosed = true
      return Promise.resolve()
    },
  }

  get reserved(): number {
    return [...this.jobs.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  reserve(jobName: string, bytes: number): void {
    this.jobs.set(jobName, bytes)
  }
}

function pool(limit: number): { pool: SessionPool; opened: CountingSlot[] } {
  const opened: CountingSlot[] = []
  const open = (): Promise<SessionSlot> => {
    const slot = new CountingSlot()
    opened.push(slot)
    return Promise.resolve(slot as unknown as SessionSlot)
  }
  return { pool: new SessionPool(limit, open), opened }
}

const state = new StatePaths('ns')

function configuration(changes: Partial<JobConfiguration> = {}): JobConfiguration {
  return { ...jobDefaults, jobName: 'job', shardingTotalCount: 3, ...changes }
}

describe('SessionPool', () => {
  it('has one session until it is full, then a further one', async () => {
    const { pool: sessions, opened } = pool(100)
    await sessions.start()
    for (const job of ['a', 'b', 'c']) await sessions.reserve(job, 40)
    expect(opened.map(({ jobs }) => [...jobs.keys()])).toEqual([['a', 'b'], ['c']])
    expect(sessions.slots).toHaveLength(2)
  })

  it('fills a session to its last byte, and never beyond', async () => {
    const { pool: sessions, opened } = pool(100)
    await sessions.start()
    for (let n = 0; n < 10; n++) await sessions.reserve(`job ${n}`, 50)
    expect(opened.map(({ reserved }) => reserved)).toEqual([100, 100, 100, 100, 100])
  })

  it('finds room that was given back', async () => {
    const { pool: sessions, opened } = pool(100)
    await sessions.start()
    await sessions.reserve('a', 100)
    opened[0]?.jobs.delete('a')
    await sessions.reserve('b', 100)
    expect(opened).toHaveLength(1)
  })

  it('opens no more sessions than are needed when many jobs come at once', async () => {
    const { pool: sessions, opened } = pool(100)
    await sessions.start()
    await Promise.all(Array.from({ length: 40 }, (_, n) => sessions.reserve(`job ${n}`, 10)))
    expect(opened.map(({ reserved }) => reserved)).toEqual([100, 100, 100, 100])
  })

  it('refuses a job that no session could hold, and says what to do', async () => {
    const { pool: sessions } = pool(100)
    await sessions.start()
    await expect(sessions.reserve('huge', 101)).rejects.toThrow('have fewer shards')
  })

  it('goes on after a session could not be opened', async () => {
    const slot = new CountingSlot()
    const answers = [Promise.reject(new Error('refused')), Promise.resolve(slot)]
    const open = (): Promise<SessionSlot> =>
      answers.shift() as Promise<unknown> as Promise<SessionSlot>
    const sessions = new SessionPool(100, open)
    await expect(sessions.reserve('a', 10)).rejects.toThrow('refused')
    await sessions.reserve('a', 10)
    expect(slot.reserved).toBe(10)
  })

  it('closes all of them', async () => {
    const { pool: sessions, opened } = pool(10)
    await sessions.start()
    await sessions.reserve('a', 10)
    const late = sessions.reserve('b', 10)
    await sessions.close()
    await late
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
  })
})

describe('ephemeralBytesOf', () => {
  const paths = new JobPaths('ns', state, 'job')
  /** What the end of a session lists: each path with its length before it. */
  const listed = (nodes: readonly string[]): number =>
    nodes.reduce((sum, path) => sum + Buffer.byteLength(path) + 4, 0)

  it('is no less than what the job may come to: its instance, its leadership, a mark for each shard', () => {
    const nodes = [paths.instance(x), paths.leaderInstance]
    const running = [0, 1, 2].map((shard) => paths.mark(shard, 'running'))
    expect(ephemeralBytesOf('ns', state, configuration())).toBeGreaterThanOrEqual(
      listed([...nodes, ...running]),
    )
    const taken = [0, 1, 2].map((shard) => paths.mark(shard, 'failover'))
    expect(ephemeralBytesOf('ns', state, configuration({ failover: true }))).toBeGreaterThanOrEqual(
      listed([...nodes, ...taken]),
    )
  })

  it('has room for the longest id there may be', () => {
    const longest = '255.255.255.255@-@4194304-abcdefgh'
    const nodes = [paths.instance(longest), paths.leaderInstance]
    const none = configuration({ shardingTotalCount: 0 })
    expect(ephemeralBytesOf('ns', state, none)).toBeGreaterThanOrEqual(listed(nodes))
  })

  it('counts bytes, not letters', () => {
    const ascii = ephemeralBytesOf('ns', state, configuration({ jobName: 'u' }))
    expect(ephemeralBytesOf('ns', state, configuration({ jobName: 'ü' }))).toBeGreaterThan(ascii)
  })
})
