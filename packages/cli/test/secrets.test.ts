/**
 * A secret is planted wherever one may stand, and then everybody looks: guest and root at every endpoint and stream of the
 * console, whoever has the audit, the histories and the logs, whoever asks a dump port, and every command. The endpoints
 * come from the contract and the commands from the list of them: a new one is covered when it is added.
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { type Console, createConsole, type EndpointName, endpoints } from '@elasticjob/console'
import { ElasticJob, type Logger } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'
import { startTracing, type Tracing } from '@elasticjob/tracing'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { runCommandLine } from '../src/program.ts'
import { registryCommands } from './support/commands.ts'
import { FakeTerminal } from './support/fake-terminal.ts'

const namespace = 'shop'
/** Every secret has this word in it; nothing else has. */
const secret = /planted/i
const url = (name: string): string => `postgresql://me:planted-${name}@db.example/x`

const props = {
  'email.host': 'mail.example',
  'email.username': 'me',
  'email.password': `planted "quoted" 'twice': #\\`,
  'dingtalk.webhook': 'https://chat.example/planted-dingtalk',
  'dingtalk.secret': 'planted-dingtalk',
  'wechat.webhook': 'https://chat.example/send?key=planted-wechat',
  'slack.webhook': 'https://chat.example/planted-slack',
  'webhook.url': 'https://chat.example/planted-url',
  'webhook.token': 'planted-token',
  'webhook.secret': 'planted-secret',
  'db.passwd': 'planted-passwd',
  'zk.digest': 'me:planted-digest',
  'api.key': 'planted-key',
  'http.uri': `https://me:planted-uri@jobs.example/x?access_token=planted-query`,
  'script.command.line':
    "env DB_PASSWORD='planted env' PGPASSWORD=planted-pg ./sync --api-key planted-option -u me:planted-user",
  settings: '{"user": "me", "password": "planted-json"}',
  plain: 'visible',
}
const extra = [
  '!!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration',
  'type: RDB',
  'tracingStorageConfiguration:',
  '  type: DataSource',
  '  props: {jdbcUrl: "jdbc:mysql://db/x?user=me&password=planted-jdbc", password: "planted \\"java\\""}',
].join('\n')
const passwords = { root: 'planted-root-account', guest: 'planted-guest-account' }

let server: RunningServer
let directory: string
let worker: ElasticJob
let tracing: Tracing
let console: Console
let dumpPort = 0
let runId = ''
const lines: string[] = []
const note = (message: string): void => void lines.push(message)
const logger: Logger = { debug: note, info: note, warn: note, error: note }

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-secrets-'))
  server = await startServer({ port: 0 })
  dumpPort = await freePort()
  const history = `sqlite:${join(directory, 'history.db')}`
  await storeOddJobs()
  worker = await ElasticJob.connect({
    servers: server.connectString,
    namespace,
    ip: '10.0.0.1',
    logger,
    drainOnSignals: false,
    stopLimit: 100,
    dump: { port: dumpPort },
  })
  tracing = startTracing(worker, { url: history, logger })
  console = await createConsole({
    directory: join(directory, 'console'),
    page: false,
    passwords,
    logger,
    registries: [
      { name: 'main', servers: server.connectString, namespace },
      { name: 'far', servers: '127.0.0.1:1', namespace, digest: 'me:planted-far' },
    ],
    dataSources: [
      { name: 'history', url: history },
      { name: 'far', url: 'mysql://me:planted-far@127.0.0.1:1/x?password=planted-too' },
    ],
  })
  await worker.schedule(
    {
      jobName: 'greet',
      cron: '0 0 0 1 1 ? 2099',
      shardingTotalCount: 1,
      overwrite: true,
      jobParameter: `from ${url('parameter')} with token=planted-parameter`,
      shardingItemParameters: `0=${url('item')}`,
      description: `see ${url('description')}`,
      jobExtraConfigurations: [extra],
      props,
    },
    ({ logger: own }) => {
      own.info(`own line: ${url('line')}`)
      throw new Error(`connect ${url('error')}`, { cause: new Error(`no ${url('cause')}`) })
    },
  )
  const ended = once(worker, 'run:completed') as Promise<[{ readonly runId: string }]>
  await send('POST', '/jobs/greet/trigger', 'root', {
    parameter: `password=planted-trigger ${url('trigger')}`,
  })
  ;[{ runId }] = await ended
  await tracing.flush()
}, 60_000)

afterAll(async () => {
  await console?.stop()
  await worker?.stop({ drain: false })
  await server?.stop()
  rmSync(directory, { recursive: true })
})

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  listening.close()
  await once(listening, 'close')
  return port
}

/** One in the quotes and blocks that only a parser understands, and one that is no YAML. */
async function storeOddJobs(): Promise<void> {
  await using registry = await ZooKeeper.connect({ servers: server.connectString })
  const texts = {
    quoted: [
      'jobName: quoted',
      'cron: 0 0 0 1 1 ? 2099',
      'shardingTotalCount: 1',
      'props:',
      '  "email.pass\\x77ord": "planted \\x41\\n two"',
      '  webhook.token: |-',
      '    planted block',
      '    planted second line',
      "  api.key: 'planted ''single'''",
      '  also: &anchor planted-anchor',
      '  db.passwd: *anchor',
      '',
    ].join('\n'),
    broken: 'jobName: broken\nprops: {a: "b\n  email.password: planted-broken\n  planted rest\n',
  }
  for (const [jobName, data] of Object.entries(texts)) {
    await registry.create(`/${namespace}/${jobName}/config`, data, { parents: true })
  }
}

type Who = 'guest' | 'root'

function ask(method: string, path: string, who: Who, body?: unknown): Promise<Response> {
  const credentials = Buffer.from(`${who}:${passwords[who]}`).toString('base64')
  const request = new Request(`http://localhost/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${credentials}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return Promise.resolve(console.fetch(request))
}

async function send(method: string, path: string, who: Who, body?: unknown): Promise<string> {
  const response = await ask(method, path, who, body)
  const output = await response.text()
  return `${response.status} ${JSON.stringify([...response.headers])} ${output}`
}

/** What a stream says until it has told of the job and of the log of its run. */
async function listen(path: string, who: Who): Promise<string> {
  const reader = ((await ask('GET', path, who)).body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let heard = ''
  while (!(heard.includes('event: job\n') && heard.includes('event: log\n'))) {
    const { done, value } = await reader.read()
    if (done) break
    heard += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return heard
}

function pathOf(name: EndpointName, job: string): string {
  return endpoints[name].path
    .replace('{job}', job)
    .replace('{server}', '10.0.0.1')
    .replace('{item}', '0')
    .replace('{port}', String(dumpPort))
    .replace('{run}', runId)
}

const query = new URLSearchParams({
  jobName: 'greet',
  from: '0',
  to: String(Date.parse('2100-01-01')),
  step: 'day',
  expression: '0 0 0 * * ?',
}).toString()
const bodies: Readonly<Partial<Record<EndpointName, unknown>>> = {
  checkConfiguration: { changes: { description: 'x', props: { ...props, plain: 'other' } } },
  changeConfiguration: { changes: { description: `at ${url('change')}`, props } },
  changeSettings: { jobName: 'greet', props: { ...props, 'db.passwd': 'planted-again' } },
  changePassword: { username: 'guest', current: 'planted-wrong', password: 'planted-unused' },
  login: { username: 'guest', password: 'planted-wrong-password' },
  triggerJob: { parameter: `password=planted-trigger ${url('trigger')}` },
  bulk: { action: 'reshard', jobs: ['greet'] },
  saveDataSource: { name: 'new', url: 'mysql://me:planted-new@127.0.0.1:1/x', password: 'planted' },
  testDataSource: { name: 'far', url: 'mysql://me:planted/odd@127.0.0.1:1/x' },
  saveRegistry: { name: 'new', zkAddressList: '127.0.0.1:1', namespace, digest: 'me:planted-new' },
  testRegistry: { name: 'new', zkAddressList: 'me:planted@127.0.0.1:1', namespace },
}
/** What would end the job under the eyes of those who look, and what shows secrets to whoever asks for them. */
const spared: ReadonlySet<EndpointName> = new Set([
  'removeJob',
  'removeServer',
  'removeServerJob',
  'shutdownJob',
  'shutdownServer',
  'shutdownServerJob',
  'revealConfiguration',
])

describe.each(['guest', 'root'] as const)('%s', (who) => {
  test.each(Object.keys(endpoints) as EndpointName[])(
    'finds no secret in %s',
    async (name) => {
      if (who === 'root' && spared.has(name)) return
      const { method } = endpoints[name]
      // Only one of them is changed: the others are to stay odd.
      for (const job of method === 'GET' ? ['greet', 'quoted', 'broken'] : ['greet']) {
        const path = pathOf(name, job)
        const heard =
          name === 'follow'
            ? await listen(`${path}?jobs=1&servers=1&job=${job}&run=${runId}`, who)
            : await send(
                method,
                method === 'GET' ? `${path}?${query}` : path,
                who,
                method === 'GET' ? undefined : (bodies[name] ?? { name: 'new' }),
              )
        expect(heard).not.toMatch(secret)
      }
    },
    30_000,
  )
})

test('root, who asks for secrets, gets them: they are there to be found', async () => {
  const heard = await send('POST', '/jobs/quoted/configuration/reveal', 'root')
  expect(heard).toMatch(/^200 .*planted block/)
  expect(await send('GET', '/jobs/greet/configuration', 'guest')).toContain('visible')
})

test('a dump port tells no secret', async () => {
  for (const job of ['greet', 'quoted', 'broken']) {
    const socket = connect(dumpPort, '127.0.0.1')
    socket.write(`dump@${job}\n`)
    const dump = await text(socket)
    expect(dump).toContain(`/${job}/config | `)
    expect(dump).not.toMatch(secret)
  }
})

const registry = (): string[] => ['--servers', server.connectString, '--namespace', namespace]

async function run(args: readonly string[]): Promise<string> {
  const environment = {
    EDITOR: 'true',
    ELASTICJOB_HISTORY: `sqlite:${join(directory, 'history.db')}`,
  }
  const terminal = new FakeTerminal({ environment, directory })
  await runCommandLine(args, terminal, systemClock)
  return terminal.shown + terminal.noted
}

const commands: readonly (readonly string[])[] = [
  ...registryCommands.map(({ args }) => args),
  ['dump', '--no-mask'],
  ['job', 'quoted'],
  ['job', 'broken'],
  ['config', 'get', 'quoted'],
  ['config', 'get', 'broken'],
  ['config', 'get', 'greet', 'props.email.password'],
  ['config', 'get', 'greet', 'jobParameter'],
  ['config', 'set', 'greet', 'props.email.password=planted-cli', 'description=new'],
]
const isEnd = (args: readonly string[]): boolean => ['shutdown', 'remove'].includes(args[0] ?? '')

test.each(commands.filter((args) => !isEnd(args)))(
  'elasticjob %s %s prints no secret',
  async (...args) => {
    for (const more of [[], ['--json']]) {
      const given = args.filter((word) => word !== undefined)
      const printed = await run([...given, ...registry(), ...more])
      expect(printed).not.toBe('')
      expect(printed).not.toMatch(secret)
    }
  },
)

test.each([
  ['history'],
  ['logs', 'greet'],
  ['jobs', '--servers', 'me:planted@127.0.0.1:1', '--namespace', 'x'],
  ['history', '--database', 'mysql://me:planted@127.0.0.1:1/x'],
  ['history', '--database', 'mysql://me:1/planted@127.0.0.1:1/x'],
])(
  'elasticjob %s %s prints no secret, whatever it is given',
  async (...args) => {
    for (const more of [[], ['--json']]) expect(await run([...args, ...more])).not.toMatch(secret)
  },
  30_000,
)

test('who asks the command line for secrets gets them', async () => {
  const printed = await run(['config', 'get', 'quoted', '--show-secrets', ...registry()])
  expect(printed).toContain('planted block')
})

test('audit, histories and logs hold no secret', async () => {
  await tracing.flush()
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.db(-wal)?$/.test(file),
  )
  expect(files).toEqual(expect.arrayContaining([join('console', 'console.db'), 'history.db']))
  for (const file of files) {
    const found = secret.exec(readFileSync(join(directory, file), 'latin1'))
    expect([file, found]).toEqual([file, null])
  }
  expect(lines.join('\n')).toContain("Job 'greet'")
  // What a job writes to its logger is its own: it is masked where it is kept.
  expect(lines.filter((line) => secret.test(line) && !line.startsWith('own line'))).toEqual([])
})
