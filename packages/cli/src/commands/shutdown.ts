/** `elasticjob shutdown`: makes instances leave a job. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { positiveNumber, withExamples } from '../command-options.ts'
import { departure } from '../departure.ts'
import { asOperatorCommand, type OperatorFlags, scopeText } from '../operator-command.ts'

interface ShutdownFlags extends OperatorFlags {
  readonly wait?: number
}

export function addShutdownCommand(program: Command, cli: Cli): void {
  const command = program
    .command('shutdown')
    .summary('make instances leave a job until their processes restart')
    .description(
      'Asks the instances of a job, or of a server, to leave: active runs end first.\n' +
        'Their processes keep running. The instances join again when the processes restart.',
    )
  asOperatorCommand<ShutdownFlags>(command, cli, {
    harm: async (_, scope) =>
      `All instances of ${scopeText(scope)} will leave, and join again only when their processes restart.`,
    action: (operations, scope, { wait, json }) =>
      operations.shutdown(scope, departure(cli, { seconds: wait, isSynced: json === true })),
  })
  command.option('--wait <seconds>', 'wait until they have left, at most this long', positiveNumber)
  withExamples(command, [
    ['elasticjob shutdown sync-orders', 'all instances of the job'],
    ['elasticjob shutdown --server 10.0.0.1 --yes --wait 60', 'all jobs of a server, in a script'],
  ])
}
