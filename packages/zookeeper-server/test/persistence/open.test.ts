import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type RunningServer, type ServerOptions, startServer } from '../../src/index.ts'
import { lockName, logName } from '../../src/persistence/names.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'elasticjob-open-'))
  // Runs last: the servers are closed by then.
  onTestFinished(() => rm(dataDir, { recursive: true }))
})

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, dataDir, ...options })
  onTestFinished(() => server.stop())
  return server
}

async function connect(servers: string): Promise<ZooKeeper> {
  const client = await ZooKeeper.connect({ servers, reconnect: { initialDelay: 10 } })
  onTestFinished(() => client.close())
  return client
}

/** The codes of the process warnings during an action. */
async function warningsOf(action: () => Promise<void>): Promise<string[]> {
  const codes: string[] = []
  const onWarning = (warning: Error & { code?: string }): void => {
    if (warning.code?.startsWith('ZKS_') === true) codes.push(warning.code)
  }
  process.on('warning', onWarning)
  await action()
  process.off('warning', onWarning)
  return codes
}

test('startServer with dataDir: nodes, versions, sequence numbers and sessions survive a restart', async () => {
  const first = await start()
  const client = await connect(first.connectString)
  await client.create('/app', 'on')
  await client.set('/app', 'off')
  expect((await client.create('/app/task-', '', { sequential: true })).path).toMatch(/0000000000$/)
  await client.create('/app/me', '', { mode: 'ephemeral' })
  const { port } = first
  const { sessionId } = client
  const suspended = once(client, 'session:suspended')
  await first.stop()
  await suspended

  const reconnected = once(client, 'session:reconnected')
  await start({ port })
  await reconnected
  expect(client.sessionId).toBe(sessionId)
  const { data, stat } = await client.get('/app')
  expect(toText(data)).toBe('off')
  expect(stat).toMatchObject({ version: 1, cversion: 2, numChildren: 2 })
  expect((await client.create('/app/task-', '', { sequential: true })).path).toMatch(/0000000002$/)
  expect((await client.exists('/app/me'))?.ephemeralOwner).toBe(sessionId)
})

test('startServer without dataDir stores nothing', async () => {
  const server = await startServer({ port: 0 })
  await server.stop()
  expect(await readdir(dataDir)).toEqual([])
})

test('startServer refuses a directory of another server', async () => {
  const first = await start()
  await expect(startServer({ port: 0, dataDir })).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_LOCKED',
  })
  await first.stop()
  await (await start()).stop()
})

test('startServer releases the directory when the start fails', async () => {
  const other = await startServer({ port: 0 })
  onTestFinished(() => other.stop())
  await expect(startServer({ port: other.port, dataDir })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  await (await start()).stop()
  await writeFile(join(dataDir, 'notes.txt'), '')
  await expect(startServer({ port: 0, dataDir })).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_FOREIGN_FILE',
  })
  expect((await readdir(dataDir)).toSorted()).toEqual([logName(1), 'notes.txt'])
})

test('startServer reports leftovers of a crash as process warnings', async () => {
  await (await start()).stop()
  await appendFile(join(dataDir, logName(1)), Buffer.alloc(100, 1))
  await writeFile(join(dataDir, lockName(process.pid, '1-00000000')), '')
  const codes = await warningsOf(async () => {
    const server = await start()
    await server.stop()
  })
  expect(codes).toEqual(['ZKS_LOCK_INHERITED', 'ZKS_LOG_CUT'])
})

test('startServer refuses a damaged log, and starts with acceptDataLoss', async () => {
  const first = await start()
  const client = await connect(first.connectString)
  for (let i = 0; i < 5; i++) await client.create(`/node-${i}`)
  await client.close()
  await first.stop()
  const file = join(dataDir, logName(1))
  const bytes = await readFile(file)
  const middle = bytes.indexOf('/node-2')
  const damaged = Buffer.concat([
    bytes.subarray(0, middle),
    Buffer.from('?'),
    bytes.subarray(middle),
  ])
  await writeFile(file, damaged)

  await expect(startServer({ port: 0, dataDir })).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_CORRUPT',
    file: logName(1),
    offset: expect.any(Number) as number,
    message: expect.stringMatching(/3 intact records .* --accept-data-loss/) as string,
  })
  expect(await readFile(file)).toEqual(damaged)

  const codes = await warningsOf(async () => {
    const server = await start({ acceptDataLoss: true })
    const again = await connect(server.connectString)
    const { children } = await again.children('/')
    expect(children.toSorted()).toEqual(['node-0', 'node-1', 'zookeeper'])
    await again.close()
    await server.stop()
  })
  expect(codes).toEqual(['ZKS_DATA_LOST'])
  expect(await readFile(`${file}.damaged`)).toEqual(damaged)
  await (await start()).stop()
})

test('startServer emits snapshot events', async () => {
  const server = await start({ snapshotAfterTransactions: 5 })
  const client = await connect(server.connectString)
  const taken = once(server.events, 'snapshot:taken')
  for (let i = 0; i < 5; i++) await client.create(`/node-${i}`)
  expect(await taken).toMatchObject([{ zxid: 5, file: 'snapshot.00000000000005' }])
})
