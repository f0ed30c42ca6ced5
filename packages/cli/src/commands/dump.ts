/** `elasticjob dump`: prints the nodes of a job, for a report. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface DumpFlags extends RegistryFlags, JsonFlag {
  readonly mask: boolean
}

export function addDumpCommand(program: Command, cli: Cli): void {
  const command = program
    .command('dump')
    .summary('print all nodes of a job, with masked addresses, for a report')
    .description(
      'Prints every node of a job, or of all jobs, with its data, for a problem report.\n' +
        'Addresses are replaced consistently unless --no-mask is set.',
    )
    .argument('[job]', 'the name of the job (default: all jobs)')
    .option('--no-mask', 'print addresses unmasked')
    .action((job: string | undefined, flags: DumpFlags) => dump(cli, job, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob dump sync-orders > sync-orders.txt', 'for a report'],
    ['elasticjob dump sync-orders --no-mask | less', 'with the real addresses'],
  ])
}

async function dump(cli: Cli, job: string | undefined, flags: DumpFlags): Promise<void> {
  const { output } = cli
  await withOperations(cli, flags, async (operations) => {
    const names = job === undefined ? await operations.jobNames() : [job]
    const texts: Record<string, string> = {}
    for (const name of names) texts[name] = await operations.dump(name, { mask: flags.mask })
    if (flags.json === true) output.json(texts)
    else for (const text of Object.values(texts)) output.text(text)
  })
}
