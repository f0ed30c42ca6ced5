/** `elasticjob config get`: prints a configuration, or one value of it. */
import { maskConfiguration, maskYaml } from '@elasticjob/core/internal'
import type { StoredConfiguration } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { valueText } from '../config/changes.ts'
import { CommandError } from '../errors.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

interface GetFlags extends RegistryFlags, JsonFlag {
  readonly showSecrets?: true
}

export function addConfigGetCommand(config: Command, cli: Cli): void {
  const command = config
    .command('get')
    .summary('print the stored configuration of a job, or one value')
    .description(
      'Prints the configuration of a job exactly as it is stored, or one value of it.\n' +
        'Secrets are masked as ****** unless --show-secrets is set.',
    )
    .argument('<job>', 'the name of the job')
    .argument('[key]', 'for example cron or props.retry.times')
    .option('--show-secrets', 'print secrets unmasked')
    .action((jobName: string, key: string | undefined, flags: GetFlags) =>
      get(cli, jobName, key, flags),
    )
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob config get sync-orders', ''],
    ['elasticjob config get sync-orders cron', 'one value'],
    ['elasticjob config get sync-orders --json', 'with defaults filled in'],
  ])
}

async function get(
  cli: Cli,
  jobName: string,
  key: string | undefined,
  flags: GetFlags,
): Promise<void> {
  const output = flags.showSecrets === true ? cli.output.revealing() : cli.output
  await withOperations(cli, flags, async (operations) => {
    const stored = shown(await operations.configuration(jobName), flags)
    for (const { text } of stored.warnings) output.note(`${jobName}: ${text}`)
    if (key !== undefined) {
      const value = valueAt(stored, key)
      if (flags.json === true) output.json(value ?? null)
      else output.text(value === undefined ? '' : valueText(value))
    } else if (flags.json === true) {
      const { configuration, version, changed } = stored
      output.json({ configuration, version, changed })
    } else output.text(stored.text)
  })
}

/** Terminals are visible, recorded and pasted: secrets are printed only on request. */
function shown(stored: StoredConfiguration, { showSecrets }: GetFlags): StoredConfiguration {
  if (showSecrets === true) return stored
  return {
    ...stored,
    configuration: maskConfiguration(stored.configuration),
    text: maskYaml(stored.text),
  }
}

function valueAt({ configuration }: StoredConfiguration, key: string): unknown {
  if (key.startsWith('props.')) return configuration.props[key.slice('props.'.length)]
  if (Object.hasOwn(configuration, key)) return configuration[key as keyof typeof configuration]
  const known = Object.keys(configuration).join(', ')
  throw new CommandError(
    'CLI_NOT_FOUND',
    `a configuration has no key "${key}"; known keys: ${known}`,
  )
}
