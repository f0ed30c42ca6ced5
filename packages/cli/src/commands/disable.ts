/** `elasticjob disable`: servers and items take no part until they are enabled. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { wholeNumber, withExamples } from '../command-options.ts'
import { asOperatorCommand, type OperatorFlags } from '../operator-command.ts'
import { ofItem } from '../item-scope.ts'

interface DisableFlags extends OperatorFlags {
  readonly item?: number
}

export function addDisableCommand(program: Command, cli: Cli): void {
  const command = program
    .command('disable')
    .summary('keep servers, or an item, from running a job')
    .description(
      'Keeps the servers of a job, a server in all its jobs, or an item from running, until they are enabled.\n' +
        'What runs goes on. The items of a disabled server go to the others; a disabled item runs nowhere.',
    )
  asOperatorCommand<DisableFlags>(command, cli, {
    check: (scope, { item }) => {
      if (item !== undefined) ofItem(scope)
    },
    deed: (operations, scope, { item }) =>
      item === undefined ? operations.disable(scope) : operations.disableShard(ofItem(scope), item),
  })
  command.option('--item <number>', 'one item of the job', wholeNumber)
  withExamples(command, [
    ['elasticjob disable sync-orders', 'on all servers: it runs nowhere'],
    ['elasticjob disable --server 10.0.0.1', 'all jobs of a server: others take its items'],
    ['elasticjob disable sync-orders --item 3', 'one item, wherever it is'],
  ])
}
