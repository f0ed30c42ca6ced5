import { describe, expect, test } from 'vitest'

import { FireBook } from '../drivers/alternatives/fire-book.ts'
import { describeVersion, peers } from '../schedulers/alternatives/contenders.ts'
import { mostSustained } from '../schedulers/alternatives/most-sustained.ts'
import { inRounds } from '../schedulers/alternatives/rounds.ts'
import { table } from '../schedulers/alternatives/table.ts'

describe('the book of fires', () => {
  function opened(): FireBook {
    const book = new FireBook()
    book.open(10_000, 13_000)
    return book
  }

  test('counts what is late, and what is missing', () => {
    const book = opened()
    book.note('a', 10_000, 10_007)
    book.note('a', 12_000, 13_500)
    expect(book.result(1, 1_000)).toEqual({
      expected: 3,
      missed: 1,
      repeated: 0,
      perSecond: 2 / 3,
      lateness: [7, 1_500],
    })
  })

  test('knows nothing of fires before it was opened, nor of those before and after its time', () => {
    const book = new FireBook()
    book.note('a', 10_000, 10_001)
    book.open(10_000, 13_000)
    book.note('a', 9_000, 10_001)
    book.note('a', 13_000, 13_001)
    expect(book.result(1, 1_000)).toMatchObject({ missed: 3, lateness: [] })
  })

  test('counts a run for an older fire as one of this time', () => {
    const book = opened()
    book.note('a', 5_000, 10_500)
    expect(book.result(1, 1_000)).toMatchObject({ missed: 3, perSecond: 1 / 3 })
  })

  test('never counts more runs a second than there are fires', () => {
    const book = opened()
    for (const fire of [9_000, 10_000, 11_000, 12_000]) book.note('a', fire, fire + 1_000)
    expect(book.result(1, 1_000)).toMatchObject({ missed: 0, perSecond: 1 })
  })

  test('counts the second run for the same fire of a job, and of that job alone, as one too many', () => {
    const book = opened()
    for (const job of ['a', 'b', 'a']) book.note(job, 11_000, 11_001)
    expect(book.result(2, 1_000)).toMatchObject({ missed: 4, repeated: 1, lateness: [1, 1] })
  })
})

describe('the most that is sustained', () => {
  const capacity = (limit: number) => async (jobs: number) => Math.min(jobs, limit)

  test('is looked for with twice as many each time, until too few are run, and then between', async () => {
    const asked: number[] = []
    const found = await mostSustained(100, 10_000, async (jobs) => {
      asked.push(jobs)
      return capacity(350)(jobs)
    })
    expect(asked).toEqual([100, 200, 400, 300])
    expect(found).toEqual({ perSecond: 350, jobs: 400 })
  })

  test.for<[limit: number, most: number]>([
    [200, 200],
    [350, 300],
  ])('is the best of all when more than %d asked for means less done', async ([limit, most]) => {
    const found = await mostSustained(100, 10_000, async (jobs) => (jobs > limit ? 20 : jobs))
    expect(found).toEqual({ perSecond: most, jobs: most })
  })

  test('is what was done of the least when that is too much', async () => {
    expect(await mostSustained(100, 10_000, capacity(50))).toEqual({ perSecond: 50, jobs: 100 })
  })

  test('is not looked for beyond the end', async () => {
    expect(await mostSustained(100, 300, capacity(1_000))).toEqual({ perSecond: 200, jobs: 200 })
  })
})

test('a table has ours beside all others, without what somebody has no figure of', () => {
  const { names, rows } = table(
    'Title',
    [{ what: 'late', unit: 'ms', metric: 'p50' }],
    { ElasticJob: [{ p50: 2 }, { p50: 4 }], Other: [{ p50: 6 }], Another: [{ p50: null }, {}] },
    [],
  )
  expect(names).toEqual(['ElasticJob', 'Other', 'Another'])
  expect(rows).toMatchObject([
    {
      values: { ElasticJob: 3, Other: 6, Another: null },
      ratios: { Other: 0.5, Another: null },
      ratio: null,
    },
  ])
})

test('in every round somebody else is the first', async () => {
  const entrants = ['a', 'b'].map((id) => ({ name: id, id, store: 'Redis' as const }))
  const order: string[] = []
  const results = await inRounds('Title', entrants, 2, async ({ name }) => ({
    turn: order.push(name),
  }))
  expect(order).toEqual(['a', 'b', 'b', 'a'])
  expect(results).toEqual({ a: [{ turn: 1 }, { turn: 4 }], b: [{ turn: 2 }, { turn: 3 }] })
})

test.for(peers)('the version of $name is that of its folder', (peer) => {
  expect(describeVersion(peer)).toMatch(new RegExp(`^${peer.name} \\d+\\.\\d+\\.\\d+`))
})
