import type { ShardDetail, TriggerResult } from '@elasticjob/core/operations'
import { describe, expect, test } from 'vitest'

import { RunningCommand } from '../support/command-line.ts'
import { namespace, withCluster } from '../support/cluster.ts'
import { DyingRegistry } from '../support/dying-registry.ts'

const the = withCluster()

test('says which manual run was asked for', async () => {
  const { code, stdout } = await the.cluster.run(['trigger', 'greet', '--shard', '2,0'])
  expect([code, stdout]).toEqual([
    0,
    'done     manual run 1 of job greet is asked for: shards 0, 2\n',
  ])
  await the.cluster.workers[0]?.line(/^started greet 2$/)
})

test('JSON for programs', async () => {
  const result = await the.cluster.json<TriggerResult>('trigger', 'greet', '--parameter', 'loud')
  expect(result).toMatchObject({
    action: 'trigger',
    done: [{ jobName: 'greet' }],
    manualRun: { parameter: 'loud' },
  })
})

describe('waits', () => {
  test('and shows what came of it', async () => {
    const { code, stdout } = await the.cluster.run(['trigger', 'greet', '--wait', '20'])
    expect(code).toBe(0)
    expect(stdout.match(/ success$/gm)).toHaveLength(3)
  })

  test('and tells it as JSON', async () => {
    const { shards } = await the.cluster.json<{ shards: ShardDetail[] }>(
      'trigger',
      'greet',
      '--shard',
      '1',
      '--wait',
      '20',
    )
    expect(shards.map(({ shard, run }) => [shard, run?.outcome])).toEqual([[1, 'success']])
  })

  test('and fails if a shard has failed', async () => {
    const { code, stdout, stderr } = await the.cluster.run(['trigger', 'broken', '--wait', '20'])
    expect(code).toBe(1)
    expect(stdout).toContain('no stock')
    expect(stderr).toBe('error: 1 of 2 shards did not succeed\n')
    const again = await the.cluster.run(['trigger', 'broken', '--failed', '--wait', '20'])
    expect(again).toMatchObject({ code: 1, stderr: 'error: 1 of 1 shards did not succeed\n' })
  })

  test('no longer than there is a registry', async () => {
    const dying = await DyingRegistry.start(the.cluster.server.port)
    const registry = ['--servers', dying.servers, '--namespace', namespace, '--timeout', '3']
    const command = new RunningCommand(['trigger', 'endless', '--wait', '30', ...registry])
    await command.line(/^done .*endless/)
    dying.die()
    const { code, stderr } = await command.ownedByTest().finished
    expect(code).toBe(4)
    expect(stderr).toContain('the connection to the registry was lost')
  })

  test('no longer than it is told to', async () => {
    const { code, stderr } = await the.cluster.run(['trigger', 'endless', '--wait', '0.3'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /manual run \d of job 'endless' is not complete after 300 ms; it continues/,
    )
  })
})

describe('refuses', () => {
  test.for([
    [['nothing'], 3, 'no job "nothing"'],
    [['greet', '--shard', '7'], 3, 'no shard 7'],
    [['greet', '--instance', 'x'], 3, 'no instance "x"'],
    [['greet', '--server', '10.0.0.1'], 3, 'no server "10.0.0.1"'],
    [['greet', '--failed'], 5, 'nothing to run again'],
  ] as const)('%j', async ([args, exitCode, words]) => {
    const { code, stdout, stderr } = await the.cluster.run(['trigger', ...args])
    expect([code, stdout]).toEqual([exitCode, ''])
    expect(stderr).toContain(words)
  })
})
