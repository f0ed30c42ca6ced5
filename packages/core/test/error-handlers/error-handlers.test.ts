import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, it } from 'vitest'

import type { ErrorContext, ErrorHandler, RunFailure } from '../../src/index.ts'
import { ErrorHandlers } from '../../src/error-handlers/error-handlers.ts'
import { silentLogger } from '../../src/logger.ts'

let clock: SimulatedClock
let log: string[]

beforeEach(() => {
  clock = new SimulatedClock()
  log = []
})

const failure: RunFailure = {
  run: {
    jobName: 'job',
    instance: '10.0.1.1@-@1',
    shardingItem: 2,
    runId: 'run',
    source: 'cron',
    fireTime: 0,
    attempt: 1,
    manualRun: undefined,
    fencingToken: undefined,
    claimedAt: 0,
    takenOver: undefined,
  },
  error: new Error('no luck'),
}

const report = (error: unknown): void => void log.push(`reported ${String(error)}`)

function handlers(...custom: ErrorHandler[]): ErrorHandlers {
  const logger = { ...silentLogger, error: (line: string) => void log.push(`logged ${line}`) }
  const raise = (error: Error): void => void log.push(`raised ${error.message}`)
  return new ErrorHandlers({ clock, logger, raise, report }, custom)
}

function handle(one: ErrorHandlers, type?: string): void {
  const context: ErrorContext = { props: {}, clock, logger: silentLogger, report }
  one.begin(() => one.get(type).handle(failure, context), report)
}

const mine: ErrorHandler = { type: 'Mine', handle: () => void log.push('mine') }

describe('error handlers, by name', () => {
  it('LOG, THROW and IGNORE are there, LOG if there is no name', () => {
    const all = handlers()
    handle(all)
    handle(all, 'LOG')
    handle(all, 'THROW')
    handle(all, 'IGNORE')
    expect(log).toEqual([
      expect.stringMatching(/^logged Job 'job' shard 2 failed: Error: no luck\n {4}at /),
      expect.stringMatching(/^logged Job 'job' shard 2 failed: Error: no luck\n {4}at /),
      "raised Job 'job' shard 2 failed: no luck",
    ])
  })

  it('one’s own are, too, in any case', () => {
    handle(handlers(mine), 'MINE')
    expect(log).toEqual(['mine'])
  })

  it('nobody else is, and where some can be had is said', () => {
    expect(() => handlers(mine).get('OTHER')).toThrow(
      /there is no error handler "OTHER"; there are LOG, THROW, IGNORE, Mine$/,
    )
    expect(() => handlers().get('EMAIL')).toThrow(
      'there are LOG, THROW, IGNORE. It is in @elasticjob/error-handlers: connect with',
    )
  })

  it('two of one name are refused', () => {
    expect(() => handlers(mine, { ...mine, type: 'MINE' })).toThrow(
      'there are two error handlers "MINE"',
    )
    expect(() => handlers({ ...mine, type: 'log' })).toThrow('there are two error handlers "log"')
  })
})

it('a handler may say what is wrong with a job for it', () => {
  const picky: ErrorHandler = {
    ...mine,
    problemsOf: ({ to }) => (to === undefined ? [problem] : []),
  }
  const problem = { key: 'to', message: 'is required' }
  expect(handlers(picky).problemsOf('MINE', {})).toEqual([problem])
  expect(handlers(picky).problemsOf('MINE', { to: 'ops' })).toEqual([])
  expect(handlers(picky).problemsOf(undefined, {})).toEqual([])
})

describe('a handler that fails', () => {
  it.for<[how: string, fail: () => Promise<void> | void]>([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('is reported, if it %s', async ([, fail]) => {
    handle(handlers({ ...mine, handle: fail }), 'MINE')
    await clock.advance(0)
    expect(log).toEqual(['reported Error: broken'])
  })
})

describe('when everything stops', () => {
  const lasting = (milliseconds: number): ErrorHandler => ({
    ...mine,
    handle: () =>
      new Promise((resolve) => {
        clock.setTimer(() => {
          log.push('mine')
          resolve()
        }, milliseconds)
      }),
  })

  it('what is under way ends before', async () => {
    const all = handlers(lasting(100))
    handle(all, 'MINE')
    await clock.until(all.stop(5_000))
    expect(log).toEqual(['mine'])
    expect(clock.pending).toBe(0)
  })

  it('handlers are told, and end what they have begun', async () => {
    const all = handlers({
      ...mine,
      stop: (signal) =>
        new Promise((resolve) => {
          expect(signal.aborted).toBe(false)
          clock.setTimer(resolve, 100)
        }),
    })
    await clock.until(all.stop(5_000))
    expect(clock.monotonic()).toBe(100)
  })

  it('nobody waits longer than the limit', async () => {
    const never = new Promise<void>(() => {})
    const signals: AbortSignal[] = []
    const all = handlers({
      type: 'MINE',
      handle: () => never,
      stop: (signal) => {
        signals.push(signal)
        return never
      },
    })
    handle(all, 'MINE')
    await clock.until(all.stop(5_000))
    expect(clock.monotonic()).toBe(5_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('with no time at all, handlers know it from the beginning', async () => {
    const seen: boolean[] = []
    const all = handlers({ ...mine, stop: async ({ aborted }) => void seen.push(aborted) })
    await clock.until(all.stop(0))
    expect(seen).toEqual([true])
  })

  it('one that cannot end is reported', async () => {
    const all = handlers({ ...mine, stop: () => Promise.reject(new Error('stuck')) })
    await clock.until(all.stop(5_000))
    expect(log).toEqual(['reported Error: stuck'])
  })

  it('a failure that comes later is logged, and goes no further', async () => {
    const all = handlers(mine)
    await clock.until(all.stop(5_000))
    handle(all, 'MINE')
    handle(all, 'IGNORE')
    expect(log).toEqual([expect.stringMatching(/^logged Job 'job' shard 2 failed: /)])
  })
})
