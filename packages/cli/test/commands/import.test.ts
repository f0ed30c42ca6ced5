import type { ImportResult } from '@elasticjob/core/operations'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { elasticjob, type Finished } from '../support/command-line.ts'

let server: RunningServer
let client: ZooKeeper

beforeEach(async () => {
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
  await put('today/config', 'jobName: today\nshardingTotalCount: 1\n')
})

afterEach(async () => {
  await client.close()
  await server.stop()
})

async function put(path: string, text = ''): Promise<void> {
  await client.create(`/shop/${path}`, text, { parents: true })
}

/** A job of 1.x: a node for each value, and servers with nodes below them. */
async function makeFirst(): Promise<void> {
  await put('first/config/jobClass', 'com.example.First')
  await put('first/config/shardingTotalCount', '2')
  await put('first/config/cron', '0/5 * * * * ?')
  await put('first/servers/10.0.0.1/paused')
}

async function makeSecond(changes: object = {}): Promise<void> {
  const configuration = {
    jobName: 'second',
    jobClass: 'com.example.Second',
    jobType: 'SIMPLE',
    cron: '0/5 * * * * ?',
    shardingTotalCount: 3,
    ...changes,
  }
  await put('second/config', JSON.stringify(configuration))
}

function run(...args: readonly string[]): Promise<Finished> {
  const registry = ['--servers', server.connectString, '--namespace', 'shop']
  return elasticjob(['import', ...args, ...registry])
}

function rowsOf(stdout: string): string[][] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
}

async function textAt(path: string): Promise<string> {
  return Buffer.from((await client.get(`/shop/${path}`)).data).toString()
}

describe('without a name', () => {
  test('all jobs that need it, with what has no counterpart', async () => {
    await makeFirst()
    await makeSecond({ jobShardingStrategyClass: 'com.example.Strategy' })
    const { code, stdout, stderr } = await run()
    expect([code, stderr]).toEqual([0, ''])
    expect(rowsOf(stdout)).toEqual([
      ['JOB', 'FROM', 'CLASS', 'RESULT'],
      ['first', '1.x', 'com.example.First', 'imported'],
      ['second', '2.x', 'com.example.Second', 'imported'],
      ['note', expect.stringMatching(/^first: server 10\.0\.0\.1 was paused: pause it again/)],
      ['note', expect.stringMatching(/^second: the sharding strategy com\.example\.Strategy is/)],
    ])
    expect(await textAt('first/config')).toContain('jobName: first\n')
    expect(await textAt('second/config')).toContain('shardingTotalCount: 3\n')
    expect(await textAt('first/config/cron')).toBe('0/5 * * * * ?')
  })

  test('nothing where no job needs it', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe("No job in namespace 'shop' needs an import.\n")
    const { stdout: json } = await run('--json')
    expect(JSON.parse(json)).toEqual({ results: [], failed: [] })
  })

  test('one that cannot be imported is named, and the others are imported', async () => {
    await makeFirst()
    await makeSecond({ cron: 'every day' })
    const { code, stdout, stderr } = await run()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^first +1\.x .*imported$/m)
    expect(stdout).toMatch(/^failed {2}second: .*cron/m)
    expect(stderr).toContain('1 of 2 jobs failed')
    expect(await textAt('first/config')).toContain('jobName: first\n')
  })
})

describe('by name', () => {
  test('told as JSON', async () => {
    await makeFirst()
    await makeSecond()
    const { code, stdout } = await run('second', '--json')
    expect(code).toBe(0)
    const { results } = JSON.parse(stdout) as { results: ImportResult[] }
    expect(results).toMatchObject([
      { jobName: 'second', form: '2.x', written: true, configuration: { shardingTotalCount: 3 } },
    ])
    expect(await textAt('first/config')).toBe('')
  })

  test('one of today is left alone', async () => {
    const { code, stdout } = await run('today')
    expect(code).toBe(0)
    expect(rowsOf(stdout)[1]).toEqual(['today', 'today', '-', 'nothing to do'])
  })

  test('one that does not exist', async () => {
    await makeFirst()
    const { code, stdout, stderr } = await run('frist')
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('did you mean "first"?')
  })

  test('one that cannot be imported', async () => {
    await makeSecond({ cron: 'every day' })
    const { code, stdout, stderr } = await run('second')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('cron')
  })

  test('one that an old instance still runs is refused, and a dry run says so', async () => {
    await makeFirst()
    await client.create('/shop/first/servers/10.0.0.1/status', 'READY', { mode: 'ephemeral' })
    const refused = await run('first')
    expect([refused.code, refused.stdout]).toEqual([5, ''])
    expect(refused.stderr).toContain('still runs under an old version on 10.0.0.1')
    const dry = await run('first', '--dry-run')
    expect(dry.code).toBe(5)
    expect(rowsOf(dry.stdout)[1]?.at(-1)).toBe('refused: old instances still run on 10.0.0.1')
    expect(dry.stderr).toContain('1 of 1 job would be refused: stop the old version first')
    expect(await textAt('first/config')).toBe('')
  })
})

test('a dry run shows what would be written, and changes nothing', async () => {
  await makeFirst()
  const { code, stdout } = await run('--dry-run', '--remove-old')
  expect(code).toBe(0)
  expect(rowsOf(stdout)[1]?.at(-1)).toBe('would be imported, 4 old nodes would be removed')
  expect(stdout).toMatch(/^note {4}first: server 10\.0\.0\.1 was paused/m)
  const [, yaml] = stdout.split('The configuration of first would be:\n')
  expect(await textAt('first/config')).toBe('')
  await run()
  expect(await textAt('first/config')).toBe(yaml)
})

describe('what only 1.x has a use for', () => {
  test('stays unless somebody has confirmed that it may go', async () => {
    await makeFirst()
    const { code, stdout, stderr } = await run('--remove-old')
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      /4 nodes of Elastic-Job 1\.x will be deleted from job first: you cannot go back[^]*--yes/,
    )
    expect(await textAt('first/config')).toBe('')
  })

  test('goes with the import, or afterwards', async () => {
    await makeFirst()
    expect((await run()).code).toBe(0)
    const { code, stdout } = await run('--remove-old', '--yes')
    expect(code).toBe(0)
    expect(rowsOf(stdout)[1]).toEqual([
      'first',
      'today',
      'com.example.First',
      '4 old nodes removed',
    ])
    expect((await client.children('/shop/first/config')).children).toEqual([])
    expect((await run('--remove-old')).stderr).toContain('needs an import')
  })

  test('is nothing to ask about where there is none', async () => {
    await makeSecond()
    const { code, stdout } = await run('--remove-old')
    expect(code).toBe(0)
    expect(rowsOf(stdout)[1]?.at(-1)).toBe('imported')
  })
})
