import { allNodes, askForJobs, type CommandNode } from './command-tree.ts'

/** The script for bash: `source <(elasticjob completion bash)`. */
export function bashScript(root: CommandNode): string {
  const nodes = allNodes(root)
  const known = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`)
  return `# Completion of elasticjob for bash.
_elasticjob() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  local words=
  case "$command" in
${nodes.map(caseOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _elasticjob elasticjob
`
}

function caseOf({ path, children, options, completes }: CommandNode): string {
  const names = options.flatMap(({ names: all }) => all).join(' ')
  const words = children.map((child) => child.path.at(-1) ?? '').join(' ')
  const more = typeof completes === 'object' ? completes.join(' ') : words
  const lines = [`    '${path.join(' ')}')`]
  lines.push(`      if [[ $current == -* ]]; then words='${names}'`)
  if (completes === 'jobs') lines.push(`      else words=$("\${COMP_WORDS[0]}" ${askForJobs})`)
  else lines.push(`      else words='${more}'`)
  return [...lines, '      fi ;;'].join('\n')
}
