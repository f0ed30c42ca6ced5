import { systemClock } from '@elasticjob/core/internal'
import { describe, expect, test } from 'vitest'

import { runCommandLine } from '../src/program.ts'
import { FakeTerminal } from './support/fake-terminal.ts'
import { otherCommands, registryCommands } from './support/commands.ts'

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function elasticjob(...args: string[]): Promise<Finished> {
  const terminal = new FakeTerminal()
  const code = await runCommandLine(args, terminal, systemClock)
  return { code, stdout: terminal.shown, stderr: terminal.noted }
}

const commands = [...registryCommands, ...otherCommands]

describe('help', () => {
  test('is what one gets without arguments: every command with its line', async () => {
    const { code, stdout } = await elasticjob()
    expect(code).toBe(0)
    for (const { name } of commands) {
      expect(stdout).toMatch(new RegExp(`^  ${name.split(' ')[0]}\\b.*  \\w`, 'm'))
    }
  })

  test.for(commands)('of $name has examples', async ({ name }) => {
    const { code, stdout } = await elasticjob(...name.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: elasticjob ${name}\\b`))
    expect(stdout).toContain(`Examples:\n`)
  })

  test('there is a version', async () => {
    expect(await elasticjob('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) as string,
    })
  })
})

describe('wrong arguments', () => {
  test.for(commands)('$name takes no option that it does not know', async ({ name, args }) => {
    const { code, stdout, stderr } = await elasticjob(...args, '--no-such-option')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: unknown option '--no-such-option'/)
    expect(stderr).toContain(`(elasticjob ${name} --help shows how)`)
  })

  test.for(commands.filter(({ isGeneral }) => isGeneral !== true))(
    '$name wants to be told for what',
    async ({ name }) => {
      const { code, stderr } = await elasticjob(...name.split(' '))
      expect(code).toBe(2)
      expect(stderr).toMatch(/missing|not specified/)
    },
  )

  test.for([
    [['jbos'], /unknown command 'jbos'[^]*jobs/],
    [['config', 'gte', 'x'], /unknown command 'gte'[^]*get/],
    [['jobs', 'greet'], /too many arguments/],
    [['jobs', '--timeout', '0'], /'0' is invalid. It must be a number > 0/],
    [['top', '--interval', 'often'], /'often' is invalid/],
    [['trigger', 'greet', '--shard', '0,x'], /It must be an integer ≥ 0/],
    [['stop', 'greet', '--shard', '-1'], /It must be an integer ≥ 0/],
    [['enable', '--shard', '1', '--server', 'x'], /--shard needs a job name/],
    [['disable', 'greet', '--shard', '1', '--server', 'x'], /cannot be combined/],
    [['config', 'set', 'greet', 'failover'], /write it as key=value/],
    [['config', 'set', 'greet'], /missing change/],
    [['zookeeper', '--port', '70000'], /It must be a port/],
    [['dev', '--workers', '0'], /--workers must be from 1 to/],
    [['completion', 'csh'], /Allowed choices are bash, zsh, fish/],
    [['cron', '* * *'], /there are 3 fields/],
    [['history', '--outcome', 'well'], /'well' is invalid. It must be one of running, success/],
    [['history', '--since', 'long ago'], /Write it as 30s, 10min, 2h or 7d \(ago\)/],
    [['history', '--statistics', 'week'], /Allowed choices are minute, hour, day/],
    [['history', '--database', 'oracle://db'], /must begin with sqlite:/],
    [['history', '--database', 'sqlite:/nowhere/at/all.db'], /there is no history in/],
    [['logs', 'greet', '--file', '/nowhere.yaml'], /cannot read the file .*nowhere.yaml/],
    [['cron', '0 0 12 * * ?', '--zone', 'Mars/Base'], /nobody knows the time zone "Mars\/Base"/],
    [['cron', '0 0 12 * * ?', '--after', 'soon'], /"soon" is not a valid time/],
  ] as const)('%j', async ([args, words]) => {
    const { code, stdout, stderr } = await elasticjob(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(words)
  })

  test('are told as JSON where JSON is asked for', async () => {
    const { code, stdout, stderr } = await elasticjob('jobs', '--timeout', 'soon', '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'CLI_USAGE', exitCode: 2, message: expect.stringContaining('soon') as string },
    })
  })
})
