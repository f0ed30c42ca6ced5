/** `elasticjob stop`: the end of a run that is under way. */
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
  readonly item: number
}

export function addStopCommand(program: Command, cli: Cli): void {
  const command = program
    .command('stop')
    .summary('end the present run of an item')
    .description(
      'Asks the present run of an item to end: its signal is aborted. The item runs again at its next time.',
    )
    .argument('<job>', 'the name of the job')
    .requiredOption('--item <number>', 'the item whose run is to end', wholeNumber)
    .action((jobName: string, flags: StopFlags) =>
      withOperations(cli, flags, async (operations) => {
        const { item } = flags
        const question = `The present run of item ${item} of job ${jobName} will be aborted.`
        await confirmed(cli.terminal, question, flags)
        showResult(cli, await operations.stopRun(jobName, item), flags)
      }),
    )
  withExamples(withJson(withRegistry(withYes(command))), [
    ['elasticjob stop sync-orders --item 3', ''],
    ['elasticjob stop sync-orders --item 3 --yes', 'in a script'],
  ])
}
