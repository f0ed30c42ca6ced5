/** `elasticjob completion`: completion scripts for shells. */
import { Argument, type Command } from 'commander'

import type { Cli } from '../cli.ts'
import { withExamples } from '../command-options.ts'
import { bashScript } from '../completion/bash.ts'
import { commandTree } from '../completion/command-tree.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'

const scripts = Object.freeze({ bash: bashScript, zsh: zshScript, fish: fishScript })

export function addCompletionCommand(program: Command, { terminal }: Cli): void {
  const command = program
    .command('completion')
    .summary('print a completion script for a shell')
    .description(
      'Prints a script that completes commands, options and, if a registry is configured, job names.',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      terminal.stdout.write(scripts[shell](commandTree(program)))
    })
  withExamples(command, [
    ['source <(elasticjob completion bash)', 'in ~/.bashrc'],
    ['source <(elasticjob completion zsh)', 'in ~/.zshrc, after compinit'],
    ['elasticjob completion fish | source', 'in ~/.config/fish/config.fish'],
  ])
}
