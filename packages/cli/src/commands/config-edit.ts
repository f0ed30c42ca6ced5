/** `elasticjob config edit`: edits a configuration in an editor. */
import { isElasticJobError, type JobConfiguration } from '@elasticjob/core'
import { readStoredJob } from '@elasticjob/core/internal'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { differences } from '../config/changes.ts'
import { editText } from '../config/editor.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'
import { showUpdate } from './config-set.ts'

type EditFlags = RegistryFlags & JsonFlag

export function addConfigEditCommand(config: Command, cli: Cli): void {
  const command = config
    .command('edit')
    .summary('edit the configuration of a job in your editor')
    .description(
      'Opens the configuration of a job in $VISUAL or $EDITOR and stores the changed values.\n' +
        'An unreadable configuration is replaced as a whole. If the configuration was changed meanwhile, nothing is stored.',
    )
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: EditFlags) => edit(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob config edit sync-orders', ''],
    ['EDITOR="code --wait" elasticjob config edit sync-orders', ''],
  ])
}

async function edit(cli: Cli, jobName: string, flags: EditFlags): Promise<void> {
  // An editor may stay open for longer than a session lives, so there is no connection meanwhile.
  const { text, version } = await withOperations(cli, flags, (operations) =>
    operations.configurationText(jobName),
  )
  const edited = await editText(cli.terminal, jobName, text)
  try {
    const after = readStoredJob(edited.text, edited.path).configuration
    const before = readable(text, jobName)
    await withOperations(cli, flags, async (operations) => {
      const update =
        before === undefined
          ? await operations.replaceConfiguration(jobName, edited.text, { version })
          : await operations.updateConfiguration(jobName, differences(before, after), { version })
      showUpdate(cli, update, flags)
    })
  } catch (error) {
    cli.output.note(`Your text is saved in ${edited.path}`)
    throw error
  }
  await edited.discard()
}

/** Undefined for an unreadable stored text, which is replaced as a whole. */
function readable(text: string, jobName: string): JobConfiguration | undefined {
  try {
    return readStoredJob(text, jobName).configuration
  } catch (error) {
    if (isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')) return undefined
    throw error
  }
}
