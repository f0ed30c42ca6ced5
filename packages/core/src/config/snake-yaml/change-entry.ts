import { isCollection, isMap, type Node } from 'yaml'
import { YamlDocument } from './document.ts'
import { asLineFeeds } from './line-breaks.ts'
import { type Writable, writeEntry } from './write-mapping.ts'
import { writeKey } from './write-scalar.ts'
import { withoutBlankEnd, yamlTextOf } from './yaml-text.ts'

/** Sets one key of a YAML mapping, and leaves the rest of the text unchanged. */
export function changeEntry(text: string, key: string, value: Writable): string {
  const entry = writeEntry(key, value)
  const lined = oneEntryALine(text)
  const places = placesIn(lined)
  const last = places.findLast((place) => place.key === key)
  if (last === undefined) return inserted(lined, places, key, entry)
  // The comment stays after its value, unless it would become part of a multi-line text.
  const isOneLine = entry.indexOf('\n') === entry.length - 1
  const line = isOneLine
    ? `${entry.slice(0, -1)}${last.comment}\n`
    : aboveLine(last.comment) + entry
  const changed = lined.slice(0, last.start) + line + lined.slice(last.end)
  const earlier = places.filter((place) => place.key === key && place !== last)
  return earlier.toReversed().reduce(cut, changed)
}

/** Removes one key of a YAML mapping, and leaves the rest of the text unchanged. */
export function removeEntry(text: string, key: string): string {
  const lined = oneEntryALine(text)
  return placesIn(lined)
    .filter((place) => place.key === key)
    .toReversed()
    .reduce(cut, lined)
}

/** The lines of an entry. */
interface Place {
  readonly key: string
  readonly start: number
  readonly end: number
  /** The rest of the line after the value. */
  readonly comment: string
}

function placesIn(text: string): Place[] {
  const document = new YamlDocument(text)
  if (!isMap(document.root)) return []
  const lines = asLineFeeds(text)
  return document.root.items.map(({ key, value }) => {
    const keyNode = key as Node
    const start = startOf(keyNode)
    const valueEnd = (value as Node | null)?.range?.[1] ?? keyNode.range?.[1] ?? start
    const contentEnd = start + withoutBlankEnd(lines.slice(start, valueEnd)).length
    const lineEnd = lines.indexOf('\n', contentEnd)
    const rest = text.slice(contentEnd, lineEnd === -1 ? text.length : lineEnd)
    const comment = rest.includes('#') ? rest : ''
    // Empty lines after the entry could become part of a text that ends in empty lines.
    const end = lineEnd === -1 ? text.length : lineEnd + emptyLines(lines.slice(lineEnd))
    return { key: String((keyNode as { source?: string }).source), start, end, comment }
  })
}

function emptyLines(text: string): number {
  return /^(?:[ \t\r]*\n)+/.exec(text)?.[0].length ?? 0
}

function aboveLine(comment: string): string {
  return comment === '' ? '' : `${comment.trimStart()}\n`
}

function cut(text: string, { start, end }: Place): string {
  return text.slice(0, start) + text.slice(end)
}

/** A new key is inserted where Java would write it: keys are in alphabetical order. */
function inserted(text: string, places: readonly Place[], key: string, entry: string): string {
  const before = places.findLast((place) => place.key < key)
  const at = before?.end ?? places[0]?.start ?? text.length
  const head = text.slice(0, at)
  const isLine = head === '' || asLineFeeds(head).endsWith('\n')
  return (isLine ? head : `${head}\n`) + entry + text.slice(at)
}

/**
 * Puts each entry of the mapping on its own lines, as Java writes it. A mapping in braces, or with keys after question
 * marks, is rewritten in that form.
 */
function oneEntryALine(text: string): string {
  const document = new YamlDocument(text)
  const { root } = document
  if (!isMap(root)) return text
  const isLined = root.items.every(({ key }) => {
    const start = startOf(key as Node)
    return start === 0 || asLineFeeds(text[start - 1] ?? '') === '\n'
  })
  if (isLined && root.flow !== true) return text
  const entries = document.entriesOf(root).map(({ key, value }) => {
    if (value === undefined) return `${writeKey(key)}:\n`
    const isBlock = isCollection(value) && value.flow !== true
    const lines = yamlTextOf(document, value).split('\n').join('\n  ')
    return `${writeKey(key)}:${isBlock && !hasProperties(value) ? '\n  ' : ' '}${lines}\n`
  })
  return entries.join('')
}

function hasProperties(node: Node & { anchor?: string; tag?: string }): boolean {
  return node.anchor !== undefined || node.tag !== undefined
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}
