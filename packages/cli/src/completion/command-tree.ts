/** The commands as data, for completion scripts. */
import type { Argument, Command, Option } from 'commander'

export interface CommandNode {
  /** Without the program's name: `config set` has the path `['config', 'set']`. */
  readonly path: readonly string[]
  readonly summary: string
  readonly children: readonly CommandNode[]
  readonly options: readonly OptionNode[]
  readonly completes: Completes
}

interface OptionNode {
  /** `--json`, and its short form if it has one. */
  readonly names: readonly string[]
  readonly description: string
  readonly takesValue: boolean
}

/** The completion of an argument: job names, files, nothing, or fixed values. */
type Completes = 'jobs' | 'files' | 'nothing' | readonly string[]

export function commandTree(program: Command): CommandNode {
  return nodeOf(program, [])
}

function nodeOf(command: Command, path: readonly string[]): CommandNode {
  const help = command.createHelp()
  return {
    path,
    summary: command.summary() || command.description(),
    children: help.visibleCommands(command).map((child) => nodeOf(child, [...path, child.name()])),
    options: help.visibleOptions(command).map(optionOf),
    completes: completesOf(command.registeredArguments),
  }
}

function optionOf({ short, long, description, required, optional }: Option): OptionNode {
  return {
    names: [long, short].filter((name) => name !== undefined),
    description,
    takesValue: required || optional,
  }
}

function completesOf([first]: readonly Argument[]): Completes {
  if (first === undefined) return 'nothing'
  if (first.argChoices !== undefined) return first.argChoices
  if (first.name() === 'job') return 'jobs'
  return first.name() === 'file' ? 'files' : 'nothing'
}

/** The node itself and all below it. */
export function allNodes(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.children.flatMap(allNodes)]
}

/** How a shell asks for job names: with a short timeout, because a person waits at the prompt. */
export const askForJobs = 'jobs --quiet --timeout 2 2>/dev/null'
