/** `elasticjob zookeeper`: the embedded server alone. */
import { resolve } from 'node:path'

import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, portNumber, withExamples, withJson } from '../command-options.ts'
import { listening } from '../listening.ts'
import { jsonText } from '../output/output.ts'
import { untilToldToEnd } from '../signals.ts'

interface ZooKeeperFlags extends JsonFlag {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly memory?: boolean
}

export function addZooKeeperCommand(program: Command, cli: Cli): void {
  const command = program
    .command('zookeeper')
    .summary('start the embedded server, which keeps its state')
    .description(
      'Starts the embedded server: it speaks the protocol of ZooKeeper and keeps its state in a directory.\n' +
        'For development and for a single machine: it is one process, and production clusters use the real ZooKeeper.',
    )
    .option(
      '-p, --port <number>',
      'the port to listen on; 0 for any that is free',
      portNumber,
      2181,
    )
    .option(
      '--host <address>',
      'the address to listen on; others than loopback are open to all',
      '127.0.0.1',
    )
    .option('-d, --data-dir <path>', 'where it keeps its state', '.elasticjob/zookeeper')
    .option('--memory', 'keep nothing: the state ends with the server')
    .action((flags: ZooKeeperFlags) => serve(cli, flags))
  withExamples(withJson(command), [
    ['elasticjob zookeeper', 'on 127.0.0.1:2181, its state in ./.elasticjob/zookeeper'],
    ['elasticjob zookeeper --data-dir /var/lib/elasticjob', 'its state elsewhere'],
    ['elasticjob zookeeper --memory --port 0 --json', 'for a test: any port, told as JSON'],
  ])
}

async function serve({ output, terminal }: Cli, flags: ZooKeeperFlags): Promise<void> {
  const { port, host } = flags
  const dataDir = flags.memory === true ? undefined : resolve(terminal.directory, flags.dataDir)
  const options = { port, host, ...(dataDir === undefined ? {} : { dataDir }) }
  const { startServer } = await import('@elasticjob/zookeeper-server')
  const server = await listening(options, () => startServer(options))
  const { connectString: servers } = server
  if (flags.json === true)
    output.line(jsonText({ servers, dataDir: dataDir ?? null, pid: process.pid }))
  else {
    output.line(`ZooKeeper's protocol on ${servers}, ${storage(dataDir)}.`)
    output.line(`  export ELASTICJOB_SERVERS=${servers}`)
    output.line('Ctrl-C stops it.')
  }
  const failed = new Promise<never>((_, reject) => {
    server.events.once('server:failed', ({ error }) => reject(error))
  })
  try {
    await Promise.race([untilToldToEnd(), failed])
  } finally {
    await server.close()
  }
  if (flags.json !== true) output.line('Stopped.')
}

function storage(dataDir: string | undefined): string {
  return dataDir === undefined ? 'in memory alone' : `its state in ${dataDir}`
}
