import { isCollection, type Node } from 'yaml'
import type { YamlDocument } from './document.ts'

/** The written text of a node, including its tag, without indentation. */
export function yamlTextOf({ text }: YamlDocument, node: Node): string {
  const [start = 0, end = 0] = node.range ?? []
  const lines = withoutBlankEnd(text.slice(start, end)).split('\n')
  const isBlock = isCollection(node) && node.flow !== true
  const margin = isBlock ? start - (text.lastIndexOf('\n', start - 1) + 1) : leastIndent(lines)
  const body = lines.map((line, index) =>
    index === 0 ? line : line.slice(Math.min(margin, indentOf(line))),
  )
  const names = [anchorOf(node), tagOf(node)].filter((name) => name !== undefined)
  if (names.length === 0) return body.join('\n')
  return `${names.join(' ')}${isBlock ? '\n' : ' '}${body.join('\n')}`
}

/** Removes spaces and line breaks at the end, but only those of ASCII: others may belong to the text. */
export function withoutBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}

function leastIndent([, ...lines]: readonly string[]): number {
  return Math.min(...lines.filter((line) => /[^ \t\r]/.test(line)).map(indentOf))
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/)
}

function anchorOf(node: Node): string | undefined {
  const anchor = 'anchor' in node ? node.anchor : undefined
  return anchor === undefined ? undefined : `&${anchor}`
}

const standard = 'tag:yaml.org,2002:'

function tagOf({ tag }: Node & { tag?: string }): string | undefined {
  if (tag === undefined || tag.startsWith('!')) return tag
  return tag.startsWith(standard) ? `!!${tag.slice(standard.length)}` : `!<${tag}>`
}
