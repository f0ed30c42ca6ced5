/** `elasticjob stop`: aborts an active run. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import {
  type JsonFlag,
  wholeNumber,
  withExamples,
  withJson,
  withRegistry,
  withYes,
  type YesFlag,
} from '../command-options.ts'
import { confirmed } from '../confirm.ts'
import { showResult } from '../operator-command.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface StopFlags extends RegistryFlags, JsonFlag, YesFlag {
  readonly shard: number
}

export function addStopCommand(program: Command, cli: Cli): void {
  const command = program
    .command('stop')
    .summary('abort the active run of a shard')
    .description(
      'Aborts the signal of the active run of a shard. The shard runs again at its next fire time.',
    )
    .argument('<job>', 'the name of the job')
    .requiredOption('--shard <number>', 'the shard whose run to abort', wholeNumber)
    .action((jobName: string, flags: StopFlags) =>
      withOperations(cli, flags, async (operations) => {
        const { shard } = flags
        const question = `The active run of shard ${shard} of job '${jobName}' will be aborted.`
        await confirmed(cli.terminal, question, flags)
        showResult(cli, await operations.stopRun(jobName, shard), flags)
      }),
    )
  withExamples(withJson(withRegistry(withYes(command))), [
    ['elasticjob stop sync-orders --shard 3', ''],
    ['elasticjob stop sync-orders --shard 3 --yes', 'in a script'],
  ])
}
