/** `elasticjob config set`: some values of a configuration. */
import type { ConfigurationChange, ConfigurationUpdate } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, listOf, withExamples, withJson, withRegistry } from '../command-options.ts'
import { changesOf, readAssignments, valueText } from '../config/changes.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface SetFlags extends RegistryFlags, JsonFlag {
  readonly unset?: readonly string[]
}

export function addConfigSetCommand(config: Command, cli: Cli): void {
  const command = config
    .command('set')
    .summary('change some values of the configuration of a job')
    .description(
      'Changes some values and leaves the rest as it is, keys and comments of others included.\n' +
        'Values are checked first, all of them: none is changed if one cannot be.',
    )
    .argument('<job>', 'the name of the job')
    .argument('[changes...]', 'such as failover=true or props.retry.times=3')
    .option('--unset <keys>', 'take these out, such as timeZone', listOf(String))
    .action((jobName: string, changes: readonly string[], flags: SetFlags) =>
      set(cli, jobName, changes, flags),
    )
  withExamples(withJson(withRegistry(command)), [
    ["elasticjob config set sync-orders cron='0/5 * * * * ?' failover=true", ''],
    ['elasticjob config set sync-orders props.retry.times=3', 'one of the props'],
    ['elasticjob config set sync-orders --unset timeZone', 'the zone of each process again'],
  ])
}

async function set(
  cli: Cli,
  jobName: string,
  assignments: readonly string[],
  flags: SetFlags,
): Promise<void> {
  const wanted = readAssignments(assignments, flags.unset ?? [])
  await withOperations(cli, flags, async (operations) => {
    const { configuration, version } = await operations.configuration(jobName)
    const changes = changesOf(wanted, configuration)
    showUpdate(cli, await operations.updateConfiguration(jobName, changes, { version }), flags)
  })
}

export function showUpdate({ output }: Cli, update: ConfigurationUpdate, { json }: JsonFlag): void {
  if (json === true) output.json(update)
  else if (update.changes.length === 0) output.line('Nothing to change: it is so already.')
  else {
    output.table<ConfigurationChange>(
      [
        { title: 'KEY', cell: ({ key }) => key },
        { title: 'WAS', cell: ({ from }) => valueText(from) },
        { title: 'IS', cell: ({ to }) => valueText(to) },
      ],
      update.changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    )
  }
}
