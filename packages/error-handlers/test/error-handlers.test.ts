/** The handlers in a scheduler, with a registry, a mail server and web servers on loopback. */
import { inspect } from 'node:util'

import {
  ConfigurationError,
  ElasticJob,
  type ElasticJobEvents,
  type ErrorHandler,
  type Job,
  type ScheduleOptions,
} from '@elasticjob/core'
import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { errorHandlers, NotificationError, slackHandler, webhookHandler } from '../src/index.ts'
import { HookServer } from './support/hook-server.ts'
import { MailServer } from './support/mail-server.ts'

let server: RunningServer
let operator: ZooKeeper
let jobs: ElasticJob
let lines: string[]
let events: { name: string; payload: unknown }[]

beforeAll(async () => {
  server = await startServer({ port: 0 })
  operator = await ZooKeeper.connect({ servers: server.connectString })
})

afterAll(async () => {
  await operator.close()
  await server.stop()
})

beforeEach(() => start(errorHandlers()))

afterEach(() => jobs.stop())

let namespaces = 0

/** Connects with a namespace of its own. */
async function start(handlers: readonly ErrorHandler[]): Promise<void> {
  await jobs?.stop()
  lines = []
  events = []
  const line = (text: string): void => void lines.push(text)
  jobs = await ElasticJob.connect({
    servers: server.connectString,
    namespace: `errors-${(namespaces += 1)}`,
    errorHandlers: handlers,
    drainOnSignals: false,
    logger: { debug: line, info: line, warn: line, error: line },
  })
  const emit = jobs.emit.bind(jobs)
  jobs.emit = (name, ...payload) => {
    events.push({ name: String(name), payload: payload[0] })
    return emit(name, ...payload)
  }
}

const happening = <Name extends keyof ElasticJobEvents>(
  name: Name,
): Promise<ElasticJobEvents[Name][0]> => new Promise((resolve) => jobs.once(name, resolve as never))

const configPath = (): string => `/errors-${namespaces}/sync/config`

function schedule(options: Partial<ScheduleOptions>): Promise<Job> {
  return jobs.schedule({ jobName: 'sync', shardingTotalCount: 1, ...options }, () => {
    throw new Error('no luck')
  })
}

/** Runs the job once; it fails. */
async function runOnce(job: Job): Promise<void> {
  const recorded = happening('run:recorded')
  await job.trigger()
  expect((await recorded).outcome).toBe('failure')
}

/** Edits the stored configuration like an operator; resolves when the job has noticed. */
async function edit(
  noticed: 'config:changed' | 'config:refused',
  ...changes: readonly (readonly [from: string, to: string])[]
): Promise<ElasticJobEvents['config:changed' | 'config:refused'][0]> {
  const { data } = await operator.get(configPath())
  const text = changes.reduce((all, [from, to]) => all.replace(from, to), toText(data))
  expect(text).not.toBe(toText(data))
  const happened = happening(noticed)
  await operator.set(configPath(), text)
  return happened
}

const often = { 'error.interval.milliseconds': '0' }

describe('a failing job sends a notification', () => {
  test('EMAIL', async () => {
    await using mail = await MailServer.start()
    const job = await schedule({ jobErrorHandlerType: 'EMAIL', props: mail.props() })
    const arrived = mail.next()
    await runOnce(job)
    expect((await arrived).content).toContain("Job 'sync' failed at")
    expect(lines.filter((line) => line.includes('shard 0 failed: Error: no luck'))).toHaveLength(1)
  })

  test.for([
    ['DINGTALK', 'dingtalk.webhook'],
    ['WECHAT', 'wechat.webhook'],
    ['SLACK', 'slack.webhook'],
    ['WEBHOOK', 'webhook.url'],
  ] as const)('%s', async ([type, key]) => {
    await using hook = await HookServer.start({
      answer: (response) => response.end('{"errcode":0}'),
    })
    const job = await schedule({ jobErrorHandlerType: type, props: { [key]: hook.url() } })
    const arrived = hook.next()
    await runOnce(job)
    expect((await arrived).body).toContain("Job 'sync' failed at")
    await hook.idle()
    expect(events.filter(({ name }) => name === 'error:unhandled')).toEqual([])
  })
})

describe('invalid properties', () => {
  test('prevent scheduling the job, and the error names all of them', async () => {
    const props = {
      'email.port': 'smtp',
      'email.from': 'nobody',
      'error.interval.milliseconds': -1,
    }
    const scheduled = schedule({ jobErrorHandlerType: 'EMAIL', props })
    await expect(scheduled).rejects.toBeInstanceOf(ConfigurationError)
    await expect(scheduled).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
      problems: [
        { key: 'email.host', message: 'is required, for example smtp.example.com' },
        {
          key: 'email.port',
          message: 'must be an integer from 1 to 65535, not "smtp"',
        },
        {
          key: 'email.from',
          message:
            '"nobody" is not a valid address; write jobs@example.com, or Jobs <jobs@example.com>',
        },
        { key: 'email.to', message: 'is required, for example jobs@example.com' },
        {
          key: 'error.interval.milliseconds',
          message: 'must be an integer from 0 to 2147483647, not "-1"',
        },
      ],
    })
    expect(await operator.exists(configPath())).toBeUndefined()
  })

  test('of a handler that the job does not use are ignored', async () => {
    const job = await schedule({ props: { 'email.port': 'smtp' } })
    expect(job.configuration.jobErrorHandlerType).toBeUndefined()
  })

  test('are refused while the job runs, and the previous ones stay in effect', async () => {
    await using hook = await HookServer.start()
    const url = hook.url('/token-of-mine')
    const props = { ...often, 'slack.webhook': url }
    const job = await schedule({ jobErrorHandlerType: 'SLACK', props })
    const refused = await edit('config:refused', [url, 'nowhere/token-of-mine'])
    expect(refused).toMatchObject({ error: { problems: [{ key: 'slack.webhook' }] } })
    expect(inspect(refused)).not.toContain('token-of-mine')
    const arrived = hook.next()
    await runOnce(job)
    await arrived
  })
})

describe('an operator changes', () => {
  test('the address: the next notification goes there', async () => {
    await using before = await HookServer.start()
    await using after = await HookServer.start()
    const props = { ...often, 'slack.webhook': before.url() }
    const job = await schedule({ jobErrorHandlerType: 'SLACK', props })
    const first = before.next()
    await runOnce(job)
    await first
    await before.idle()
    await edit('config:changed', [before.url(), after.url()])
    const second = after.next()
    await runOnce(job)
    await second
    expect([before.received.length, after.received.length]).toEqual([1, 1])
  })

  test('the handler: the next notification uses it', async () => {
    await using mail = await MailServer.start()
    await using hook = await HookServer.start()
    const props = { ...often, ...mail.props(), 'webhook.url': hook.url() }
    const job = await schedule({ jobErrorHandlerType: 'EMAIL', props })
    const first = mail.next()
    await runOnce(job)
    await first
    await edit('config:changed', ['jobErrorHandlerType: EMAIL', 'jobErrorHandlerType: WEBHOOK'])
    const second = hook.next()
    await runOnce(job)
    await second
    expect(mail.received).toHaveLength(1)
  })
})

describe('a notification that cannot be sent', () => {
  test('is reported as an event, and the job continues', async () => {
    await using hook = await HookServer.start({
      answer: (response, { target }) => response.writeHead(403).end(`${target} is not known`),
    })
    const props = {
      ...often,
      'webhook.url': hook.url('/token-of-mine'),
      'webhook.token': 'letmein',
    }
    const job = await schedule({ jobErrorHandlerType: 'WEBHOOK', props })
    for (let round = 0; round < 3; round++) {
      const told = happening('error:unhandled')
      await runOnce(job)
      const { jobName, error } = await told
      expect(jobName).toBe('sync')
      expect(error).toBeInstanceOf(NotificationError)
      expect(error).toMatchObject({
        code: 'NOTIFICATION_REFUSED',
        message: expect.stringMatching(
          /^WEBHOOK could not send the notification of a failure of job 'sync': 127\.0\.0\.1:\d+ answered 403: \*\*\* is not known$/,
        ) as string,
      })
    }
    expect(hook.received).toHaveLength(3)
    const all = inspect({ lines, events }, { depth: 10, maxStringLength: Infinity })
    expect(all).toContain('is not known')
    expect(all).not.toContain('token-of-mine')
    expect(all).not.toContain('letmein')
  })

  test('does not reveal the password, even if the server repeats it', async () => {
    await using mail = await MailServer.start({
      onAuth: ({ password }, _, done) => done(new Error(`wrong password ${password}`)),
    })
    const props = { ...mail.props(), 'email.password': 'tr0ub4dor', 'email.debug': 'true' }
    const job = await schedule({ jobErrorHandlerType: 'EMAIL', props })
    const told = happening('error:unhandled')
    await runOnce(job)
    expect((await told).error).toMatchObject({
      code: 'NOTIFICATION_REFUSED',
      message: expect.stringContaining('wrong password ***') as string,
    })
    const all = inspect({ lines, events }, { depth: 10, maxStringLength: Infinity })
    expect(all).toContain("EMAIL of job 'sync': AUTH PLAIN")
    expect(all).not.toContain('tr0ub4dor')
    expect(all).not.toContain(Buffer.from('\0jobs\0tr0ub4dor').toString('base64'))
  })

  test('does not delay any run', async () => {
    await using hook = await HookServer.start({ answer: () => {} })
    const props = { ...often, 'slack.webhook': hook.url() }
    const job = await schedule({ jobErrorHandlerType: 'SLACK', props })
    const arrived = hook.next()
    for (let round = 0; round < 5; round++) await runOnce(job)
    await arrived
    expect(hook.received).toHaveLength(1)
    await jobs.stop({ drain: false })
    await hook.idle()
    expect(events.filter(({ name }) => name === 'error:unhandled')).toMatchObject([
      { payload: { error: { code: 'NOTIFICATION_UNSENT' } } },
      { payload: { error: { code: 'NOTIFICATION_UNSENT' } } },
    ])
  })
})

test('pending notifications are sent when the scheduler stops', async () => {
  await using hook = await HookServer.start()
  const props = { 'webhook.url': hook.url() }
  const job = await schedule({ jobErrorHandlerType: 'WEBHOOK', props })
  const first = hook.next()
  await runOnce(job)
  await first
  await hook.idle()
  await runOnce(job)
  await runOnce(job)
  expect(hook.received).toHaveLength(1)
  await jobs.stop()
  expect(hook.received.map(({ body }) => (JSON.parse(body) as { count: number }).count)).toEqual([
    1, 2,
  ])
})

describe('props of the process', () => {
  test('complete those of a job, and are not stored in the registry', async () => {
    await using mail = await MailServer.start()
    const { 'email.password': password, ...shown } = mail.props()
    await start(errorHandlers({ props: { 'email.password': password, 'email.cc': undefined } }))
    const job = await schedule({ jobErrorHandlerType: 'EMAIL', props: shown })
    const arrived = mail.next()
    await runOnce(job)
    expect((await arrived).user).toBe('jobs')
    expect(toText((await operator.get(configPath())).data)).not.toContain(password)
  })

  test('take precedence over the registry, so that a registry user cannot redirect a secret', async () => {
    await using hook = await HookServer.start()
    await using thief = await HookServer.start()
    const handler = webhookHandler({
      props: { 'webhook.url': hook.url(), 'webhook.token': 'letmein' },
    })
    await start([handler])
    const props = { 'webhook.url': thief.url() }
    const job = await schedule({ jobErrorHandlerType: 'WEBHOOK', props })
    const arrived = hook.next()
    await runOnce(job)
    expect((await arrived).headers.authorization).toBe('Bearer letmein')
    expect(thief.received).toEqual([])
  })
})

test('errorHandlers rejects an invalid messagesPerMinute', () => {
  expect(() => slackHandler({ messagesPerMinute: 0 })).toThrow(
    'messagesPerMinute: must be a number ≥ 1, not 0',
  )
})
