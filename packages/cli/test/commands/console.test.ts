import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startServer } from '@elasticjob/zookeeper-server'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { RunningCommand } from '../support/command-line.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
})

function serve(...args: string[]): RunningCommand {
  const all = ['console', '--port', '0', '--data-dir', 'console', ...args]
  return new RunningCommand(all, { cwd }).ownedByTest()
}

async function listed(command: RunningCommand, password: string): Promise<unknown> {
  const address = (await command.line(/^Console: /)).slice('Console: '.length)
  const authorization = `Basic ${Buffer.from(`root:${password}`).toString('base64')}`
  const response = await fetch(`${address}/api/registry-center`, { headers: { authorization } })
  return response.json()
}

test('says where it is, and shows its passwords at the first start alone', async () => {
  await using server = await startServer({ port: 0 })
  const registry = ['--servers', server.connectString, '--namespace', 'shop']
  const first = serve(...registry)
  const line = await first.line(/^The password of root is /)
  const password = /is (\S+)/.exec(line)?.[1] as string
  expect(await listed(first, password)).toMatchObject([{ name: 'shop', fixed: true }])
  expect(await first.stop('SIGINT')).toMatchObject({ code: 0 })

  const second = serve(...registry)
  expect(await listed(second, password)).toMatchObject([{ name: 'shop' }])
  const { stdout } = await second.stop('SIGTERM')
  expect(stdout).not.toContain('password of')
})

test('needs no registry to begin with', async () => {
  const command = serve()
  const line = await command.line(/^The password of root is /)
  expect(await listed(command, /is (\S+)/.exec(line)?.[1] as string)).toEqual([])
})
