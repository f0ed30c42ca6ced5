/** `elasticjob enable`: servers and items take part again. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { wholeNumber, withExamples } from '../command-options.ts'
import { asOperatorCommand, type OperatorFlags } from '../operator-command.ts'
import { ofItem } from '../item-scope.ts'

interface EnableFlags extends OperatorFlags {
  readonly item?: number
}

export function addEnableCommand(program: Command, cli: Cli): void {
  const command = program
    .command('enable')
    .summary('let disabled servers, or a disabled item, take part again')
    .description('Lets the servers of a job, a server in all its jobs, or an item take part again.')
  asOperatorCommand<EnableFlags>(command, cli, {
    check: (scope, { item }) => {
      if (item !== undefined) ofItem(scope)
    },
    deed: (operations, scope, { item }) =>
      item === undefined ? operations.enable(scope) : operations.enableShard(ofItem(scope), item),
  })
  command.option('--item <number>', 'one item of the job', wholeNumber)
  withExamples(command, [
    ['elasticjob enable sync-orders', 'on all servers'],
    ['elasticjob enable sync-orders --server 10.0.0.1', 'on one of them'],
    ['elasticjob enable sync-orders --item 3', 'one item, wherever it is'],
  ])
}
