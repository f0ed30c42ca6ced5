/** `elasticjob enable`: enables disabled servers and shards. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { wholeNumber, withExamples } from '../command-options.ts'
import { asOperatorCommand, type OperatorFlags } from '../operator-command.ts'
import { ofShard } from '../shard-scope.ts'

interface EnableFlags extends OperatorFlags {
  readonly shard?: number
}

export function addEnableCommand(program: Command, cli: Cli): void {
  const command = program
    .command('enable')
    .summary('enable a job on servers, or one shard')
    .description('Enables a job on all servers or on one, all jobs of a server, or one shard.')
  asOperatorCommand<EnableFlags>(command, cli, {
    check: (scope, { shard }) => {
      if (shard !== undefined) ofShard(scope)
    },
    action: (operations, scope, { shard }) =>
      shard === undefined
        ? operations.enable(scope)
        : operations.enableShard(ofShard(scope), shard),
  })
  command.option('--shard <number>', 'the shard to enable', wholeNumber)
  withExamples(command, [
    ['elasticjob enable sync-orders', 'on all servers'],
    ['elasticjob enable sync-orders --server 10.0.0.1', 'on one server'],
    ['elasticjob enable sync-orders --shard 3', 'one shard'],
  ])
}
