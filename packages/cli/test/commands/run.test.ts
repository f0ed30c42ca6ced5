import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { faultsOf } from '@elasticjob/zookeeper-server/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { elasticjob, RunningCommand } from '../support/command-line.ts'
import { Receiver } from '../support/receiver.ts'

const jobs = fileURLToPath(new URL('../fixtures/jobs.mjs', import.meta.url))

let server: RunningServer
let directory: string
let registry: readonly string[]

beforeAll(async () => {
  server = await startServer({ port: 0 })
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  registry = ['--servers', server.connectString, '--namespace', 'run']
  writeFileSync(
    join(directory, 'elasticjob.yaml'),
    `
registry:
  servers: ${server.connectString}
  namespace: from-file
jobs:
  greet:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 1
    props:
      script.command.line: ${process.execPath} --version
`,
  )
  writeFileSync(
    join(directory, 'shown.yaml'),
    `
jobs:
  shown:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 1
    props:
      script.command.line: ${process.execPath} --version
metrics:
  port: 0
  path: /metrics
  shardLabel: true
`,
  )
  writeFileSync(
    join(directory, 'unshowable.yaml'),
    'jobs: {}\nmetrics:\n  port: 123456\n  shardLable: true\n',
  )
  writeFileSync(join(directory, 'wrong.yaml'), 'jobs:\n  greet:\n    corn: never\n')
  writeFileSync(join(directory, 'typed.ts'), 'export default (): void => {}\n')
})

afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true })
})

describe('a file', () => {
  test('runs its jobs in the registry that it names, and ends well when it is told to', async () => {
    const command = new RunningCommand(['run', 'elasticjob.yaml', '--verbose'], { cwd: directory })
    command.ownedByTest()
    await command.line(/^\d\d:\d\d:\d\d {2}Job 'greet' is scheduled/)
    await command.line(new RegExp(process.version))
    const { stdout } = await elasticjob(['jobs', '-q'], { cwd: directory })
    expect(stdout).toBe('greet\n')
    expect(await command.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('shows its metrics at a port, if an option says so', async () => {
    const options = ['--metrics-port', '0', ...registry]
    const command = new RunningCommand(['run', 'elasticjob.yaml', ...options], { cwd: directory })
    command.ownedByTest()
    const line = await command.line(/Serving Prometheus metrics at/)
    await command.line(/is scheduled/)
    const [url = ''] = /http:\S+/.exec(line) ?? []
    const page = await (await fetch(url)).text()
    expect(page).toContain('elasticjob_job_shards{job_namespace="run",job_name="greet"} ')
    const { port } = new URL(url)
    const other = ['run', 'elasticjob.yaml', '--metrics-port', port, ...registry]
    const refused = await elasticjob(other, { cwd: directory })
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain(`--metrics-port: 127.0.0.1:${port} is already in use`)
    expect(await command.stop()).toMatchObject({ code: 0 })
  })

  test('shows its metrics where it says itself, and at another port if an option says so', async () => {
    const elsewhere = [...registry, '--namespace', 'shown']
    const command = new RunningCommand(['run', 'shown.yaml', ...elsewhere], { cwd: directory })
    command.ownedByTest()
    const line = await command.line(/Serving Prometheus metrics at .*\/metrics$/)
    const [url = ''] = /http:\S+/.exec(line) ?? []
    expect(new URL(url).hostname).toBe('127.0.0.1')
    await vi.waitFor(async () => {
      const page = await (await fetch(url)).text()
      expect(page).toMatch(/^elasticjob_runs_total\{.*job_name="shown".*shard="0".*\} [1-9]/m)
    }, 20_000)
    const { port } = new URL(url)
    const options = ['--metrics-port', port, ...elsewhere]
    const refused = await elasticjob(['run', 'shown.yaml', ...options], { cwd: directory })
    expect(refused.stderr).toContain(`--metrics-port: 127.0.0.1:${port} is already in use`)
    writeFileSync(join(directory, 'taken.yaml'), `jobs: {}\nmetrics: { port: ${port} }\n`)
    const taken = await elasticjob(['run', 'taken.yaml', ...elsewhere], { cwd: directory })
    expect(taken).toMatchObject({ code: 1, stdout: '' })
    expect(taken.stderr).toContain(`metrics.port: 127.0.0.1:${port} is already in use`)
    expect(await command.stop()).toMatchObject({ code: 0 })
  })

  test('in another registry, if an option says so, with a log of JSON', async () => {
    const command = new RunningCommand(['run', 'elasticjob.yaml', '--json', ...registry], {
      cwd: directory,
    }).ownedByTest()
    const line = JSON.parse(await command.line(/is scheduled/)) as object
    expect(line).toMatchObject({
      level: 'info',
      message: expect.stringContaining("'greet'") as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    })
    const { stdout } = await elasticjob(['jobs', '-q', ...registry])
    expect(stdout).toBe('greet\n')
    await command.stop('SIGINT')
  })

  test('tells people of what fails, by the handler that it names', async () => {
    await using receiver = await Receiver.start()
    writeFileSync(join(directory, 'told.yaml'), receiver.file)
    const command = new RunningCommand(['run', 'told.yaml', ...registry], { cwd: directory })
    command.ownedByTest()
    expect(await receiver.received).toMatchObject({
      jobName: 'told',
      errors: [{ shardingItems: [0] }],
    })
    await command.stop()
  })

  test('goes on when the registry was away', async () => {
    const command = new RunningCommand(['run', `${jobs}#single`, ...registry]).ownedByTest()
    await command.line(/^single ran$/)
    faultsOf(server).dropConnections()
    await command.line(/The registry is out of reach, jobs wait for it/)
    await command.line(/The registry is back/)
    expect(await command.stop()).toMatchObject({ code: 0 })
  })
})

describe('a module', () => {
  test('runs the jobs that it schedules', async () => {
    // Where the file of the tests above has not run: its job is a script of the same name.
    const flags = ['--servers', server.connectString, '--namespace', 'module']
    const command = new RunningCommand(['run', jobs, ...flags]).ownedByTest()
    await command.line(/^ready$/)
    expect(await command.stop()).toMatchObject({ code: 0 })
  })

  test('by the name of one of its functions', async () => {
    const command = new RunningCommand(['run', `${jobs}#single`, ...registry]).ownedByTest()
    await command.line(/^single ran$/)
    expect(await command.stop()).toMatchObject({ code: 0 })
  })
})

test('a registry with a user is for those who know the password, from the environment alone', async () => {
  const flags = ['--servers', server.connectString, '--namespace', 'secret']
  const env = { ELASTICJOB_DIGEST: 'shop:secret' }
  const command = new RunningCommand(['run', jobs, ...flags], { env }).ownedByTest()
  await command.line(/^ready$/)
  expect(await elasticjob(['jobs', '-q', ...flags], { env })).toMatchObject({
    code: 0,
    stdout: 'broken\nendless\ngreet\n',
  })
  const { code, stdout, stderr } = await elasticjob(['jobs', ...flags])
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/NO_AUTH[^]*ELASTICJOB_DIGEST/)
  await command.stop()
})

describe('refuses', () => {
  test.for([
    [['none.yaml'], 'none.yaml cannot be read: ENOENT'],
    [['none.mjs'], 'cannot load'],
    [['wrong.yaml'], 'corn: there is no such option (did you mean "cron"?)'],
    [['unshowable.yaml'], 'metrics.port: it must be an integer from 0 to 65535, not "123456"'],
    [['unshowable.yaml'], 'metrics.shardLable: there is no such setting'],
    [
      [`${jobs}#nothing`],
      'does not export a function "nothing"; its exports: default, notAFunction, single',
    ],
    [[`${jobs}#notAFunction`], 'does not export a function "notAFunction"'],
  ] as const)('%j', async ([args, words]) => {
    const { code, stdout, stderr } = await elasticjob(['run', ...args, ...registry], {
      cwd: directory,
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })

  test.runIf(process.version.startsWith('v20.'))(
    'TypeScript without somebody to read it',
    async () => {
      const { code, stderr } = await elasticjob(['run', 'typed.ts', ...registry], {
        cwd: directory,
      })
      expect(code).toBe(2)
      expect(stderr).toContain('NODE_OPTIONS="--import tsx"')
    },
  )

  test.for([[jobs], ['elasticjob.yaml']])('%s without a registry', async ([file = '']) => {
    const flags = ['--servers', '127.0.0.1:1', '--namespace', 'run', '--timeout', '0.2']
    const { code, stderr } = await elasticjob(['run', file, ...flags], { cwd: directory })
    expect(code).toBe(4)
    expect(stderr).toContain('127.0.0.1:1 could be reached within 200 ms')
  })
})
