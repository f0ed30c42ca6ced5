/** `elasticjob config`: the stored configuration of a job. */
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { addConfigEditCommand } from './config-edit.ts'
import { addConfigGetCommand } from './config-get.ts'
import { addConfigSetCommand } from './config-set.ts'

export function addConfigCommand(program: Command, cli: Cli): void {
  const config = program
    .command('config')
    .helpCommand(false)
    .summary('show and change the configuration of a running job')
    .description(
      'Shows and changes the configuration of a job in the registry. All instances apply a change without a restart.',
    )
  addConfigGetCommand(config, cli)
  addConfigSetCommand(config, cli)
  addConfigEditCommand(config, cli)
}
