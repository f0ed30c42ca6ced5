import type { Clock } from '../clock.ts'
import { ConfigurationError, ElasticJobError, type Problem } from '../errors.ts'
import type { ShardingContext } from './context.ts'
import type { JobType } from './job-type.ts'
import {
  type IntegerProp,
  integerOf,
  problemsOfInteger,
  problemsOfRequired,
  type Props,
} from '../config/props.ts'
import { CapturedOutput } from './script/captured-output.ts'
import { type Command, parseCommandLine } from './script/command-line.ts'
import { scriptEnvironment } from './script/environment.ts'
import { type ProcessEnd, runProcess } from './script/run-process.ts'
import { ScriptError } from './script/script-error.ts'
import { shardingContextJson } from './sharding-context-json.ts'

const commandLineKey = 'script.command.line'

const timeoutProp: IntegerProp = {
  key: 'script.timeout.milliseconds',
  least: 0,
  byDefault: 0,
}

/** A job type that runs a program for each shard, with the context as its last argument. */
export function scriptType(clock: Clock): JobType {
  return {
    name: 'SCRIPT',
    problemsOf,
    runner: {
      scope: 'shard',
      run: (context, { props }) => runScript(context, props, clock),
    },
  }
}

function problemsOf(props: Props): readonly Problem[] {
  const required = problemsOfRequired(props, commandLineKey)
  const unreadable = required.length === 0 ? problemsOfCommandLine(props) : []
  return [...required, ...unreadable, ...problemsOfInteger(props, timeoutProp)]
}

function problemsOfCommandLine(props: Props): readonly Problem[] {
  try {
    commandOf(props)
    return []
  } catch (error) {
    return [{ key: commandLineKey, message: (error as SyntaxError).message }]
  }
}

function commandOf(props: Props): Command {
  return parseCommandLine(props[commandLineKey] ?? '')
}

async function runScript(context: ShardingContext, props: Props, clock: Clock): Promise<void> {
  const problems = problemsOf(props)
  if (problems.length > 0) throw new ConfigurationError('the script', problems)
  context.signal.throwIfAborted()
  const [program, ...args] = commandOf(props)
  const timeout = integerOf(props, timeoutProp)
  const stdout = new CapturedOutput((line) => context.logger.info(line))
  const stderr = new CapturedOutput((line) => context.logger.warn(line))
  const end = await runProcess({
    command: [program, ...args, shardingContextJson(context)],
    environment: scriptEnvironment(process.env, context),
    signal: context.signal,
    timeout,
    clock,
    onStdout: (chunk) => stdout.write(chunk),
    onStderr: (chunk) => stderr.write(chunk),
  }).catch((error: unknown) => {
    throw notStarted(program, error)
  })
  stdout.end()
  stderr.end()
  const failure = failureOf(end, timeout)
  if (failure === undefined) return
  const lastLines = stderr.lastLines.map((line) => `\n  ${line}`).join('')
  throw new ScriptError(
    `${program} ${failure}${lastLines === '' ? '' : `; its last words:${lastLines}`}`,
    end,
    end.stoppedBy === 'abort' ? context.signal.reason : undefined,
  )
}

/**
 * The failure of a run; undefined if it succeeded. An aborted script that exits with 0 also counts as success: only the
 * script knows whether it had completed its work.
 */
function failureOf({ code, signal, stoppedBy }: ProcessEnd, timeout: number): string | undefined {
  const manner = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  if (stoppedBy === 'timeout') return `took longer than ${timeout} ms and ${manner}`
  if (code === 0) return undefined
  return stoppedBy === 'abort' ? `was aborted and ${manner}` : manner
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'was not found, neither as a path nor in PATH',
  EACCES: 'may not be executed: is its mode executable?',
  ENOEXEC: 'is not a program: has it a line that begins with #! ?',
  E2BIG: 'was not started: its arguments and environment are too long',
}

function notStarted(program: string, error: unknown): ElasticJobError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = startFailures[code] ?? `was not started: ${message}`
  return new ElasticJobError('JOB_SCRIPT_FAILED', `${program} ${reason}`, error)
}
