/** `elasticjob pause`: no fires by the clock until it is resumed. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { withExamples } from '../command-options.ts'
import { asOperatorCommand } from '../operator-command.ts'

export function addPauseCommand(program: Command, cli: Cli): void {
  const command = program
    .command('pause')
    .summary('let a job not fire by its schedule; triggers still run it')
    .description(
      'Keeps a job from firing by its schedule until it is resumed, also after restarts.\n' +
        'What runs goes on, and a trigger still runs it.',
    )
  asOperatorCommand(command, cli, { deed: (operations, scope) => operations.pause(scope) })
  withExamples(command, [
    ['elasticjob pause sync-orders', 'on all servers'],
    ['elasticjob pause sync-orders --server 10.0.0.1', 'on one of them'],
    ['elasticjob pause --server 10.0.0.1', 'all jobs of a server'],
  ])
}
