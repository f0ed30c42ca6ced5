/** `elasticjob resume`: resumes a paused schedule. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { withExamples } from '../command-options.ts'
import { asOperatorCommand } from '../operator-command.ts'

export function addResumeCommand(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .summary('resume the schedule of a paused job')
    .description('Resumes the schedule of a paused job, from its next fire time on.')
  asOperatorCommand(command, cli, { action: (operations, scope) => operations.resume(scope) })
  withExamples(command, [
    ['elasticjob resume sync-orders', 'on all servers'],
    ['elasticjob resume --server 10.0.0.1', 'all jobs of a server'],
  ])
}
