import { describe, expect, test } from 'vitest'

import { type Clock, systemClock } from '../../src/clock.ts'
import type { ShardingContext } from '../../src/job-types/context.ts'
import { scriptType } from '../../src/job-types/script.ts'
import { SlowClock } from './support/clocks.ts'
import { shardContext, TestControl } from './support/contexts.ts'
import { isRunning, numberIn } from './support/processes.ts'
import { RecordingLogger } from './support/recording-logger.ts'

/** Starts `sh -c` with this script; the JSON of the context is then its `$0`. */
function startShell(
  script: string,
  given: Partial<ShardingContext> = {},
  clock: Clock = systemClock,
  props: Readonly<Record<string, string>> = {},
): { readonly logger: RecordingLogger; readonly ended: Promise<void> } {
  const logger = new RecordingLogger()
  const ended = start(`sh -c '${script}'`, { logger, ...given }, clock, props)
  // It is looked at later than it may fail.
  ended.catch(() => {})
  return { logger, ended }
}

async function start(
  commandLine: string,
  given: Partial<ShardingContext> = {},
  clock: Clock = systemClock,
  props: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { runner } = scriptType(clock)
  if (runner.scope !== 'shard') throw new Error('a shard at a time was expected')
  const control = new TestControl({ 'script.command.line': commandLine, ...props })
  await runner.run(shardContext(given), control)
}

describe('a script', () => {
  test('is given the context as its last argument', async () => {
    const { logger, ended } = startShell('echo "$0"', { shardingParameter: `it's "here"` })
    await ended
    const [line = ''] = logger.lines
    expect(JSON.parse(line.slice('info '.length))).toEqual({
      jobName: 'sync-orders',
      taskId: 'sync-orders@-@0,1@-@READY@-@10.0.0.1@-@4711',
      shardingTotalCount: 2,
      jobParameter: 'all',
      shardingItem: 0,
      shardingParameter: `it's "here"`,
    })
  })

  test('is given the context in its environment', async () => {
    const script = 'echo $ELASTICJOB_JOB_NAME $ELASTICJOB_SHARDING_ITEM ${ELASTICJOB_OFFSET-none}'
    const { logger, ended } = startShell(script, { shardingItem: 1 })
    await ended
    expect(logger.lines).toEqual(['info sync-orders 1 none'])
  })

  test('is started without a shell', async () => {
    const logger = new RecordingLogger()
    await start('echo $HOME;', { logger })
    expect(logger.lines[0]).toMatch(/^info \$HOME; \{"jobName"/)
  })

  test('has its output logged, line by line and to the end', async () => {
    const { logger, ended } = startShell('seq 1 20000; echo careful >&2')
    await ended
    const numbers = Array.from({ length: 20_000 }, (_, index) => `info ${index + 1}`)
    expect(logger.lines.filter((line) => line.startsWith('info'))).toEqual(numbers)
    expect(logger.lines).toContain('warn careful')
  })

  test('runs with the props of the moment', async () => {
    const { runner } = scriptType(systemClock)
    if (runner.scope !== 'shard') throw new Error('a shard at a time was expected')
    const control = new TestControl({ 'script.command.line': 'false' })
    await expect(runner.run(shardContext(), control)).rejects.toThrow('exit code 1')
    control.props = { 'script.command.line': 'true' }
    await runner.run(shardContext(), control)
  })
})

describe('a failure', () => {
  test('is an exit code other than 0, with its last words', async () => {
    const { ended } = startShell('echo no space left >&2; exit 3')
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_SCRIPT_FAILED',
      exitCode: 3,
      signal: null,
      message: 'sh ended with exit code 3; its last words:\n  no space left',
    })
  })

  test('is a signal', async () => {
    const { ended } = startShell('kill -9 $$')
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_SCRIPT_FAILED',
      exitCode: null,
      signal: 'SIGKILL',
      message: 'sh was ended by SIGKILL',
    })
  })

  test.for([
    ['no-such-program --now', 'no-such-program was not found, neither as a path nor in PATH'],
    ['/no/such/program', '/no/such/program was not found, neither as a path nor in PATH'],
    ['/etc/passwd', '/etc/passwd may not be executed: is its mode executable?'],
  ] as const)('is a program that cannot be started: %s', async ([commandLine, message]) => {
    await expect(start(commandLine)).rejects.toMatchObject({ code: 'JOB_SCRIPT_FAILED', message })
  })

  test('is a parameter that no program can be given', async () => {
    const { ended } = startShell('true', { jobParameter: 'a\0b' })
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_SCRIPT_FAILED',
      message: expect.stringContaining('sh was not started') as string,
    })
  })

  test('is props that do not do', async () => {
    await expect(start('sh "')).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
      message: expect.stringContaining('script.command.line: the quote " at character 4') as string,
    })
  })
})

describe('an abort', () => {
  test('ends the script and what it has started', async () => {
    const controller = new AbortController()
    const { logger, ended } = startShell(
      'sleep 60 & echo child $!; wait',
      { signal: controller.signal },
      new SlowClock(),
    )
    const child = numberIn(await logger.line(/child/))
    expect(isRunning(child)).toBe(true)
    controller.abort(new Error('the lease is over'))
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_SCRIPT_FAILED',
      signal: 'SIGTERM',
      message: 'sh was aborted and was ended by SIGTERM',
      cause: { message: 'the lease is over' },
    })
    expect(isRunning(child)).toBe(false)
  })

  test('ends with SIGKILL what does not heed SIGTERM', async () => {
    const controller = new AbortController()
    const clock = new SlowClock()
    const { logger, ended } = startShell(
      'trap "" TERM; sleep 60 & echo child $!; wait',
      { signal: controller.signal },
      clock,
    )
    const child = numberIn(await logger.line(/child/))
    controller.abort()
    clock.release()
    await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect(isRunning(child)).toBe(false)
  })

  test('ends what outlives the script, in silence', async () => {
    const controller = new AbortController()
    const clock = new SlowClock()
    const { logger, ended } = startShell(
      'trap "" TERM; sleep 60 >/dev/null 2>&1 & child=$!; trap "exit 4" TERM; echo child $child; wait',
      { signal: controller.signal },
      clock,
    )
    const child = numberIn(await logger.line(/child/))
    controller.abort()
    // The script has ended, and the group is looked at.
    await clock.timerSet()
    expect(isRunning(child)).toBe(true)
    clock.release()
    await expect(ended).rejects.toMatchObject({ exitCode: 4 })
    expect(isRunning(child)).toBe(false)
  })

  test('leaves the script the time to say that its work is done', async () => {
    const controller = new AbortController()
    const clock = new SlowClock()
    const { logger, ended } = startShell(
      'trap "echo tidying up; exit 0" TERM; echo ready; while :; do :; done',
      { signal: controller.signal },
      clock,
    )
    await logger.line(/ready/)
    controller.abort()
    await ended
    expect(logger.lines).toContain('info tidying up')
    expect(clock.heldTimers).toBe(0)
  })

  test('before the start keeps it from starting', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(startShell('echo here', { signal }).ended).rejects.toThrow('stopped')
  })
})

describe('time', () => {
  const limit = { 'script.timeout.milliseconds': '9000' }

  test('that is over ends the script and what it has started', async () => {
    const clock = new SlowClock()
    const { logger, ended } = startShell('sleep 60 & echo child $!; wait', {}, clock, limit)
    const child = numberIn(await logger.line(/child/))
    clock.release()
    await expect(ended).rejects.toMatchObject({
      code: 'JOB_SCRIPT_FAILED',
      message: 'sh took longer than 9000 ms and was ended by SIGTERM',
    })
    expect(isRunning(child)).toBe(false)
  })

  test('that is over is a failure, whatever the script says then', async () => {
    const clock = new SlowClock()
    const { logger, ended } = startShell(
      'trap "exit 0" TERM; echo ready; while :; do :; done',
      {},
      clock,
      limit,
    )
    await logger.line(/ready/)
    clock.release()
    await expect(ended).rejects.toThrow('took longer than 9000 ms and ended with exit code 0')
    expect(clock.heldTimers).toBe(0)
  })

  test('that is not over leaves no timer', async () => {
    const clock = new SlowClock()
    await startShell('true', {}, clock, limit).ended
    expect(clock.heldTimers).toBe(0)
  })
})

describe('what is left running', () => {
  test('in the group with the pipes open belongs to the run', async () => {
    const controller = new AbortController()
    const { logger, ended } = startShell(
      '(echo child; sleep 60) & echo script $!',
      { signal: controller.signal },
      new SlowClock(),
    )
    await logger.line(/child/)
    const child = numberIn(await logger.line(/script/))
    expect(isRunning(child)).toBe(true)
    controller.abort()
    // The shell itself may have ended before the abort reached it, or by it.
    await Promise.allSettled([ended])
    expect(isRunning(child)).toBe(false)
  })

  test('outside of the group does not hold the run up, though it keeps the pipes', async () => {
    const program =
      'const { spawn } = require("node:child_process"); ' +
      'const options = { detached: true, stdio: "inherit" }; ' +
      'const child = spawn("sleep", ["60"], options); ' +
      'console.log("child " + child.pid); child.unref()'
    const logger = new RecordingLogger()
    await start(`${process.execPath} -e '${program}'`, { logger })
    const child = numberIn(await logger.line(/child/))
    expect(isRunning(child)).toBe(true)
    process.kill(child, 'SIGKILL')
  })

  test('with output of its own is left alone', async () => {
    const { logger, ended } = startShell('sleep 60 >/dev/null 2>&1 & echo child $!')
    await ended
    const child = numberIn(await logger.line(/child/))
    expect(isRunning(child)).toBe(true)
    process.kill(child, 'SIGKILL')
  })
})

describe('props', () => {
  const type = scriptType(systemClock)

  test('that do', () => {
    const props = { 'script.command.line': 'run', 'script.timeout.milliseconds': '0' }
    expect(type.problemsOf(props)).toEqual([])
  })

  test('that do not', () => {
    expect(type.problemsOf({ 'script.timeout.milliseconds': '-1' })).toEqual([
      { key: 'script.command.line', message: 'is required' },
      {
        key: 'script.timeout.milliseconds',
        message: expect.stringContaining('not "-1"') as string,
      },
    ])
  })
})
