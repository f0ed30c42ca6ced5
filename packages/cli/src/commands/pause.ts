/** `elasticjob pause`: pauses a schedule until it is resumed. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { withExamples } from '../command-options.ts'
import { asOperatorCommand } from '../operator-command.ts'

export function addPauseCommand(program: Command, cli: Cli): void {
  const command = program
    .command('pause')
    .summary("pause a job's schedule (manual triggers still run)")
    .description(
      'Pauses the schedule of a job until it is resumed, even across restarts.\n' +
        'Active runs continue, and manual triggers still run the job.',
    )
  asOperatorCommand(command, cli, { action: (operations, scope) => operations.pause(scope) })
  withExamples(command, [
    ['elasticjob pause sync-orders', 'on all servers'],
    ['elasticjob pause sync-orders --server 10.0.0.1', 'on one server'],
    ['elasticjob pause --server 10.0.0.1', 'all jobs of a server'],
  ])
}
