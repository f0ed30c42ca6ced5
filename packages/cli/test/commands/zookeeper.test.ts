import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { elasticjob, RunningCommand } from '../support/command-line.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
})

function serve(...args: string[]): RunningCommand {
  return new RunningCommand(['zookeeper', '--port', '0', ...args], { cwd }).ownedByTest()
}

async function serversOf(command: RunningCommand): Promise<string> {
  const line = await command.line(/export ELASTICJOB_SERVERS=/)
  return line.slice(line.indexOf('=') + 1)
}

test('keeps what it is told, in a directory of its own', async () => {
  const first = serve()
  const client = await ZooKeeper.connect({ servers: await serversOf(first) })
  await client.create('/kept', 'for good')
  await client.close()
  expect(await first.stop('SIGINT')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Stopped\.\n$/) as string,
  })

  const second = serve()
  const again = await ZooKeeper.connect({ servers: await serversOf(second) })
  expect(toText((await again.get('/kept')).data)).toBe('for good')
  await again.close()
  await second.stop()
  expect(existsSync(join(cwd, '.elasticjob', 'zookeeper'))).toBe(true)
})

test('--accept-data-loss starts with what is before the damage of a log', async () => {
  const first = serve()
  const client = await ZooKeeper.connect({ servers: await serversOf(first) })
  for (const path of ['/a', '/b', '/c']) await client.create(path)
  await client.close()
  await first.stop()
  const file = join(cwd, '.elasticjob', 'zookeeper', 'log.00000000000001')
  const bytes = readFileSync(file)
  const middle = bytes.indexOf('/b')
  writeFileSync(file, Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle + 1)]))

  const refused = await elasticjob(['zookeeper', '--port', '0'], { cwd })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/damaged at offset \d+.* 2 intact records .*--accept-data-loss/)

  const forced = serve('--accept-data-loss')
  const again = await ZooKeeper.connect({ servers: await serversOf(forced) })
  expect((await again.children('/')).children.toSorted()).toEqual(['a', 'zookeeper'])
  await again.close()
  const { stderr } = await forced.stop()
  expect(stderr).toMatch(/ZKS_DATA_LOST[^]*log\.00000000000001\.damaged/)
  expect(existsSync(`${file}.damaged`)).toBe(true)
})

test('keeps nothing, if it is to', async () => {
  const command = serve('--memory')
  await command.line(/data in memory only/)
  await command.stop()
  expect(existsSync(join(cwd, '.elasticjob'))).toBe(false)
})

test('tells a program where it is', async () => {
  const command = serve('--data-dir', 'elsewhere', '--json')
  const told = JSON.parse(await command.line(/^\{/)) as { servers: string; dataDir: string }
  expect(told).toEqual({
    servers: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    dataDir: join(cwd, 'elsewhere'),
    pid: command.pid,
  })
  await (await ZooKeeper.connect({ servers: told.servers })).close()
  expect(await command.stop()).toMatchObject({ code: 0 })
})

test('a port that is taken', async () => {
  const other = await startServer({ port: 0 })
  const { code, stderr } = await elasticjob(['zookeeper', '--memory', '-p', String(other.port)])
  await other.stop()
  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`port ${other.port} on 127.0.0.1 is already in use[^]*--port`))
})

test('an address that is not of this machine', async () => {
  const { code, stderr } = await elasticjob(['zookeeper', '--memory', '--host', '192.0.2.1'])
  expect(code).toBe(1)
  expect(stderr).toContain('cannot listen on 192.0.2.1:2181')
})

test('a directory that another server uses', async () => {
  const first = serve()
  await serversOf(first)
  const { code, stderr } = await elasticjob(['zookeeper', '--port', '0', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'ZKS_DATA_DIR_LOCKED' } })
  await first.stop()
})
