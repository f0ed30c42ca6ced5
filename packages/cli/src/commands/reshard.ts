/** `elasticjob reshard`: recomputes the shard assignment. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { showResult } from '../operator-command.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

type ReshardFlags = RegistryFlags & JsonFlag

export function addReshardCommand(program: Command, cli: Cli): void {
  const command = program
    .command('reshard')
    .summary('recompute the shard assignment of a job')
    .description(
      'Asks the leader of a job to recompute its shard assignment. The leader also does this by itself when needed.',
    )
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: ReshardFlags) =>
      withOperations(cli, flags, async (operations) => {
        showResult(cli, await operations.reshard(jobName), flags)
      }),
    )
  withExamples(withJson(withRegistry(command)), [['elasticjob reshard sync-orders', '']])
}
