import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { elasticjob, RunningCommand } from '../support/command-line.ts'
import { Receiver } from '../support/receiver.ts'

test('workers share jobs of every type, one crashes, its shards move, and Ctrl-C leaves nothing', async () => {
  const dev = new RunningCommand(['dev', '--workers', '2']).ownedByTest()
  const pids = await Promise.all(
    ['w1', 'w2'].map(async (name) => {
      const line = await dev.line(new RegExp(`^ {2}${name} {2}pid \\d+$`))
      return Number(line.split(' ').at(-1))
    }),
  )
  await Promise.all([dev.line(/w1 joined/), dev.line(/w2 joined/)])
  await dev.line(/^\d\d:\d\d:\d\d {2}sync-orders +w1: .* w2: /)

  // A look from another terminal, with what dev itself proposes.
  const servers = /ELASTICJOB_SERVERS=(\S+)/.exec(await dev.line(/ELASTICJOB_SERVERS=/))?.[1] ?? ''
  const env = { ELASTICJOB_SERVERS: servers, ELASTICJOB_NAMESPACE: 'dev' }
  const { stdout } = await elasticjob(['jobs'], { env })
  for (const about of [
    'count-primes',
    'import-prices',
    'rebuild-index',
    'refresh-rates',
    'tidy-up',
  ]) {
    expect(stdout).toMatch(new RegExp(`^${about} +ok `, 'm'))
  }
  const { code } = await elasticjob(['trigger', 'rebuild-index', '--wait', '20'], { env })
  expect(code).toBe(0)

  process.kill(pids[1] ?? 0, 'SIGKILL')
  await dev.line(/w2 crashed \(SIGKILL\)/)
  await dev.line(/shards moved: .*sync-orders/)
  await dev.line(/sync-orders +w1: 0 1 2 3 4 5$/)

  const { code: end, stdout: all } = await dev.stop('SIGINT')
  expect(end).toBe(0)
  expect(all).toMatch(/Stopped\. Fire times: \d+, runs: \d+/)
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('the jobs of a file tell people of what fails', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  await using receiver = await Receiver.start()
  writeFileSync(join(cwd, 'told.yaml'), receiver.file)
  const dev = new RunningCommand(['dev', 'told.yaml', '--workers', '1'], { cwd }).ownedByTest()
  expect(await receiver.received).toMatchObject({ jobName: 'told' })
  await dev.stop('SIGINT')
})

/** The first of so many ports in a row that were free a moment ago. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await boundPort(0)
    const others = Array.from({ length: count - 1 }, (_, index) => boundPort(first + index + 1))
    if ((await Promise.allSettled(others)).every(({ status }) => status === 'fulfilled'))
      return first
  }
}

/** Listens at a port for a moment. */
function boundPort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** A file whose job runs every second, with more sections. */
function fileWith(sections: string): { readonly cwd: string; readonly file: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const file = 'dev.yaml'
  writeFileSync(
    join(cwd, file),
    `
jobs:
  greet:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 2
    props:
      script.command.line: ${process.execPath} --version
${sections}`,
  )
  return { cwd, file }
}

/** What the console of dev answers to its root. */
async function askConsole<T>(dev: RunningCommand, path: string): Promise<T> {
  const last = async (pattern: RegExp): Promise<string> =>
    pattern.exec(await dev.line(pattern))?.[1] ?? ''
  const url = await last(/Console: (\S+)/)
  const password = await last(/The password of root is (\S+)/)
  const authorization = `Basic ${Buffer.from(`root:${password}`).toString('base64')}`
  const answer = await fetch(`${url}/api${path}`, { headers: { authorization } })
  return (await answer.json()) as T
}

test.for([
  { name: 'where its section says', sections: 'tracing:\n  url: sqlite:own.db\n' },
  { name: 'for as long as it runs, without one', sections: '' },
])('a file is recorded $name, and its console shows it', async ({ sections }) => {
  const { cwd, file } = fileWith(sections)
  const dev = new RunningCommand(['dev', file, '--workers', '2'], { cwd }).ownedByTest()
  await dev.line(/greet .*w1: .* w2: /)
  const hosts = await vi.waitFor(async () => {
    type Rows = { readonly rows: readonly { readonly ip: string; readonly jobName: string }[] }
    const { rows } = await askConsole<Rows>(dev, '/history/executions?jobName=greet')
    const found = new Set(rows.map(({ ip }) => ip))
    expect(found.size).toBe(2)
    return found
  }, 30_000)
  expect([...hosts].toSorted()).toEqual(['127.0.0.1', '127.0.0.2'])
  await dev.stop('SIGINT')
  expect(readdirSync(cwd)).toEqual(sections === '' ? [file] : [file, 'own.db'])
})

test('each worker shows metrics of its own, at one port after the other', async () => {
  const port = await freePorts(2)
  const { cwd, file } = fileWith(`metrics:\n  port: ${port}\n`)
  const dev = new RunningCommand(['dev', file, '--workers', '2'], { cwd }).ownedByTest()
  await Promise.all([dev.line(/w1 joined/), dev.line(/w2 joined/)])
  for (const each of [port, port + 1]) {
    const page = await (await fetch(`http://127.0.0.1:${each}/metrics`)).text()
    expect(page).toContain('elasticjob_job_shards{job_namespace="dev",job_name="greet"} ')
  }
  await dev.stop('SIGINT')
})

test.for([
  ['none.yaml', 'cannot read the file'],
  ['wrong.yaml', 'tracing.urll: there is no such setting'],
])('%s is refused before anything is started', async ([file = '', words = '']) => {
  const cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(join(cwd, 'wrong.yaml'), 'jobs: {}\ntracing:\n  urll: x\n')
  const { code, stdout, stderr } = await elasticjob(['dev', file], { cwd })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})
