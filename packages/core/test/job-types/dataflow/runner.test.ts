import { describe, expect, test } from 'vitest'

import { systemClock } from '../../../src/clock.ts'
import type { ShardingContext } from '../../../src/job-types/context.ts'
import type { Dataflow, ThroughputDataflow } from '../../../src/job-types/dataflow/dataflow.ts'
import { dataflow } from '../../../src/job-types/dataflow/runner.ts'
import { instanceContext, shardContext, TestControl } from '../support/contexts.ts'

const streaming = { 'streaming.process': 'true' }

/** A dataflow over these batches that writes down what it does. */
class Recorded {
  readonly steps: string[] = []
  readonly #batches: number[][]
  /** Called with each batch that is processed. */
  onProcess: (batch: number[]) => void = () => {}

  constructor(batches: number[][]) {
    this.#batches = batches
  }

  fetchData(): number[] | undefined {
    const batch = this.#batches.shift()
    this.steps.push(`fetch ${batch?.join() ?? 'nothing'}`)
    return batch
  }

  processData(_context: unknown, data: number[]): void {
    this.steps.push(`process ${data.join()}`)
    this.onProcess(data)
  }
}

async function run(
  job: Dataflow<number>,
  control: TestControl,
  context: ShardingContext = shardContext(),
): Promise<void> {
  const runner = dataflow(job, control.props, systemClock)
  if (runner.scope !== 'shard') throw new Error('a shard at a time was expected')
  await runner.run(context, control)
}

describe('one-off', () => {
  test('fetches once and processes once', async () => {
    const job = new Recorded([[1, 2], [3]])
    const control = new TestControl()
    await run(job, control)
    expect(job.steps).toEqual(['fetch 1,2', 'process 1,2'])
    expect(control.succeeded).toBe(2)
  })

  test('processes nothing where there is nothing', async () => {
    const job = new Recorded([])
    await run(job, new TestControl())
    expect(job.steps).toEqual(['fetch nothing'])
  })

  test('takes the first batch of a generator and lets it end', async () => {
    const steps: string[] = []
    const job: Dataflow<number> = {
      async *fetchData() {
        try {
          yield [1]
          yield [2]
        } finally {
          steps.push('finally')
        }
      },
      processData: (_context, data) => void steps.push(`process ${data.join()}`),
    }
    await run(job, new TestControl())
    expect(steps).toEqual(['process 1', 'finally'])
  })

  test('passes the context on to both', async () => {
    const seen: unknown[] = []
    const context = shardContext({ fetchDataCount: 25 })
    const job: Dataflow<number> = {
      fetchData: (given) => (seen.push(given), [given.fetchDataCount]),
      processData: (given, data) => void seen.push(given, data),
    }
    await run(job, new TestControl(), context)
    expect(seen).toEqual([context, context, [25]])
  })
})

describe('streaming', () => {
  test('goes on until there is nothing left', async () => {
    const job = new Recorded([[1], [2], [3]])
    await run(job, new TestControl(streaming))
    expect(job.steps.at(-1)).toBe('fetch nothing')
    expect(job.steps).toHaveLength(7)
  })

  test('goes on until a generator ends, past its empty batches', async () => {
    const seen: number[][] = []
    const job: Dataflow<number> = {
      async *fetchData() {
        yield [1]
        yield []
        yield [2]
      },
      processData: (_context, data) => void seen.push(data),
    }
    await run(job, new TestControl(streaming))
    expect(seen).toEqual([[1], [2]])
  })

  test('ends after its batch when it must yield', async () => {
    const job = new Recorded([[1], [2], [3]])
    const control = new TestControl(streaming)
    job.onProcess = ([element]) => {
      control.yielding = element === 2
    }
    await run(job, control)
    expect(job.steps).toEqual(['fetch 1', 'process 1', 'fetch 2', 'process 2'])
  })

  test('ends after its batch when streaming is switched off', async () => {
    const job = new Recorded([[1], [2], [3]])
    const control = new TestControl(streaming)
    job.onProcess = ([element]) => {
      if (element === 2) control.props = { 'streaming.process': 'false' }
    }
    await run(job, control)
    expect(job.steps.at(-1)).toBe('process 2')
  })

  test('ends after its batch when it is aborted, and has done its work', async () => {
    const job = new Recorded([[1], [2], [3]])
    const controller = new AbortController()
    job.onProcess = () => controller.abort()
    await run(job, new TestControl(streaming), shardContext({ signal: controller.signal }))
    expect(job.steps).toEqual(['fetch 1', 'process 1'])
  })

  test('hears what happens outside although the body never waits for anything', async () => {
    const control = new TestControl(streaming)
    setImmediate(() => (control.yielding = true))
    // Without a turn of the event loop this would go on for ever.
    await run({ fetchData: () => [1], processData() {} }, control)
    expect(control.succeeded).toBeGreaterThan(0)
  })

  test('ends with the first batch that fails', async () => {
    const job = new Recorded([[1], [2], [3]])
    job.onProcess = ([element]) => {
      if (element === 2) throw new Error('no room')
    }
    const control = new TestControl(streaming)
    await expect(run(job, control)).rejects.toThrow('no room')
    expect(job.steps.at(-1)).toBe('process 2')
    expect(control).toMatchObject({ succeeded: 1, failed: 1 })
  })
})

describe('an abort', () => {
  test('before the run begins leaves everything as it is', async () => {
    const job = new Recorded([[1]])
    const context = shardContext({ signal: AbortSignal.abort(new Error('stopped')) })
    await expect(run(job, new TestControl(), context)).rejects.toThrow('stopped')
    expect(job.steps).toEqual([])
  })

  test('while data are fetched keeps them from being processed, and fails the run', async () => {
    const controller = new AbortController()
    const seen: unknown[] = []
    const job: Dataflow<number> = {
      fetchData() {
        controller.abort(new Error('stopped'))
        return [1]
      },
      processData: (_context, data) => void seen.push(data),
    }
    const context = shardContext({ signal: controller.signal })
    await expect(run(job, new TestControl(), context)).rejects.toThrow('stopped')
    expect(seen).toEqual([])
  })
})

test('SEQUENCE keeps the order of a shard, however many may be processed at once', async () => {
  const seen: number[] = []
  const props = { 'dataflow.mode': 'SEQUENCE', 'concurrent.data.process.thread.count': '4' }
  const job: Dataflow<number> = {
    fetchData: () => [1, 2, 3, 4, 5],
    async processItem(_context, element) {
      // The earlier ones take longer.
      for (let turns = element; turns < 5; turns += 1) await Promise.resolve()
      seen.push(element)
    },
  }
  await run(job, new TestControl(props))
  expect(seen).toEqual([1, 2, 3, 4, 5])
})

test('THROUGHPUT fetches once for all shards and processes in parts', async () => {
  const parts: number[][] = []
  const job: ThroughputDataflow<number> = {
    fetchData: ({ shardingItems }) =>
      shardingItems.flatMap(({ shardingItem }) => [shardingItem * 10, shardingItem * 10 + 1]),
    processData: (_context, data) => void parts.push(data),
  }
  const control = new TestControl({
    'dataflow.mode': 'THROUGHPUT',
    'concurrent.data.process.thread.count': '2',
  })
  const runner = dataflow(job, control.props, systemClock)
  if (runner.scope !== 'instance') throw new Error('all shards at once were expected')
  await runner.run(instanceContext(), control)
  expect(parts).toEqual([
    [0, 1],
    [10, 11],
  ])
  expect(control.succeeded).toBe(4)
})

test('a change of the concurrency is heeded with the next batch', async () => {
  const parts: number[][] = []
  const batches = [
    [1, 2],
    [3, 4],
  ]
  const control = new TestControl(streaming)
  const job: Dataflow<number> = {
    fetchData: () => batches.shift(),
    processData(_context, data) {
      parts.push(data)
      control.props = { ...streaming, 'concurrent.data.process.thread.count': '2' }
    },
  }
  await run(job, control)
  expect(parts).toEqual([[1, 2], [3], [4]])
})
