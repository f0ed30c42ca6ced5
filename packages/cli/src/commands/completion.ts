/** `elasticjob completion`: scripts that teach a shell the commands. */
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
    .summary('print a script that completes commands, options and names of jobs')
    .description(
      'Prints a script that lets a shell complete commands, options and, where a registry is known, names of jobs.',
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
