import { allNodes, askForJobs, type CommandNode } from './command-tree.ts'

/** The script for fish: `elasticjob completion fish | source`. */
export function fishScript(root: CommandNode): string {
  return `# Completion of elasticjob for fish.
complete -c elasticjob -f
${allNodes(root).flatMap(linesOf).join('\n')}
`
}

function linesOf(node: CommandNode): string[] {
  const { children, options, completes } = node
  const when = `complete -c elasticjob -n ${quoted(condition(node))}`
  const lines = children.map(
    (child) => `${when} -a ${quoted(child.path.at(-1) ?? '')} -d ${quoted(child.summary)}`,
  )
  for (const { names, description, takesValue } of options) {
    const flags = names.map((name) =>
      name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    )
    lines.push(`${when} ${flags.join(' ')}${takesValue ? ' -r -F' : ''} -d ${quoted(description)}`)
  }
  if (completes === 'jobs') lines.push(`${when} -a ${quoted(`(elasticjob ${askForJobs})`)}`)
  else if (completes === 'files') lines.push(`${when} -F`)
  else if (completes !== 'nothing') lines.push(`${when} -a ${quoted(completes.join(' '))}`)
  return lines
}

/** True where the words so far are those of this command, and of none below it. */
function condition({ path, children }: CommandNode): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const below = children.map((child) => child.path.at(-1) ?? '').join(' ')
  const isLast = below === '' ? [] : [`not __fish_seen_subcommand_from ${below}`]
  return [...seen, ...isLast].join('; and ')
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
