/** `elasticjob resume`: the end of a pause. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { withExamples } from '../command-options.ts'
import { asOperatorCommand } from '../operator-command.ts'

export function addResumeCommand(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .summary('let a paused job fire again')
    .description('Lets a paused job fire again, from its next time on.')
  asOperatorCommand(command, cli, { deed: (operations, scope) => operations.resume(scope) })
  withExamples(command, [
    ['elasticjob resume sync-orders', 'on all servers'],
    ['elasticjob resume --server 10.0.0.1', 'all jobs of a server'],
  ])
}
