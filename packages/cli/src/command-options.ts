/** Options, value parsers and examples that commands share. */
import { type Command, InvalidArgumentError } from 'commander'

import { usualFile, usualTimeout } from './registry/resolve.ts'

/** The option `--json`. */
export interface JsonFlag {
  readonly json?: boolean
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON, for programs')
}

/** The options that select a registry. */
export function withRegistry(command: Command): Command {
  return command
    .optionsGroup('Registry:')
    .option('-s, --servers <list>', 'ZooKeeper servers, host:port,… ($ELASTICJOB_SERVERS)')
    .option('-n, --namespace <name>', 'the namespace of the jobs ($ELASTICJOB_NAMESPACE)')
    .option('--file <path>', `read the registry from this file (default: ./${usualFile})`)
    .option(
      '--timeout <seconds>',
      `how long to try to connect (default: ${usualTimeout})`,
      positiveNumber,
    )
    .optionsGroup('Options:')
}

/** The option `--yes` of a command that asks for confirmation. */
export interface YesFlag {
  readonly yes?: boolean
}

export function withYes(command: Command): Command {
  return command.option('-y, --yes', 'do not ask for confirmation; required without a terminal')
}

export function positiveNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !(number > 0) || !Number.isFinite(number)) {
    throw new InvalidArgumentError('It must be a number > 0.')
  }
  return number
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be an integer ≥ 0.')
  return Number(text)
}

export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return port
}

/** An option that may be repeated, or given once with commas. */
export function listOf<T>(
  read: (text: string) => T,
): (text: string, before: readonly T[] | undefined) => readonly T[] {
  return (text, before = []) => [
    ...before,
    ...text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(read),
  ]
}

/** Adds examples with explanations below the help of a command. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, meaning: string])[],
): Command {
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`.trimEnd())
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
