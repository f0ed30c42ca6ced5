/** `elasticjob remove`: deletes a job, or a server of it. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { positiveNumber, withExamples } from '../command-options.ts'
import { departure } from '../departure.ts'
import { count } from '../output/count.ts'
import { asOperatorCommand, type OperatorFlags, scopeText } from '../operator-command.ts'

interface RemoveFlags extends OperatorFlags {
  readonly wait?: number
}

export function addRemoveCommand(program: Command, cli: Cli): void {
  const command = program
    .command('remove')
    .summary('delete a job with all its data, or a server that is gone')
    .description(
      'Deletes a job: its instances leave, then its configuration, states and offsets are deleted.\n' +
        'With --server, deletes the data of a server.',
    )
  asOperatorCommand<RemoveFlags>(command, cli, {
    harm: async (operations, scope) => {
      if (scope.job === undefined || scope.server !== undefined) {
        return `The registry's data of ${scopeText(scope)} will be deleted, including whether it is enabled.`
      }
      const { instanceCount, shardingTotalCount } = await operations.job(scope.job)
      return (
        `Job '${scope.job}', with ${count(shardingTotalCount, 'shard')} and ${count(instanceCount, 'instance')}, will be deleted: ` +
        'its configuration, states and offsets. This cannot be undone.'
      )
    },
    action: (operations, scope, { wait, json }) =>
      operations.remove(scope, departure(cli, { seconds: wait, isSynced: json === true })),
  })
  command.option(
    '--wait <seconds>',
    'how long to wait until its instances have left',
    positiveNumber,
  )
  withExamples(command, [
    ['elasticjob remove sync-orders', 'asks first'],
    ['elasticjob remove sync-orders --yes', 'in a script'],
    ['elasticjob remove --server 10.0.0.9', 'a server that is gone for good'],
  ])
}
