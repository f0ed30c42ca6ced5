import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { ShardingContext } from '../../src/job-types/context.ts'
import { inWorker, type InWorkerOptions, type WorkerRunner } from '../../src/job-types/worker.ts'
import { SlowClock } from './support/clocks.ts'
import { shardContext, TestControl } from './support/contexts.ts'
import { RecordingLogger } from './support/recording-logger.ts'

const jobs = new URL('worker/fixtures/jobs.ts', import.meta.url)

/** The flags with which Node loads TypeScript in a worker of a test, whatever its version. */
const execArgv = ['--import', 'tsx', '--conditions=source']

function job(exportName: string, options: InWorkerOptions = {}): WorkerRunner {
  const runner = inWorker(jobs, { exportName, execArgv, ...options })
  onTestFinished(() => runner.stop())
  return runner
}

function start(
  runner: WorkerRunner,
  given: Partial<ShardingContext> = {},
): { readonly logger: RecordingLogger; readonly ended: Promise<void> } {
  const logger = new RecordingLogger()
  const ended = runner.run(shardContext({ logger, ...given }), new TestControl())
  // It is looked at later than it may fail.
  ended.catch(() => {})
  return { logger, ended }
}

async function linesOf(
  runner: WorkerRunner,
  given: Partial<ShardingContext> = {},
): Promise<readonly string[]> {
  const { logger, ended } = start(runner, given)
  await ended
  return logger.lines
}

describe('a job in a worker', () => {
  test('is given a context like any other', async () => {
    const context = { offset: 'row-0', fencingToken: 2n ** 60n, attempt: 2 }
    const [told = '', ...others] = await linesOf(job('tellContext'), context)
    expect(JSON.parse(told.slice('info '.length))).toEqual({
      jobName: 'sync-orders',
      taskId: 'sync-orders@-@0,1@-@READY@-@10.0.0.1@-@4711',
      runId: 'run-1',
      shardingTotalCount: 2,
      jobParameter: 'all',
      parameter: 'all',
      monitorExecution: true,
      shardingItem: 0,
      shardingParameter: 'Beijing',
      source: 'cron',
      fireTime: '2026-03-01T10:00:00.000Z',
      fetchDataCount: 1,
      attempt: 2,
      offset: 'row-0',
      fencingToken: '1152921504606846976',
    })
    expect(others).toEqual(['debug true true', 'warn function', 'error the last word'])
  })

  test('has its offsets saved, one after the other', async () => {
    const saved: string[] = []
    const lines = await linesOf(job('saveTwoOffsets'), {
      async saveOffset(offset) {
        await Promise.resolve()
        saved.push(offset)
      },
    })
    expect(saved).toEqual(['row-1', 'row-2'])
    expect(lines).toEqual(['info offset row-1', 'info offset row-2'])
  })

  test('is told when its offset cannot be saved', async () => {
    const { ended, logger } = start(job('saveTwoOffsets'), {
      saveOffset: () => Promise.reject(new Error('the run is no longer the shard\u2019s')),
    })
    await expect(ended).rejects.toThrow('the run is no longer the shard\u2019s')
    expect(logger.lines).toEqual([])
  })

  test('fails with what it throws', async () => {
    await expect(start(job('fail')).ended).rejects.toMatchObject({
      name: 'RangeError',
      message: 'out of rows',
      code: 'E_ROWS',
      stack: expect.stringContaining('jobs.ts') as string,
      cause: { message: 'the table is empty' },
    })
    await expect(start(job('failWithAString')).ended).rejects.toThrow('a word')
  })

  test('may be the only function of its module, named by a path', async () => {
    const path = fileURLToPath(new URL('worker/fixtures/only-one.ts', import.meta.url))
    const runner = inWorker(path, { execArgv })
    onTestFinished(() => runner.stop())
    expect(await linesOf(runner)).toEqual(['info the only one'])
  })
})

describe('a module', () => {
  const onlyOne = new URL('worker/fixtures/only-one.ts', import.meta.url)
  const broken = new URL('worker/fixtures/broken.ts', import.meta.url)
  const absent = new URL('absent.ts', jobs)

  test.for<[module: URL, options: InWorkerOptions, message: RegExp]>([
    [jobs, { exportName: 'sync' }, /exports no function "sync"; it exports .*tellThread/],
    [
      onlyOne,
      { exportName: 'notAFunction' },
      /exports no function "notAFunction"; it exports onlyOne$/,
    ],
    [jobs, {}, /without exportName the module must export one function; it exports/],
    [broken, {}, /broken\.ts failed: cannot be loaded$/],
    [absent, {}, /Cannot find module .*absent\.ts/],
  ])('%s with %j is refused', async ([module, options, message]) => {
    const runner = inWorker(module, { execArgv, ...options })
    await expect(start(runner).ended).rejects.toMatchObject({
      code: 'JOB_WORKER_FAILED',
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('workers', () => {
  test('are used again', async () => {
    const runner = job('tellThread')
    const first = await linesOf(runner)
    expect(await linesOf(runner)).toEqual(first)
  })

  test('are as many as shards run', async () => {
    const runner = job('untilAborted')
    const controller = new AbortController()
    const runs = [1, 2].map(() => start(runner, { signal: controller.signal }))
    // In one thread the second would wait for the first.
    await Promise.all(runs.map(({ logger }) => logger.line(/waiting/)))
    controller.abort()
    const outcomes = await Promise.allSettled(runs.map(({ ended }) => ended))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('beyond those that may wait are ended', async () => {
    const clock = new SlowClock()
    const runner = job('tellThread', { maxIdle: 1, clock })
    const lines = await Promise.all([linesOf(runner), linesOf(runner)])
    expect(new Set(lines.flat()).size).toBe(2)
    expect(clock.heldTimers).toBe(1)
    expect(lines).toContainEqual(await linesOf(runner))
  })

  test('are ended when they have waited for long', async () => {
    const clock = new SlowClock()
    const runner = job('tellThread', { clock })
    const first = await linesOf(runner)
    expect(clock.heldTimers).toBe(1)
    clock.release()
    expect(await linesOf(runner)).not.toEqual(first)
  })

  test('are not kept after the stop', async () => {
    const clock = new SlowClock()
    const runner = job('tellThread', { clock })
    const first = await linesOf(runner)
    await runner.stop()
    await runner.stop()
    expect(clock.heldTimers).toBe(0)
    const second = await linesOf(runner)
    expect(second).not.toEqual(first)
    expect(clock.heldTimers).toBe(0)
    expect(await linesOf(runner)).not.toEqual(second)
  })

  test('are ended with what holds them', async () => {
    const clock = new SlowClock()
    {
      await using runner = inWorker(jobs, { exportName: 'tellThread', execArgv, clock })
      await linesOf(runner)
      expect(clock.heldTimers).toBe(1)
    }
    expect(clock.heldTimers).toBe(0)
  })
})

describe('a worker that ends under its job', () => {
  test.for([
    ['exit', /jobs\.ts \(exit\) ended with exit code 7 in the middle of a run$/],
    ['crash', /jobs\.ts \(crash\) failed: in the background$/],
  ] as const)('by %s fails the run', async ([exportName, message]) => {
    await expect(start(job(exportName)).ended).rejects.toMatchObject({
      code: 'JOB_WORKER_FAILED',
      message: expect.stringMatching(message) as string,
    })
  })

  test('is followed by another one', async () => {
    const runner = job('exit')
    await expect(start(runner).ended).rejects.toThrow('exit code 7')
    const { logger, ended } = start(runner)
    await logger.line(/leaving/)
    await expect(ended).rejects.toThrow('exit code 7')
  })

  test('while it waits is no failure', async () => {
    const clock = new SlowClock()
    const runner = job('crashWhenTold', { clock })
    const channel = new BroadcastChannel('crash')
    onTestFinished(() => channel.close())
    const first = await linesOf(runner, { jobParameter: channel.name })
    expect(clock.heldTimers).toBe(1)
    const forgotten = clock.timerCancelled()
    channel.postMessage('now')
    await forgotten
    expect(await linesOf(runner, { jobParameter: channel.name })).not.toEqual(first)
  })
})

describe('an abort', () => {
  test('reaches the job, with its reason', async () => {
    const controller = new AbortController()
    const clock = new SlowClock()
    const { logger, ended } = start(job('untilAborted', { clock }), { signal: controller.signal })
    await logger.line(/waiting/)
    controller.abort(Object.assign(new Error('the lease is over'), { code: 'JOB_STOPPED' }))
    await expect(ended).rejects.toMatchObject({
      message: 'the lease is over',
      code: 'JOB_STOPPED',
    })
    expect(clock.heldTimers).toBe(0)
  })

  test('ends the thread of a job that does not heed it', async () => {
    const controller = new AbortController()
    const clock = new SlowClock()
    const { logger, ended } = start(job('neverEnd', { clock }), { signal: controller.signal })
    await logger.line(/spinning/)
    const reason = new Error('the lease is over')
    controller.abort(reason)
    clock.release()
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_WORKER_FAILED',
      message: expect.stringMatching(
        /did not end within 5000 ms after its abort, and was ended$/,
      ) as string,
      cause: reason,
    })
  })

  test('before the run keeps it from beginning', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    const { logger, ended } = start(job('tellThread'), { signal })
    await expect(ended).rejects.toThrow('stopped')
    expect(logger.lines).toEqual([])
  })
})

test('a program on tsx needs nothing else', async () => {
  const tsx = createRequire(import.meta.url).resolve('tsx/cli')
  const program = fileURLToPath(new URL('worker/fixtures/program.ts', import.meta.url))
  const args = [tsx, '--conditions=source', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('the only one\n')
})
