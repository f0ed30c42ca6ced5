/** `elasticjob zookeeper`: starts the embedded server. */
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
  readonly acceptDataLoss?: boolean
}

export function addZooKeeperCommand(program: Command, cli: Cli): void {
  const command = program
    .command('zookeeper')
    .summary('start the embedded ZooKeeper-compatible server with durable data')
    .description(
      'Starts the embedded server, which speaks the ZooKeeper protocol and stores its data in a directory.\n' +
        'It is a single process, for development and single machines. In production use an Apache ZooKeeper ensemble.',
    )
    .option('-p, --port <number>', 'the port to listen on; 0 for any free port', portNumber, 2181)
    .option(
      '--host <address>',
      'the address to listen on; anything but loopback is open to the network',
      '127.0.0.1',
    )
    .option('-d, --data-dir <path>', 'the data directory', '.elasticjob/zookeeper')
    .option('--memory', 'store nothing on disk; the data is lost when the server stops')
    .option(
      '--accept-data-loss',
      'start with a damaged log: drop everything after the damage, and keep the damaged files aside',
    )
    .action((flags: ZooKeeperFlags) => serve(cli, flags))
  withExamples(withJson(command), [
    ['elasticjob zookeeper', 'on 127.0.0.1:2181, data in ./.elasticjob/zookeeper'],
    ['elasticjob zookeeper --data-dir /var/lib/elasticjob', 'another data directory'],
    ['elasticjob zookeeper --memory --port 0 --json', 'for a test: any port, printed as JSON'],
  ])
}

async function serve({ output, terminal }: Cli, flags: ZooKeeperFlags): Promise<void> {
  const { port, host } = flags
  const dataDir = flags.memory === true ? undefined : resolve(terminal.directory, flags.dataDir)
  const { acceptDataLoss = false } = flags
  const options = { port, host, acceptDataLoss, ...(dataDir === undefined ? {} : { dataDir }) }
  const { startServer } = await import('@elasticjob/zookeeper-server')
  const server = await listening(options, () => startServer(options))
  const { connectString: servers } = server
  if (flags.json === true)
    output.line(jsonText({ servers, dataDir: dataDir ?? null, pid: process.pid }))
  else {
    output.line(`ZooKeeper-compatible server on ${servers}, ${storage(dataDir)}.`)
    output.line(`  export ELASTICJOB_SERVERS=${servers}`)
    output.line('Press Ctrl-C to stop.')
  }
  const failed = new Promise<never>((_, reject) => {
    server.events.once('server:failed', ({ error }) => reject(error))
  })
  try {
    await Promise.race([untilToldToEnd(), failed])
  } finally {
    await server.stop()
  }
  if (flags.json !== true) output.line('Stopped.')
}

function storage(dataDir: string | undefined): string {
  return dataDir === undefined ? 'data in memory only' : `data in ${dataDir}`
}
