/** `elasticjob config edit`: a configuration in an editor. */
import { readStoredJob } from '@elasticjob/core'
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
    .summary('change the configuration of a job in your editor')
    .description(
      'Opens the configuration of a job in $VISUAL or $EDITOR, and stores the values that are others afterwards.\n' +
        'If somebody else has changed it meanwhile, nothing is stored.',
    )
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: EditFlags) => edit(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob config edit sync-orders', ''],
    ['EDITOR="code --wait" elasticjob config edit sync-orders', ''],
  ])
}

async function edit(cli: Cli, jobName: string, flags: EditFlags): Promise<void> {
  // An editor may stay open for longer than a session lives: nothing is connected meanwhile.
  const { text, configuration, version } = await withOperations(cli, flags, (operations) =>
    operations.configuration(jobName),
  )
  const edited = await editText(cli.terminal, jobName, text)
  try {
    const changes = differences(
      configuration,
      readStoredJob(edited.text, edited.path).configuration,
    )
    await withOperations(cli, flags, async (operations) => {
      showUpdate(cli, await operations.updateConfiguration(jobName, changes, { version }), flags)
    })
  } catch (error) {
    cli.output.note(`What you wrote is kept in ${edited.path}`)
    throw error
  }
  await edited.discard()
}
