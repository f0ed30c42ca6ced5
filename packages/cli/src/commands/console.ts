/** `elasticjob console`: the console in the browser. */
import { resolve } from 'node:path'

import type { NamedRegistry, NamedSource } from '@elasticjob/console'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  portNumber,
  withExamples,
  withJson,
  withRegistry,
} from '../command-options.ts'
import { CommandError } from '../errors.ts'
import { resolveHistory } from '../history/resolve.ts'
import { listening } from '../listening.ts'
import { jsonText } from '../output/output.ts'
import { type RegistryFlags, resolveRegistry } from '../registry/resolve.ts'
import { untilToldToEnd } from '../signals.ts'

interface ConsoleFlags extends RegistryFlags, JsonFlag {
  readonly port: number
  readonly host: string
  readonly dataDir?: string
  readonly database?: string
  readonly trustProxy?: boolean
  readonly basePath?: string
}

export function addConsoleCommand(program: Command, cli: Cli): void {
  const command = program
    .command('console')
    .summary('start the console: see and steer jobs in the browser')
    .description(
      'Starts the console and prints its address. The accounts are root, who does, and guest, who looks; their\n' +
        'passwords are made at the first start and shown once. Registries and histories can be added in the page.',
    )
    .option(
      '-p, --port <number>',
      'the port to listen on; 0 for any that is free',
      portNumber,
      8899,
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '-d, --data-dir <path>',
      'where accounts, the audit and what is added are kept (default: ~/.elasticjob-console)',
    )
    .option(
      '--database <url>',
      'the history: sqlite:PATH, postgresql://… or mysql://… ($ELASTICJOB_HISTORY)',
    )
    .option('--trust-proxy', 'a proxy in front of it says who asks (X-Forwarded-…)')
    .option(
      '--base-path <path>',
      'the path to stand below, such as /elasticjob (default: the root)',
    )
    .action((flags: ConsoleFlags) => serve(cli, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob console --servers 127.0.0.1:2181 --namespace shop', ''],
    ['elasticjob console', 'with the registry of ./elasticjob.yaml, if there is one'],
    ['elasticjob console --host 0.0.0.0 --trust-proxy', 'behind a proxy with TLS'],
  ])
}

async function serve(cli: Cli, flags: ConsoleFlags): Promise<void> {
  const { output, terminal } = cli
  const { port, host, dataDir, trustProxy = false, basePath = '' } = flags
  const [{ startConsole }, dataSources] = await Promise.all([
    import('@elasticjob/console'),
    historyOf(cli, flags),
  ])
  const lines: string[] = []
  const running = await listening({ port, host }, () =>
    startConsole({
      port,
      host,
      trustProxy,
      basePath,
      registries: registriesOf(cli, flags),
      dataSources,
      ...(dataDir === undefined ? {} : { directory: resolve(terminal.directory, dataDir) }),
      tell: (line) => lines.push(line),
    }),
  )
  if (flags.json === true) {
    // What is shown once is shown, and not to the program that reads the answer.
    for (const line of lines) terminal.stderr.write(`${line}\n`)
    output.line(jsonText({ url: running.url, pid: process.pid }))
  } else {
    for (const line of lines) output.line(line)
    output.line('Ctrl-C stops it.')
  }
  try {
    await untilToldToEnd()
  } finally {
    await running.stop()
  }
  if (flags.json !== true) output.line('Stopped.')
}

/** None is fine: the page asks for one. */
function registriesOf({ terminal }: Cli, flags: ConsoleFlags): NamedRegistry[] {
  try {
    const registry = resolveRegistry(flags, terminal)
    return [{ ...registry, name: registry.namespace }]
  } catch (error) {
    if (error instanceof CommandError && error.code === 'CLI_REGISTRY_MISSING') return []
    throw error
  }
}

/** The same: a console without a history shows how things are. */
async function historyOf({ terminal }: Cli, flags: ConsoleFlags): Promise<NamedSource[]> {
  const { tracingOptionsOf } = await import('@elasticjob/tracing')
  try {
    const { url } = resolveHistory(flags, terminal, tracingOptionsOf)
    return url === undefined ? [] : [{ name: 'history', url }]
  } catch (error) {
    if (error instanceof CommandError && error.code === 'CLI_HISTORY_MISSING') return []
    throw error
  }
}
