import { describe, expect, test } from 'vitest'

import { batchesOf } from '../../../src/job-types/dataflow/batches.ts'
import type { Fetched } from '../../../src/job-types/dataflow/dataflow.ts'
import { shardContext } from '../support/contexts.ts'

function batches(fetchData: () => Fetched<number>): AsyncGenerator<number[], void, undefined> {
  return batchesOf({ fetchData, processData() {} }, shardContext())
}

async function all(fetchData: () => Fetched<number>): Promise<number[][]> {
  const seen: number[][] = []
  for await (const batch of batches(fetchData)) seen.push(batch)
  return seen
}

describe('a function', () => {
  test.for<[what: string, end: Fetched<number>]>([
    ['an empty array', []],
    ['null', null],
    ['undefined', undefined],
    ['an empty array later', Promise.resolve([])],
    ['null later', Promise.resolve(null)],
  ])('is called until it gives %s', async ([, end]) => {
    const answers: Fetched<number>[] = [[1, 2], Promise.resolve([3]), end, [4]]
    expect(await all(() => answers.shift())).toEqual([[1, 2], [3]])
    expect(answers).toEqual([[4]])
  })

  test('is called only when its batch is asked for', async () => {
    let calls = 0
    const source = batches(() => [(calls += 1)])
    await source.next()
    expect(calls).toBe(1)
    await source.return()
    expect(calls).toBe(1)
  })

  test('that gives something else is refused', async () => {
    await expect(all(() => 'rows' as unknown as number[])).rejects.toMatchObject({
      code: 'JOB_DATAFLOW_FAILED',
      message: 'fetchData gave string where an array was expected',
    })
  })
})

describe('a generator', () => {
  test('gives its batches until it ends, empty ones too', async () => {
    const seen = await all(async function* () {
      yield [1]
      yield []
      yield [2]
    })
    expect(seen).toEqual([[1], [], [2]])
  })

  test('comes to its finally when nobody asks any more', async () => {
    const steps: string[] = []
    const source = batches(async function* () {
      try {
        yield [1]
        steps.push('asked again')
        yield [2]
      } finally {
        steps.push('finally')
      }
    })
    await source.next()
    await source.return()
    expect(steps).toEqual(['finally'])
  })
})
