import { isPrintable, styleOf } from './scalar-style.ts'

/** Lines longer than this are folded at the next space. */
const bestWidth = 80

/** The position of a text: its start column, and the indentation of its further lines. */
interface Place {
  readonly column: number
  readonly indent: number
}

/** A text as SnakeYAML writes it after `key:` or `-`, including the space before it. */
export function writeScalar(text: string, place: Place): string {
  switch (styleOf(text)) {
    case 'plain':
      return ` ${folded(text, { ...place, column: place.column + 1 })}`
    case 'single':
      return ` '${folded(text.replaceAll("'", "''"), { ...place, column: place.column + 2 })}'`
    case 'double':
      return ` "${doubleQuoted(text, { ...place, column: place.column + 2 })}"`
    case 'literal':
      return ` ${literal(text, place.indent)}`
  }
}

/** A text of one line as the key of a mapping: never folded. */
export function writeKey(text: string): string {
  return writeScalar(text, { column: -Infinity, indent: 0 }).slice(1)
}

/** Breaks the line at a single space once it is too long. A reader joins the lines again. */
function folded(text: string, { column, indent }: Place): string {
  let result = ''
  let at = column
  for (const [word, isFirst, isLast] of wordsAndSpaces(text)) {
    if (word === ' ' && at > bestWidth && !isFirst && !isLast) {
      result += newLine(indent)
      at = indent
    } else {
      result += word
      at += word.length
    }
  }
  return result
}

function* wordsAndSpaces(text: string): Generator<[string, boolean, boolean]> {
  for (const match of text.matchAll(/ +|[^ ]+/g)) {
    const [word] = match
    yield [word, match.index === 0, match.index + word.length === text.length]
  }
}

/**
 * Escapes characters that need it, and breaks long lines with a backslash: before a space, or next to an escape. A line
 * that starts with a space keeps it only after another backslash.
 */
function doubleQuoted(text: string, { column, indent }: Place): string {
  const characters = Array.from(text)
  let result = ''
  let at = column
  let afterEscape = false
  for (const [index, character] of characters.entries()) {
    // SnakeYAML counts code units: a first character of two units does not count as the first.
    const isInside = (index > 0 || character.length > 1) && index < characters.length - 1
    const isEscape = !/^[ !#-[\]-~]$/.test(character)
    if (isInside && at > bestWidth && (character === ' ' || (afterEscape && !isEscape))) {
      result += lineEnd(indent, character)
      at = indent + (character === ' ' ? 1 : 0)
    }
    const piece = isEscape ? escape(character) : character
    result += piece
    at += piece.length
    afterEscape = isEscape
    if (isEscape && isInside && at > bestWidth + 1) {
      const next = characters[index + 1] as string
      result += lineEnd(indent, next)
      at = indent + (next === ' ' ? 1 : 0)
    }
  }
  return result
}

function lineEnd(indent: number, next: string): string {
  return `\\${newLine(indent)}${next === ' ' ? '\\' : ''}`
}

function escape(character: string): string {
  const known = escapes.get(character)
  if (known !== undefined) return known
  if (isPrintable(character)) return character
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

/** Keeps every line break; the header describes the start and the end of the text. */
function literal(text: string, indent: number): string {
  const indentation = /^[ \n]/.test(text) ? '2' : ''
  const end = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const lines = body.split('\n').map((line) => (line === '' ? '\n' : newLine(indent) + line))
  return `|${indentation}${end}${lines.join('')}`
}

function newLine(indent: number): string {
  return `\n${' '.repeat(indent)}`
}
