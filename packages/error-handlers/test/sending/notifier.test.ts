import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Channel, Sending } from '../../src/channel.ts'
import { NotificationError } from '../../src/errors.ts'
import type { Notification } from '../../src/notification/notification.ts'
import type { Props } from '../../src/props.ts'
import { Notifier } from '../../src/sending/notifier.ts'
import { failureOf, RecordingContext } from '../support/failures.ts'

let clock: SimulatedClock
let sent: { at: number; notification: Notification; props: Props }[]
let context: RecordingContext
let send: (sending: Sending) => Promise<void>
let handler: Notifier

const channel: Channel = {
  type: 'PIGEON',
  problemsOf: (props) => (props['to'] === undefined ? [{ key: 'to', message: 'is required' }] : []),
  secretsOf: ({ secret = '' }) => [secret],
  send: (notification, props, sending) => {
    sent.push({ at: clock.monotonic(), notification, props })
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

/** When messages were sent, and how many failures each contained. */
const counts = (): [at: number, count: number][] =>
  sent.map((one) => [one.at, one.notification.count])

interface Way {
  resolve: () => void
  reject: (error: Error) => void
  readonly signals: AbortSignal[]
}

/** A message that is in flight until the test settles it or it is aborted. */
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
  context.reported.map(
    (error) => `${(error as NotificationError).code} ${(error as Error).message}`,
  )

describe('Notifier: a job that fails every second', () => {
  test('sends at once, and then one message per minute with all failures in between', async () => {
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

  test('logs every failure', async () => {
    fail('one')
    fail('two')
    expect(context.lines).toEqual([
      expect.stringMatching(/^Job 'sync-orders' shard 3 failed: Error: one\n {4}at /),
      expect.stringMatching(/^Job 'sync-orders' shard 3 failed: Error: two\n {4}at /),
    ])
  })

  test('follows a changed interval', async () => {
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

  test('without an interval, sends whenever no message is in flight', async () => {
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

test('Notifier sends at once after a quiet time', async () => {
  fail()
  await clock.advance(61_000)
  fail()
  await clock.advance(0)
  expect(counts()).toEqual([
    [0, 1],
    [61_000, 1],
  ])
})

test('Notifier: every job has its own interval', async () => {
  const other = new RecordingContext({ to: 'dev' }, clock)
  fail()
  fail('no', other)
  await clock.advance(1)
  expect(sent.map(({ at, props }) => [at, props['to']])).toEqual([
    [0, 'ops'],
    [0, 'dev'],
  ])
})

test('Notifier limits the messages per minute over all jobs', async () => {
  handler = new Notifier(channel, {}, 3)
  for (let job = 0; job < 5; job++) fail('no', new RecordingContext({ to: 'ops' }, clock))
  await clock.advance(59_999)
  expect(sent).toHaveLength(3)
  await clock.advance(1)
  expect(sent).toHaveLength(5)
})

describe('Notifier properties', () => {
  test('are those of the latest failure', async () => {
    fail()
    context.props = { to: 'dev' }
    fail()
    await clock.advance(60_000)
    expect(sent.map(({ props }) => props['to'])).toEqual(['ops', 'dev'])
  })

  test('of the process take precedence over those of the job', async () => {
    handler = new Notifier(channel, { to: 'night shift' }, 20)
    expect(handler.problemsOf({})).toEqual([])
    fail()
    await clock.advance(1)
    expect(sent[0]?.props['to']).toBe('night shift')
  })

  test('are validated, including the interval', () => {
    expect(handler.problemsOf({ 'error.interval.milliseconds': '-1' })).toEqual([
      { key: 'to', message: 'is required' },
      {
        key: 'error.interval.milliseconds',
        message: 'must be an integer from 0 to 2147483647, not "-1"',
      },
    ])
  })
})

describe('Notifier: a message that cannot be sent', () => {
  test('is reported and not retried', async () => {
    send = () => Promise.reject(new Error('connection refused'))
    fail()
    await clock.advance(600_000)
    expect(sent).toHaveLength(1)
    expect(messages()).toEqual([
      "NOTIFICATION_UNREACHABLE PIGEON could not send the notification of a failure of job 'sync-orders': connection refused",
    ])
    expect(clock.pending).toBe(0)
  })

  test('does not shorten the interval, and the next message contains the number of unsent failures', async () => {
    send = () => Promise.reject(new NotificationError('NOTIFICATION_REFUSED', 'no such loft'))
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
    expect(
      sent.map(({ at, notification }) => [at, notification.count, notification.untold]),
    ).toEqual([
      [0, 1, 0],
      [60_000, 2, 1],
      [121_000, 1, 3],
      [181_000, 1, 0],
    ])
    expect(messages()).toEqual([
      "NOTIFICATION_REFUSED PIGEON could not send the notification of a failure of job 'sync-orders': no such loft",
      "NOTIFICATION_REFUSED PIGEON could not send the notification of 2 failures of job 'sync-orders': no such loft",
    ])
  })

  test('is reported without the secrets of its own properties', async () => {
    context.props = { to: 'ops', secret: 'old-key' }
    const way = hanging()
    fail()
    context.props = { to: 'ops', secret: 'new-key' }
    fail()
    way.reject(new Error('unknown key old-key'))
    await clock.advance(0)
    expect(messages()).toEqual([
      "NOTIFICATION_UNREACHABLE PIGEON could not send the notification of a failure of job 'sync-orders': unknown key ***",
    ])
  })

  test('is reported without a cause, which could contain secrets', async () => {
    send = () => Promise.reject(new Error('no', { cause: 'secret' }))
    fail()
    await clock.advance(0)
    expect(context.reported[0]).not.toHaveProperty('cause')
  })

  test('is aborted after a minute, even if the server stays active', async () => {
    const { signals } = hanging()
    fail()
    await clock.advance(60_000)
    expect(signals[0]?.aborted).toBe(true)
    expect(messages()).toEqual([
      "NOTIFICATION_UNREACHABLE PIGEON could not send the notification of a failure of job 'sync-orders': not sent within 60 seconds",
    ])
  })
})

test('Notifier logs the lines of a channel without secrets', async () => {
  context.props = { to: 'ops', secret: 'key' }
  send = ({ log }) => {
    log('EHLO key')
    return Promise.resolve()
  }
  fail()
  await clock.advance(0)
  expect(context.lines.at(-1)).toBe("PIGEON of job 'sync-orders': EHLO ***")
})

describe('Notifier: when the scheduler stops', () => {
  const { signal } = new AbortController()

  test('sends pending notifications at once', async () => {
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

  test('ends at once without pending notifications', async () => {
    await handler.stop(signal)
    fail()
    await clock.advance(0)
    await handler.stop(signal)
    expect(sent).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('waits for the message in flight, and then sends later failures', async () => {
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

  test('aborts and reports what is not sent in time', async () => {
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
      "NOTIFICATION_UNSENT PIGEON could not send the notification of a failure of job 'sync-orders': the scheduler is stopping",
      "NOTIFICATION_UNSENT PIGEON could not send the notification of a failure of job 'sync-orders': the scheduler is stopping",
    ])
    expect(clock.pending).toBe(0)
  })

  test('without time left, sends nothing and reports everything', async () => {
    fail()
    fail()
    await clock.advance(1_000)
    await handler.stop(AbortSignal.abort())
    expect(sent).toHaveLength(1)
    expect(messages()).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('reports notifications that would exceed the rate limit', async () => {
    handler = new Notifier(channel, {}, 1)
    fail()
    fail()
    await clock.advance(1_000)
    await handler.stop(signal)
    expect(messages()).toEqual([
      "NOTIFICATION_UNSENT PIGEON could not send the notification of a failure of job 'sync-orders': the rate limit of 1 messages per minute (messagesPerMinute) is reached",
    ])
  })

  test('another scheduler continues with the same handler', async () => {
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
