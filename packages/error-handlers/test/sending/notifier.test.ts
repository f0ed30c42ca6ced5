import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Channel, Sending } from '../../src/channel.ts'
import { NoticeError } from '../../src/errors.ts'
import type { Notice } from '../../src/notice/notice.ts'
import type { Props } from '../../src/props.ts'
import { Notifier } from '../../src/sending/notifier.ts'
import { failureOf, RecordingContext } from '../support/failures.ts'

let clock: SimulatedClock
let sent: { at: number; notice: Notice; props: Props }[]
let context: RecordingContext
let send: (sending: Sending) => Promise<void>
let handler: Notifier

const channel: Channel = {
  type: 'PIGEON',
  problemsOf: (props) => (props['to'] === undefined ? [{ key: 'to', message: 'is required' }] : []),
  secretsOf: ({ secret = '' }) => [secret],
  send: (notice, props, sending) => {
    sent.push({ at: clock.monotonic(), notice, props })
    return send(sending)
  },
}

beforeEach(() => {
  clock = new SimulatedClock()
  sent = []
  context = new RecordingContext({ to: 'ops' }, clock)
  send = () => Promise.resolve()
  handler = new Notifier(channel, {}, 20)
})

const fail = (message = 'no', one: RecordingContext = context): void =>
  handler.handle(failureOf(new Error(message)), one)

/** When messages went out, and of how many failures they told. */
const counts = (): [at: number, count: number][] => sent.map((one) => [one.at, one.notice.count])

interface Way {
  resolve: () => void
  reject: (error: Error) => void
  readonly signals: AbortSignal[]
}

/** A message that is on its way until the test says what becomes of it, or until it is cut. */
function hanging(): Way {
  const control: Way = { resolve: () => {}, reject: () => {}, signals: [] }
  send = ({ signal }) => {
    control.signals.push(signal)
    return new Promise((resolve, reject) => {
      control.resolve = resolve
      control.reject = reject
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }
  return control
}

const messages = (): string[] =>
  context.reported.map((error) => `${(error as NoticeError).code} ${(error as Error).message}`)

describe('a job that fails every second', () => {
  test('is told at once, and then once a minute with all that came between', async () => {
    for (let second = 0; second < 150; second++) {
      fail()
      await clock.advance(1_000)
    }
    await clock.advance(60_000)
    expect(counts()).toEqual([
      [0, 1],
      [60_000, 59],
      [120_000, 60],
      [180_000, 30],
    ])
    expect(clock.pending).toBe(0)
  })

  test('is logged every time', async () => {
    fail('one')
    fail('two')
    expect(context.lines).toEqual([
      expect.stringMatching(/^Job 'sync-orders' item 3 failed: Error: one\n {4}at /),
      expect.stringMatching(/^Job 'sync-orders' item 3 failed: Error: two\n {4}at /),
    ])
  })

  test('can be told more often, also from now on', async () => {
    fail()
    fail()
    context.props = { to: 'ops', 'error.interval.milliseconds': '5000' }
    fail()
    await clock.advance(10_000)
    expect(counts()).toEqual([
      [0, 1],
      [5_000, 2],
    ])
  })

  test('without a pause, is told while nothing is on its way', async () => {
    context.props = { to: 'ops', 'error.interval.milliseconds': '0' }
    const way = hanging()
    fail()
    fail()
    fail()
    await clock.advance(1)
    way.resolve()
    await clock.advance(1)
    expect(counts()).toEqual([
      [0, 1],
      [1, 2],
    ])
    way.resolve()
    await clock.advance(1)
  })
})

test('a failure after a quiet time is told at once', async () => {
  fail()
  await clock.advance(61_000)
  fail()
  await clock.advance(0)
  expect(counts()).toEqual([
    [0, 1],
    [61_000, 1],
  ])
})

test('every job has its own pauses', async () => {
  const other = new RecordingContext({ to: 'dev' }, clock)
  fail()
  fail('no', other)
  await clock.advance(1)
  expect(sent.map(({ at, props }) => [at, props['to']])).toEqual([
    [0, 'ops'],
    [0, 'dev'],
  ])
})

test('however many jobs fail, there are not more than so many messages a minute', async () => {
  handler = new Notifier(channel, {}, 3)
  for (let job = 0; job < 5; job++) fail('no', new RecordingContext({ to: 'ops' }, clock))
  await clock.advance(59_999)
  expect(sent).toHaveLength(3)
  await clock.advance(1)
  expect(sent).toHaveLength(5)
})

describe('properties', () => {
  test('are those of the latest failure', async () => {
    fail()
    context.props = { to: 'dev' }
    fail()
    await clock.advance(60_000)
    expect(sent.map(({ props }) => props['to'])).toEqual(['ops', 'dev'])
  })

  test('of the process go before those of the job', async () => {
    handler = new Notifier(channel, { to: 'night shift' }, 20)
    expect(handler.problemsOf({})).toEqual([])
    fail()
    await clock.advance(1)
    expect(sent[0]?.props['to']).toBe('night shift')
  })

  test('are looked at, and those of the pause as well', () => {
    expect(handler.problemsOf({ 'error.interval.milliseconds': '-1' })).toEqual([
      { key: 'to', message: 'is required' },
      {
        key: 'error.interval.milliseconds',
        message: 'must be a whole number from 0 to 2147483647, not "-1"',
      },
    ])
  })
})

describe('a message that cannot be sent', () => {
  test('is reported, and not tried again', async () => {
    send = () => Promise.reject(new Error('connection refused'))
    fail()
    await clock.advance(600_000)
    expect(sent).toHaveLength(1)
    expect(messages()).toEqual([
      "NOTICE_UNREACHABLE PIGEON has not told of a failure of job 'sync-orders': connection refused",
    ])
    expect(clock.pending).toBe(0)
  })

  test('keeps the next one to its pause, which says how much was not told', async () => {
    send = () => Promise.reject(new NoticeError('NOTICE_REFUSED', 'no such loft'))
    fail()
    await clock.advance(1_000)
    fail()
    fail()
    await clock.advance(60_000)
    send = () => Promise.resolve()
    await clock.advance(60_000)
    fail()
    fail()
    await clock.advance(60_000)
    expect(sent.map(({ at, notice }) => [at, notice.count, notice.untold])).toEqual([
      [0, 1, 0],
      [60_000, 2, 1],
      [121_000, 1, 3],
      [181_000, 1, 0],
    ])
    expect(messages()).toEqual([
      "NOTICE_REFUSED PIGEON has not told of a failure of job 'sync-orders': no such loft",
      "NOTICE_REFUSED PIGEON has not told of 2 failures of job 'sync-orders': no such loft",
    ])
  })

  test('is reported without secrets, those of the properties that it was sent with', async () => {
    context.props = { to: 'ops', secret: 'old-key' }
    const way = hanging()
    fail()
    context.props = { to: 'ops', secret: 'new-key' }
    fail()
    way.reject(new Error('unknown key old-key'))
    await clock.advance(0)
    expect(messages()).toEqual([
      "NOTICE_UNREACHABLE PIGEON has not told of a failure of job 'sync-orders': unknown key ***",
    ])
  })

  test('has no cause that would carry secrets along', async () => {
    send = () => Promise.reject(new Error('no', { cause: 'secret' }))
    fail()
    await clock.advance(0)
    expect(context.reported[0]).not.toHaveProperty('cause')
  })

  test('is given up after a minute, however lively the server seems', async () => {
    const { signals } = hanging()
    fail()
    await clock.advance(60_000)
    expect(signals[0]?.aborted).toBe(true)
    expect(messages()).toEqual([
      "NOTICE_UNREACHABLE PIGEON has not told of a failure of job 'sync-orders': not done within 60 seconds",
    ])
  })
})

test('what the channel says of its work is logged without secrets', async () => {
  context.props = { to: 'ops', secret: 'key' }
  send = ({ log }) => {
    log('EHLO key')
    return Promise.resolve()
  }
  fail()
  await clock.advance(0)
  expect(context.lines.at(-1)).toBe("PIGEON of job 'sync-orders': EHLO ***")
})

describe('when the scheduler stops', () => {
  const { signal } = new AbortController()

  test('what waits for its time is sent at once', async () => {
    fail()
    fail()
    fail()
    await clock.advance(1_000)
    await handler.stop(signal)
    expect(counts()).toEqual([
      [0, 1],
      [1_000, 2],
    ])
    expect(clock.pending).toBe(0)
  })

  test('with nothing to tell, it is done', async () => {
    await handler.stop(signal)
    fail()
    await clock.advance(0)
    await handler.stop(signal)
    expect(sent).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('what is on its way arrives, and what came meanwhile after it', async () => {
    const way = hanging()
    fail()
    fail()
    const stopped = handler.stop(signal)
    await clock.advance(10)
    expect(sent).toHaveLength(1)
    way.resolve()
    await clock.advance(0)
    way.resolve()
    await stopped
    expect(counts()).toEqual([
      [0, 1],
      [10, 1],
    ])
  })

  test('what is not sent in time is cut, and reported', async () => {
    const { signals } = hanging()
    const limit = new AbortController()
    fail()
    fail()
    const stopped = handler.stop(limit.signal)
    await clock.advance(10)
    limit.abort()
    await stopped
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(messages()).toEqual([
      "NOTICE_UNSENT PIGEON has not told of a failure of job 'sync-orders': the scheduler is stopping",
      "NOTICE_UNSENT PIGEON has not told of a failure of job 'sync-orders': the scheduler is stopping",
    ])
    expect(clock.pending).toBe(0)
  })

  test('at once, nothing more is sent, and all of it is reported', async () => {
    fail()
    fail()
    await clock.advance(1_000)
    await handler.stop(AbortSignal.abort())
    expect(sent).toHaveLength(1)
    expect(messages()).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('what would have to wait for another minute is reported', async () => {
    handler = new Notifier(channel, {}, 1)
    fail()
    fail()
    await clock.advance(1_000)
    await handler.stop(signal)
    expect(messages()).toEqual([
      "NOTICE_UNSENT PIGEON has not told of a failure of job 'sync-orders': there were 1 messages within a minute",
    ])
  })

  test('another scheduler with the same handler goes on', async () => {
    fail()
    await clock.advance(0)
    await handler.stop(signal)
    const other = new RecordingContext({ to: 'dev' }, clock)
    fail('no', other)
    fail('no', other)
    await clock.advance(60_000)
    expect(sent.map(({ props }) => props['to'])).toEqual(['ops', 'dev', 'dev'])
  })
})
