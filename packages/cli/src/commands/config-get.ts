/** `elasticjob config get`: a configuration, or one value of it. */
import type { StoredConfiguration } from '@elasticjob/core'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { valueText } from '../config/changes.ts'
import { CommandError } from '../errors.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

type GetFlags = RegistryFlags & JsonFlag

export function addConfigGetCommand(config: Command, cli: Cli): void {
  const command = config
    .command('get')
    .summary('print the configuration of a job as it is stored, or one value of it')
    .description(
      'Prints the configuration of a job, to the letter as it is stored, or one value of it.',
    )
    .argument('<job>', 'the name of the job')
    .argument('[key]', 'such as cron, or props.retry.times')
    .action((jobName: string, key: string | undefined, flags: GetFlags) =>
      get(cli, jobName, key, flags),
    )
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob config get sync-orders', ''],
    ['elasticjob config get sync-orders cron', 'one value'],
    ['elasticjob config get sync-orders --json', 'with what is not stored filled in'],
  ])
}

async function get(
  cli: Cli,
  jobName: string,
  key: string | undefined,
  flags: GetFlags,
): Promise<void> {
  const { output } = cli
  await withOperations(cli, flags, async (operations) => {
    const stored = await operations.configuration(jobName)
    for (const { text } of stored.warnings) output.note(`${jobName}: ${text}`)
    if (key !== undefined) {
      const value = valueAt(stored, key)
      if (flags.json === true) output.json(value ?? null)
      else output.line(value === undefined ? '' : valueText(value))
    } else if (flags.json === true) {
      const { configuration, version, changed } = stored
      output.json({ configuration, version, changed })
    } else output.text(stored.text)
  })
}

function valueAt({ configuration }: StoredConfiguration, key: string): unknown {
  if (key.startsWith('props.')) return configuration.props[key.slice('props.'.length)]
  if (Object.hasOwn(configuration, key)) return configuration[key as keyof typeof configuration]
  const known = Object.keys(configuration).join(', ')
  throw new CommandError('CLI_NOT_FOUND', `a configuration has no key "${key}"; it has ${known}`)
}
