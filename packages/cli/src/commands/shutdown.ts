/** `elasticjob shutdown`: instances leave a job. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { positiveNumber, withExamples } from '../command-options.ts'
import { departure } from '../departure.ts'
import { asOperatorCommand, type OperatorFlags, scopeWords } from '../operator-command.ts'

interface ShutdownFlags extends OperatorFlags {
  readonly wait?: number
}

export function addShutdownCommand(program: Command, cli: Cli): void {
  const command = program
    .command('shutdown')
    .summary('let instances leave a job until their processes are started again')
    .description(
      'Asks the instances of a job, or of a server, to leave: what runs may end, then they take no further part.\n' +
        'Their processes go on. They take part again when the processes are started again.',
    )
  asOperatorCommand<ShutdownFlags>(command, cli, {
    harm: async (_, scope) =>
      `All instances of ${scopeWords(scope)} will leave, and come back only when their processes are started again.`,
    deed: (operations, scope, { wait, json }) =>
      operations.shutdown(scope, departure(cli, { seconds: wait, isQuiet: json === true })),
  })
  command.option('--wait <seconds>', 'wait until they have left', positiveNumber)
  withExamples(command, [
    ['elasticjob shutdown sync-orders', 'all instances of the job'],
    ['elasticjob shutdown --server 10.0.0.1 --yes --wait 60', 'all jobs of a server, in a script'],
  ])
}
