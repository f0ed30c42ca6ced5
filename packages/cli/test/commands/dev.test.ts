import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { elasticjob, RunningCommand } from '../support/command-line.ts'
import { Receiver } from '../support/receiver.ts'

test('workers share jobs of every type, one crashes, its items move, and Ctrl-C leaves nothing', async () => {
  const dev = new RunningCommand(['dev', '--workers', '2']).ownedByTest()
  const pids = await Promise.all(
    ['w1', 'w2'].map(async (name) => {
      const line = await dev.line(new RegExp(`^ {2}${name} {2}process \\d+$`))
      return Number(line.split(' ').at(-1))
    }),
  )
  await Promise.all([dev.line(/w1 takes part/), dev.line(/w2 takes part/)])
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
  await dev.line(/w2 has crashed \(SIGKILL\)/)
  await dev.line(/items have moved: .*sync-orders/)
  await dev.line(/sync-orders +w1: 0 1 2 3 4 5$/)

  const { code: end, stdout: all } = await dev.stop('SIGINT')
  expect(end).toBe(0)
  expect(all).toMatch(/Stopped\. Fires: \d+, runs: \d+/)
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

test('a file that cannot be is said once, and nothing goes on', async () => {
  const { code, stderr } = await elasticjob(['dev', 'none.yaml'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/none\.yaml cannot be read/)
})
