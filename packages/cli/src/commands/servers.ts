/** `elasticjob servers`: lists the servers that run jobs. */
import type { ServerJob, ServerSummary } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { serverStateCell } from '../output/states.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface ServersFlags extends RegistryFlags, JsonFlag {
  readonly names?: boolean
}

export function addServersCommand(program: Command, cli: Cli): void {
  const command = program
    .command('servers')
    .summary('list the servers that run jobs, or the jobs of one of them')
    .description('Lists the servers that run jobs; with an address, the jobs of that server.')
    .argument('[address]', 'one server, for example 10.0.0.1')
    .option('--names', 'look up host names')
    .action((address: string | undefined, flags: ServersFlags) => show(cli, address, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob servers', ''],
    ['elasticjob servers 10.0.0.1', 'the jobs of one server'],
    ['elasticjob disable --server 10.0.0.1', 'move its shards to others, in all jobs'],
  ])
}

async function show(cli: Cli, address: string | undefined, flags: ServersFlags): Promise<void> {
  const { output } = cli
  await withOperations(cli, flags, async (operations) => {
    if (address === undefined) {
      const servers = await operations.servers({ hostNames: flags.names === true })
      if (flags.json === true) output.json(servers)
      else if (servers.length > 0) showServers(cli, servers, flags.names === true)
      else output.note(`No server runs a job in namespace '${operations.namespace}'.`)
    } else {
      const server = await operations.server(address)
      if (flags.json === true) output.json(server)
      else showJobs(cli, server.jobs)
    }
  })
}

function showServers({ output }: Cli, servers: readonly ServerSummary[], names: boolean): void {
  output.table(
    [
      { title: 'SERVER', cell: ({ server }) => server },
      ...(names ? [{ title: 'HOST', cell: (each: ServerSummary) => each.hostName ?? '-' }] : []),
      { title: 'INSTANCES', align: 'right', cell: (each) => String(each.instanceCount) },
      { title: 'JOBS', align: 'right', cell: (each) => String(each.jobCount) },
      { title: 'DISABLED', align: 'right', cell: (each) => String(each.disabledJobCount) },
      { title: 'PAUSED', align: 'right', cell: (each) => String(each.pausedJobCount) },
      { title: 'GONE', align: 'right', cell: (each) => String(each.crashedJobCount) },
    ],
    servers,
  )
}

function showJobs({ output }: Cli, jobs: readonly ServerJob[]): void {
  output.table(
    [
      { title: 'JOB', cell: ({ jobName }) => jobName },
      { title: 'STATUS', cell: ({ status }) => serverStateCell(status, output.style) },
      { title: 'INSTANCES', cell: ({ instances }) => instances.join(' ') || '-' },
    ],
    jobs,
  )
}
