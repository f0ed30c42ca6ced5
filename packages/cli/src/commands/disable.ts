/** `elasticjob disable`: disables servers and shards until they are enabled. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { wholeNumber, withExamples } from '../command-options.ts'
import { asOperatorCommand, type OperatorFlags } from '../operator-command.ts'
import { ofShard } from '../shard-scope.ts'

interface DisableFlags extends OperatorFlags {
  readonly shard?: number
}

export function addDisableCommand(program: Command, cli: Cli): void {
  const command = program
    .command('disable')
    .summary('disable a job on servers, or one shard')
    .description(
      'Disables a job on all servers or on one, all jobs of a server, or one shard, until they are enabled again.\n' +
        'Active runs continue. The shards of a disabled server move to other servers; a disabled shard does not run.',
    )
  asOperatorCommand<DisableFlags>(command, cli, {
    check: (scope, { shard }) => {
      if (shard !== undefined) ofShard(scope)
    },
    action: (operations, scope, { shard }) =>
      shard === undefined
        ? operations.disable(scope)
        : operations.disableShard(ofShard(scope), shard),
  })
  command.option('--shard <number>', 'the shard to disable', wholeNumber)
  withExamples(command, [
    ['elasticjob disable sync-orders', 'on all servers: the job does not run'],
    ['elasticjob disable --server 10.0.0.1', 'all jobs of a server: its shards move to others'],
    ['elasticjob disable sync-orders --shard 3', 'one shard'],
  ])
}
