/** Text in the registry that would steer a terminal: no command that reads lets it through to a screen. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openHistory } from '@elasticjob/tracing'
import { systemClock } from '@elasticjob/core/internal'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { runCommandLine } from '../src/program.ts'
import { FakeTerminal } from './support/fake-terminal.ts'

/** An escape sequence, the same in C1, a title, overrides of direction, and both ends of a line. */
const steering = '\u001B[2J\u009B31m\u001B]0;t\u0007\u202E\u2066\r\nINJECTED\u2028\u007F'
const hostile = (field: string): string => `${field}${steering}end`
/** ZooKeeper takes no control characters in names, but overrides of direction. */
const job = 'job\u202Ename'
const ip = '10.0.0.1\u202E'
const instance = `${ip}@-@7\u2066`

const yaml = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')

const configuration = {
  jobName: job,
  cron: '0 0 0 1 1 ? 2099',
  shardingTotalCount: 2,
  description: hostile('description'),
  jobParameter: hostile('parameter'),
  shardingItemParameters: `0=${hostile('item-parameter')}`,
  jobShardingStrategyType: hostile('strategy'),
  label: hostile('label'),
  timeZone: 'UTC',
}
const failedRun = {
  state: 'idle',
  run: hostile('run'),
  instance: hostile('runner'),
  fireTime: 1000,
  attempt: 1,
  round: 0,
  begin: 1000,
  end: 2000,
  nextFireTime: 0,
  outcome: 'failure',
  error: hostile('error'),
}

const nodes: Readonly<Record<string, string>> = {
  [`/cli/${job}/config`]: yaml(configuration),
  [`/cli/${job}/servers/${ip}`]: hostile('server'),
  [`/cli/${job}/leader/election/instance`]: hostile('leader'),
  [`/cli/${job}/sharding/0/instance`]: hostile('owner'),
  [`/cli/${job}/sharding/1/instance`]: instance,
  [`/cli/${job}/sharding/1/running`]: hostile('running'),
  [`/cli.state/jobs/${job}`]: '{"lastRound":0}',
  [`/cli.state/execution/${job}/0`]: JSON.stringify(failedRun),
  [`/cli.state/execution/${job}/1`]: JSON.stringify({ state: hostile('state') }),
  '/cli/bad-cron/config': yaml({ ...configuration, jobName: 'bad-cron', cron: hostile('cron') }),
  '/cli/bad-zone/config': yaml({ ...configuration, jobName: 'bad-zone', timeZone: hostile('z') }),
  '/cli/unreadable/config': `jobName: unreadable\ncron: [${hostile('cron')}\n`,
  '/cli/legacy/config': `{"jobName":"legacy","cron":"${hostile('cron')}`,
  '/cli/junk/config': yaml({ ...configuration, jobName: 'junk' }),
  '/cli.state/jobs/junk': hostile('job-state'),
  '/cli/junk/leader/sharding': hostile('assignment'),
}

let server: RunningServer
let client: ZooKeeper
let directory: string
let database: string

beforeAll(async () => {
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
  for (const [path, text] of Object.entries(nodes)) {
    await client.create(path, text, { parents: true })
  }
  const text = yaml({ jobInstanceId: instance, labels: hostile('labels'), serverIp: ip })
  await client.create(`/cli/${job}/instances/${instance}`, text, {
    parents: true,
    mode: 'ephemeral',
  })
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  database = `sqlite:${join(directory, 'history.db')}`
  await writeHistory()
})

async function writeHistory(): Promise<void> {
  await using history = await openHistory({ url: database })
  await history.writeBatch({
    writer: 'test',
    sequence: 1,
    executions: [
      {
        id: 'run-1',
        jobName: job,
        taskId: hostile('task'),
        hostname: hostile('host'),
        ip,
        shardingItem: 0,
        source: 'NORMAL_TRIGGER',
        startTime: 1000,
        completeTime: 2000,
        isSuccess: false,
        failureCause: hostile('cause'),
      },
    ],
    statuses: [],
    runs: [
      {
        runId: 'run-1',
        jobName: job,
        shardingItem: 0,
        instance,
        source: 'cron',
        fireTime: 1000,
        attempt: 1,
        retries: 0,
        manualRun: undefined,
        fencingToken: 1n,
        startTime: 1000,
        lateness: 0,
        completeTime: 2000,
        duration: 1000,
        outcome: 'failure',
      },
    ],
    logs: [{ runId: 'run-1', sequence: 0, time: 1500, stream: 'info', text: hostile('log') }],
    lost: [],
  })
}

afterAll(async () => {
  await client.close()
  await server.stop()
  rmSync(directory, { recursive: true })
})

const all = [job, 'bad-cron', 'bad-zone', 'unreadable', 'legacy', 'junk']
const commands: readonly (readonly string[])[] = [
  ['jobs'],
  ['servers'],
  ['servers', ip],
  ['top', '--count', '1'],
  ['doctor'],
  ['repair'],
  ['dump', '--no-mask'],
  ['import'],
  ...all.flatMap((name) => [
    ['job', name],
    ['shards', name],
    ['doctor', name],
    ['repair', name],
    ['dump', name],
    ['config', 'get', name],
    ['config', 'get', name, 'description'],
    ['config', 'get', name, hostile('key')],
  ]),
  ['job', hostile('unknown')],
  ['servers', hostile('unknown')],
]
const historyCommands: readonly (readonly string[])[] = [
  ['history'],
  ['history', '--run', 'run-1'],
  ['logs', job],
  ['logs', hostile('unknown')],
]

/** How `top` moves the cursor and gives the screen back. */
const escape = '\u001B'
const ownOfTop = new RegExp(String.raw`${escape}\[(?:\?1049[hl]|\?25[hl]|K|1;1H|0J)`, 'g')

async function onScreen(args: readonly string[]): Promise<string> {
  const terminal = new FakeTerminal({ isScreen: true })
  const registry = historyCommands.includes(args)
    ? ['--database', database]
    : ['--servers', server.connectString, '--namespace', 'cli']
  await runCommandLine([...args, ...registry], terminal, systemClock)
  return (terminal.shown + terminal.noted).replaceAll(ownOfTop, '')
}

describe('hostile text in the registry', () => {
  test.each(
    [...commands, ...historyCommands].map((args) => ({
      args,
      line: JSON.stringify(args.join(' ')),
    })),
  )('does not steer the screen of elasticjob $line', async ({ args }) => {
    const output = await onScreen(args)
    expect(output).not.toBe('')
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u)
  })

  test.each(['jobs', 'servers', 'top --count 1', 'doctor', 'repair', 'import'])(
    'begins no line of its own in elasticjob %s',
    async (line) => {
      expect(await onScreen(line.split(' '))).not.toMatch(/^ *INJECTED/m)
    },
  )

  test('is shown, with its escapes spelled out', async () => {
    const output = (await Promise.all([...commands, ...historyCommands].map(onScreen))).join('')
    for (const field of [
      'description',
      'parameter',
      'error',
      'cron',
      'labels',
      'owner',
      'cause',
      'log',
    ])
      expect(output).toContain(`${field}\\u001b[2J\\u009b31m`)
    expect(output).toContain('job\\u202ename')
    expect(output).toContain('10.0.0.1\\u202e')
  })
})
