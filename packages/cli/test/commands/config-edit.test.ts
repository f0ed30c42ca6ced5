import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

import { expect, test } from 'vitest'

import type { Finished } from '../support/command-line.ts'
import { withCluster } from '../support/cluster.ts'
import { nodeOf, overwriteNodes, textOf } from '../support/stored-nodes.ts'

const the = withCluster()

/** An editor that replaces some text and is gone. */
function edit(job: string, script: string, ...more: string[]): Promise<Finished> {
  const env = { EDITOR: `sed -i -e '${script}'`, VISUAL: '' }
  return the.cluster.run(['config', 'edit', job, ...more], { env })
}

test('what is different afterwards is stored', async () => {
  const { code, stdout } = await edit('greet', 's/hello/goodbye/')
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['KEY', 'OLD', 'NEW'],
    ['description', 'says hello', 'says goodbye'],
  ])
  const { stdout: text } = await the.cluster.run(['config', 'get', 'greet', 'description'])
  expect(text).toBe('says goodbye\n')
})

test('a configuration that cannot be read is opened, and replaced by what is written', async () => {
  const path = nodeOf('configuration', 'greet')
  const client = await overwriteNodes(the.cluster, {
    [path]: 'jobName: greet\ncron: [\nshardingTotalCount: 3\n',
  })
  const { code, stderr } = await edit('greet', 's/^cron:.*/cron: 0 0 0 1 1 ? 2098/')
  expect([code, stderr]).toEqual([0, ''])
  expect(await textOf(client, path)).toBe(
    'jobName: greet\ncron: 0 0 0 1 1 ? 2098\nshardingTotalCount: 3\n',
  )
})

test('told as JSON', async () => {
  const { code, stdout } = await edit('endless', 's/^failover: false/failover: true/', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ changes: [{ key: 'failover', to: true }] })
})

test('nothing is, if nothing is different', async () => {
  const { code, stdout } = await edit('greet', 's/nothing/something/')
  expect([code, stdout]).toEqual([
    0,
    'Nothing to change: the configuration already has these values.\n',
  ])
})

test('what cannot be is refused, and kept for another try', async () => {
  const { code, stdout, stderr } = await edit('greet', 's/^cron:.*/cron: at noon/')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('cron: ')
  const path = /^Your text is saved in (.*)$/m.exec(stderr)?.[1] ?? ''
  expect(readFileSync(path, 'utf8')).toContain('cron: at noon')
  rmSync(dirname(path), { recursive: true })
})

test('an editor that fails changes nothing', async () => {
  const { code, stderr } = await the.cluster.run(['config', 'edit', 'greet'], {
    env: { EDITOR: 'false', VISUAL: '' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('nothing was changed')
})

test('there has to be an editor', async () => {
  const { code, stderr } = await the.cluster.run(['config', 'edit', 'greet'], {
    env: { EDITOR: '', VISUAL: '' },
  })
  expect(code).toBe(2)
  expect(stderr).toContain('set EDITOR')
})

test('and a job', async () => {
  const { code, stderr } = await edit('nothing', 's/x/y/')
  expect(code).toBe(3)
  expect(stderr).toContain('no job "nothing"')
})

test('whoever was quicker is not overwritten', async () => {
  const other = [process.execPath, ...commandOfSet()].map((word) => `'${word}'`).join(' ')
  const { code, stderr } = await the.cluster.run(['config', 'edit', 'broken'], {
    env: { EDITOR: `${other} && sed -i -e 's/^failover: false/failover: true/'`, VISUAL: '' },
  })
  expect(code).toBe(5)
  expect(stderr).toContain('was changed by somebody else')
  const path = /^Your text is saved in (.*)$/m.exec(stderr)?.[1] ?? ''
  expect(existsSync(path)).toBe(true)
  rmSync(dirname(path), { recursive: true })
})

function commandOfSet(): string[] {
  const program = new URL('../../dist/main.js', import.meta.url).pathname
  return [program, 'config', 'set', 'broken', 'description=quicker', ...the.cluster.registry]
}
