import { allNodes, askForJobs, type CommandNode } from './command-tree.ts'

/**
 * The script for zsh: a file `_elasticjob` in a folder of `$fpath`, or `source <(elasticjob completion zsh)`.
 */
export function zshScript(root: CommandNode): string {
  const nodes = allNodes(root)
  return `#compdef elasticjob
# Completion of elasticjob for zsh.
_elasticjob() {
  local command= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command:+$command }$word" in
      ${nodes
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => quoted(path.join(' ')))
        .join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  local -a entries
  case "$command" in
${nodes.map(caseOf).join('\n')}
  esac
}
if [ "$funcstack[1]" = _elasticjob ]; then _elasticjob; else compdef _elasticjob elasticjob; fi
`
}

function caseOf({ path, children, options, completes }: CommandNode): string {
  const flags = options.flatMap(({ names, description }) =>
    names.map((name) => entry(name, description)),
  )
  const commands = children.map((child) => entry(child.path.at(-1) ?? '', child.summary))
  const words = typeof completes === 'object' ? completes.map((word) => entry(word, '')) : commands
  const argument =
    completes === 'jobs'
      ? `entries=("\${(@f)$("\${words[1]}" ${askForJobs})}"); compadd -a entries`
      : completes === 'files'
        ? '_files'
        : words.length > 0
          ? `entries=(${words.join(' ')}); _describe elasticjob entries`
          : '_default'
  return `    ${quoted(path.join(' '))})
      if [[ $PREFIX == -* ]]; then entries=(${flags.join(' ')}); _describe option entries
      else ${argument}
      fi ;;`
}

/** A word and its description, in the format of \`_describe\`. */
function entry(word: string, description: string): string {
  return quoted(description === '' ? word : `${word}:${description.replaceAll(':', '\\:')}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
