/** All commands as one program. */
import { readFileSync } from 'node:fs'

import { Command } from 'commander'

import type { Cli } from './cli.ts'
import type { Clock } from '@elasticjob/core'
import { addCompletionCommand } from './commands/completion.ts'
import { addCronCommand } from './commands/cron.ts'
import { addRunCommand } from './commands/run.ts'
import { addConfigCommand } from './commands/config.ts'
import { addConsoleCommand } from './commands/console.ts'
import { addDevCommand } from './commands/dev.ts'
import { addDisableCommand } from './commands/disable.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addDumpCommand } from './commands/dump.ts'
import { addEnableCommand } from './commands/enable.ts'
import { addHistoryCommand } from './commands/history.ts'
import { addImportCommand } from './commands/import.ts'
import { addJobCommand } from './commands/job.ts'
import { addJobsCommand } from './commands/jobs.ts'
import { addLogsCommand } from './commands/logs.ts'
import { addPauseCommand } from './commands/pause.ts'
import { addRemoveCommand } from './commands/remove.ts'
import { addRepairCommand } from './commands/repair.ts'
import { addReshardCommand } from './commands/reshard.ts'
import { addResumeCommand } from './commands/resume.ts'
import { addServersCommand } from './commands/servers.ts'
import { addShardsCommand } from './commands/shards.ts'
import { addShutdownCommand } from './commands/shutdown.ts'
import { addStopCommand } from './commands/stop.ts'
import { addTopCommand } from './commands/top.ts'
import { addTriggerCommand } from './commands/trigger.ts'
import { addZooKeeperCommand } from './commands/zookeeper.ts'
import { exitCodes } from './exit-codes.ts'
import { exitCodeOf, failureText } from './failure.ts'
import { Output } from './output/output.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command line; returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  clock: Clock,
): Promise<number> {
  const output = new Output(terminal)
  const program = createProgram({ terminal, output, clock })
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    const exitCode = exitCodeOf(error)
    if (exitCode !== exitCodes.ok) {
      const json = args.includes('--json')
      const help = `${commandNamed(program, args)} --help`
      terminal.stderr.write(failureText(error, { json, style: output.style, help }))
    }
    return exitCode
  }
}

/** The command at the start of the arguments: `elasticjob config set`. */
function commandNamed(program: Command, args: readonly string[]): string {
  const [word, ...rest] = args
  const command = program.commands.find((each) =>
    [each.name(), ...each.aliases()].includes(word ?? ''),
  )
  if (command === undefined) return program.name()
  return `${program.name()} ${commandNamed(command, rest)}`
}

function createProgram(cli: Cli): Command {
  const { terminal, output } = cli
  const program = new Command('elasticjob')
    .description('Develop, run, watch and operate distributed jobs.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, for a command with examples')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // Invalid arguments are reported in one place, for people and for programs.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(terminal.columns, 100),
      getOutHasColors: () => terminal.hasColors,
    })
    .configureHelp({ styleTitle: output.style.title, styleCommandText: output.style.accent })
    .exitOverride()
    .showSuggestionAfterError()

  program.commandsGroup('Develop and run:')
  addDevCommand(program, cli)
  addZooKeeperCommand(program, cli)
  addRunCommand(program, cli)
  addConsoleCommand(program, cli)
  program.commandsGroup('Look:')
  addJobsCommand(program, cli)
  addJobCommand(program, cli)
  addShardsCommand(program, cli)
  addServersCommand(program, cli)
  addTopCommand(program, cli)
  addHistoryCommand(program, cli)
  addLogsCommand(program, cli)
  addDoctorCommand(program, cli)
  addDumpCommand(program, cli)
  program.commandsGroup('Operate:')
  addTriggerCommand(program, cli)
  addPauseCommand(program, cli)
  addResumeCommand(program, cli)
  addEnableCommand(program, cli)
  addDisableCommand(program, cli)
  addStopCommand(program, cli)
  addReshardCommand(program, cli)
  addRepairCommand(program, cli)
  addConfigCommand(program, cli)
  addImportCommand(program, cli)
  addShutdownCommand(program, cli)
  addRemoveCommand(program, cli)
  program.commandsGroup('Tools:')
  addCronCommand(program, cli)
  addCompletionCommand(program, cli)
  return program
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
