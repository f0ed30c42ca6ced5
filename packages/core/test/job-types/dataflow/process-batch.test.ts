import { describe, expect, test } from 'vitest'

import { processBatch } from '../../../src/job-types/dataflow/process-batch.ts'
import { shardContext, TestControl } from '../support/contexts.ts'

const fetchData = (): never[] => []
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

describe('in batches', () => {
  async function process(answer: () => number | void, concurrency = 1): Promise<TestControl> {
    const control = new TestControl()
    const job = { fetchData, processData: answer }
    await processBatch<number, ReturnType<typeof shardContext>>(
      job,
      shardContext(),
      control,
      [...numbers],
      concurrency,
    ).catch((error: unknown) => {
      throw Object.assign(error as Error, { control })
    })
    return control
  }

  test('all succeed where nothing is answered', async () => {
    expect(await process(() => {})).toMatchObject({ succeeded: 10, failed: 0 })
  })

  test('so many succeed as are answered, the rest has failed', async () => {
    expect(await process(() => 7)).toMatchObject({ succeeded: 7, failed: 3 })
  })

  test('a part that throws has failed, the others are brought to their end', async () => {
    let calls = 0
    const run = process(() => {
      calls += 1
      if (calls === 2) throw new Error('the second part')
    }, 4)
    await expect(run).rejects.toThrow('the second part')
    await expect(run).rejects.toMatchObject({ control: { succeeded: 7, failed: 3 } })
    expect(calls).toBe(4)
  })

  test.for([-1, 11, 1.5, Number.NaN])('%d successes of 10 are refused', async (answer) => {
    const run = process(() => answer)
    await expect(run).rejects.toMatchObject({
      code: 'JOB_DATAFLOW_FAILED',
      message: `processData answered ${answer} successes of 10 elements`,
      control: { succeeded: 0, failed: 10 },
    })
  })

  test('data that the body takes away are counted all the same', async () => {
    const control = new TestControl()
    const job = { fetchData, processData: (_: unknown, data: number[]) => void data.splice(0) }
    await processBatch(job, shardContext(), control, [...numbers], 1)
    expect(control.succeeded).toBe(10)
  })

  test('parts are processed side by side', async () => {
    const control = new TestControl()
    const seen: number[][] = []
    let release = (): void => {}
    const allThere = new Promise<void>((resolve) => (release = resolve))
    const job = {
      fetchData,
      async processData(_: unknown, data: number[]) {
        seen.push(data)
        if (seen.length === 4) release()
        // One after the other they would wait here for ever.
        await allThere
      },
    }
    await processBatch(job, shardContext(), control, numbers, 4)
    expect(seen).toEqual([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]])
  })
})

describe('one by one', () => {
  test('false is a failure, anything else a success', async () => {
    const control = new TestControl()
    const answers = [true, false, undefined]
    const job = { fetchData, processItem: (_: unknown, index: number) => answers[index] }
    await processBatch(job, shardContext(), control, [0, 1, 2], 1)
    expect(control).toMatchObject({ succeeded: 2, failed: 1 })
  })

  test('one that throws has failed, the others are processed, the first error is told', async () => {
    const control = new TestControl()
    const seen: number[] = []
    const job = {
      fetchData,
      async processItem(_: unknown, element: number) {
        seen.push(element)
        if (element % 4 === 0) throw new Error(`element ${element}`)
      },
    }
    const run = processBatch(job, shardContext(), control, numbers, 1)
    await expect(run).rejects.toThrow('element 4')
    expect(seen).toEqual(numbers)
    expect(control).toMatchObject({ succeeded: 8, failed: 2 })
  })

  test('after an abort no further element is begun', async () => {
    const control = new TestControl()
    const controller = new AbortController()
    const job = {
      fetchData,
      processItem(_: unknown, element: number) {
        if (element === 3) controller.abort(new Error('the lease is over'))
      },
    }
    const context = shardContext({ signal: controller.signal })
    const run = processBatch(job, context, control, numbers, 1)
    await expect(run).rejects.toThrow('the lease is over')
    expect(control).toMatchObject({ succeeded: 3, failed: 0 })
  })
})
