/** `elasticjob repair`: resets unreadable nodes to values that cause no second run. */
import type { OperationResult } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { showResult } from '../operator-command.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface RepairFlags extends RegistryFlags, JsonFlag {
  readonly yes?: boolean
}

export function addRepairCommand(program: Command, cli: Cli): void {
  const command = program
    .command('repair')
    .summary('reset unreadable nodes of a broken job')
    .description(
      'Lists the unreadable nodes of a job, or of all jobs, and what a reset would lose.\n' +
        'Changes nothing without --yes. A reset never causes a second run: fire times until then are skipped.',
    )
    .argument('[job]', 'the name of the job (default: all jobs)')
    .option('-y, --yes', 'reset the nodes')
    .action((jobName: string | undefined, flags: RepairFlags) => repair(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob repair', 'preview all jobs'],
    ['elasticjob repair sync-orders --yes', 'repair one job'],
  ])
}

async function repair(cli: Cli, jobName: string | undefined, flags: RepairFlags): Promise<void> {
  await withOperations(cli, flags, async (operations) => {
    const dryRun = flags.yes !== true
    const result = await operations.repair(jobName, { dryRun })
    if (isEmpty(result) && flags.json !== true) {
      const whose = jobName === undefined ? 'every job' : `job ${jobName}`
      cli.output.note(`Nothing to repair: every node of ${whose} is readable.`)
      return
    }
    if (!isEmpty(result)) showResult(cli, result, flags, dryRun ? 'planned' : 'done')
    else cli.output.json(result)
    if (dryRun && result.done.length > 0) {
      cli.output.note('Nothing was changed. Add --yes to reset these nodes.')
    }
  })
}

function isEmpty({ done, skipped, failed }: OperationResult): boolean {
  return done.length + skipped.length + failed.length === 0
}
