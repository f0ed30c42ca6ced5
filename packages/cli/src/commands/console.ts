/** `elasticjob console`: starts the web console. */
import { resolve } from 'node:path'

import type { NamedRegistry, NamedSource } from '@elasticjob/console'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  listOf,
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
  readonly allowedHosts?: readonly string[]
  readonly basePath?: string
}

export function addConsoleCommand(program: Command, cli: Cli): void {
  const command = program
    .command('console')
    .summary('start the web console to watch and operate jobs')
    .description(
      'Starts the web console and prints its address. There are two accounts: root (full access) and guest (read-only).\n' +
        'Their passwords are generated at the first start and shown once. Add registries and histories in the page.',
    )
    .option('-p, --port <number>', 'the port to listen on; 0 for any free port', portNumber, 8899)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '-d, --data-dir <path>',
      'directory for accounts, the audit log and settings (default: ~/.elasticjob-console)',
    )
    .option(
      '--database <url>',
      'the history: sqlite:PATH, postgresql://… or mysql://… ($ELASTICJOB_HISTORY)',
    )
    .option('--trust-proxy', 'trust the X-Forwarded-… headers of a reverse proxy')
    .option(
      '--allowed-hosts <names>',
      'accepted host names, for example jobs.example (always: localhost, IP addresses, --host)',
      listOf(String),
    )
    .option('--base-path <path>', 'the base path, for example /elasticjob (default: /)')
    .action((flags: ConsoleFlags) => serve(cli, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob console --servers 127.0.0.1:2181 --namespace shop', ''],
    ['elasticjob console', 'with the registry of ./elasticjob.yaml, if there is one'],
    ['elasticjob console --trust-proxy --allowed-hosts jobs.example', 'behind a proxy with TLS'],
  ])
}

async function serve(cli: Cli, flags: ConsoleFlags): Promise<void> {
  const { output, terminal } = cli
  const { port, host, dataDir, trustProxy = false, allowedHosts = [], basePath = '' } = flags
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
      allowedHosts,
      basePath,
      registries: registriesOf(cli, flags),
      dataSources,
      ...(dataDir === undefined ? {} : { directory: resolve(terminal.directory, dataDir) }),
      tell: (line) => lines.push(line),
    }),
  )
  if (flags.json === true) {
    // Shown once, and not to the program that reads standard output.
    for (const line of lines) terminal.stderr.write(`${line}\n`)
    output.line(jsonText({ url: running.url, pid: process.pid }))
  } else {
    for (const line of lines) output.line(line)
    output.line('Press Ctrl-C to stop.')
  }
  try {
    await untilToldToEnd()
  } finally {
    await running.stop()
  }
  if (flags.json !== true) output.line('Stopped.')
}

/** Optional: the page asks for a registry if there is none. */
function registriesOf({ terminal }: Cli, flags: ConsoleFlags): NamedRegistry[] {
  try {
    const registry = resolveRegistry(flags, terminal)
    return [{ ...registry, name: registry.namespace }]
  } catch (error) {
    if (error instanceof CommandError && error.code === 'CLI_REGISTRY_MISSING') return []
    throw error
  }
}

/** Optional: without a history the console shows the current state only. */
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
