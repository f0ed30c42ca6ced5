/** `elasticjob remove`: a job, or a server of it, is forgotten. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { positiveNumber, withExamples } from '../command-options.ts'
import { departure } from '../departure.ts'
import { count } from '../output/count.ts'
import { asOperatorCommand, type OperatorFlags, scopeWords } from '../operator-command.ts'

interface RemoveFlags extends OperatorFlags {
  readonly wait?: number
}

export function addRemoveCommand(program: Command, cli: Cli): void {
  const command = program
    .command('remove')
    .summary('remove a job with all that is known of it, or a server that is gone')
    .description(
      'Removes a job: its instances leave, then its configuration, its states and its offsets are deleted.\n' +
        'With --server, what the registry keeps of a server.',
    )
  asOperatorCommand<RemoveFlags>(command, cli, {
    harm: async (operations, scope) => {
      if (scope.job === undefined || scope.server !== undefined) {
        return `What is known of ${scopeWords(scope)} will be deleted, whether it is enabled or not included.`
      }
      const { instanceCount, shardingTotalCount } = await operations.job(scope.job)
      return (
        `Job ${scope.job}, with ${count(shardingTotalCount, 'item')} and ${count(instanceCount, 'instance')}, will be deleted: ` +
        'its configuration, its states and its offsets. There is no way back.'
      )
    },
    deed: (operations, scope, { wait, json }) =>
      operations.remove(scope, departure(cli, { seconds: wait, isQuiet: json === true })),
  })
  command.option('--wait <seconds>', 'how long to wait for instances to leave', positiveNumber)
  withExamples(command, [
    ['elasticjob remove sync-orders', 'asks first'],
    ['elasticjob remove sync-orders --yes', 'in a script'],
    ['elasticjob remove --server 10.0.0.9', 'a server that will not come back'],
  ])
}
