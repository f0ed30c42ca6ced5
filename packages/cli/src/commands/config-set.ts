/** `elasticjob config set`: changes values of a configuration. */
import { maskConfiguration, maskTree, restoreSecrets } from '@elasticjob/core/internal'
import type { ConfigurationChange, ConfigurationUpdate } from '@elasticjob/core/operations'
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
    .summary('change values in the configuration of a job')
    .description(
      'Changes the given values and keeps everything else, including unknown keys and comments.\n' +
        'All values are validated first: if one is invalid, nothing is changed.',
    )
    .argument('<job>', 'the name of the job')
    .argument('[changes...]', 'for example failover=true or props.retry.times=3')
    .option('--unset <keys>', 'remove these keys, for example timeZone', listOf(String))
    .action((jobName: string, changes: readonly string[], flags: SetFlags) =>
      set(cli, jobName, changes, flags),
    )
  withExamples(withJson(withRegistry(command)), [
    ["elasticjob config set sync-orders cron='0/5 * * * * ?' failover=true", ''],
    ['elasticjob config set sync-orders props.retry.times=3', 'set one of the props'],
    ['elasticjob config set sync-orders --unset timeZone', 'use the zone of each process again'],
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
    const changes = restoreSecrets(changesOf(wanted, configuration), configuration)
    showUpdate(cli, await operations.updateConfiguration(jobName, changes, { version }), flags)
  })
}

export function showUpdate(
  { output }: Cli,
  { changes, configuration, ...rest }: ConfigurationUpdate,
  { json }: JsonFlag,
): void {
  const update: ConfigurationUpdate = {
    ...rest,
    configuration: maskConfiguration(configuration),
    changes: changes.map((change) => ({
      ...change,
      from: maskTree(change.from),
      to: maskTree(change.to),
    })),
  }
  if (json === true) output.json(update)
  else if (update.changes.length === 0)
    output.line('Nothing to change: the configuration already has these values.')
  else {
    output.table<ConfigurationChange>(
      [
        { title: 'KEY', cell: ({ key }) => key },
        { title: 'OLD', cell: ({ from }) => valueText(from) },
        { title: 'NEW', cell: ({ to }) => valueText(to) },
      ],
      update.changes.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    )
  }
}
