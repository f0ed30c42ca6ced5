/** Reads Java's `.properties` files: keys and values as text, as `java.util.Properties` reads them. */
import { ElasticJobError } from '../errors.ts'

/** One key of the file. For a repeated key, the last value counts. */
export interface Property {
  readonly key: string
  readonly value: string
  /** The line where it starts, counted from 1. */
  readonly line: number
}

/**
 * Decodes the bytes of a file: as UTF-8, or as ISO 8859-1 if they are not valid UTF-8. Old versions of Java read only
 * ISO 8859-1, new ones try UTF-8 first. A file in ISO 8859-1 is hardly ever valid UTF-8 by chance.
 */
export function decodeProperties(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/**
 * The properties of a file, in file order.
 * @param source the file's name, for the message if it cannot be read
 */
export function readProperties(text: string, source: string): Property[] {
  const properties = new Map<string, Property>()
  for (const { content, line } of logicalLines(text)) {
    const { key, value } = split(content)
    const property = {
      key: unescape(key, source, line),
      value: unescape(value, source, line),
      line,
    }
    properties.delete(property.key)
    properties.set(property.key, property)
  }
  return [...properties.values()]
}

interface LogicalLine {
  readonly content: string
  readonly line: number
}

/** Lines without comments, joined where a line ends with a backslash. */
function* logicalLines(text: string): Generator<LogicalLine> {
  const natural = text.split(/\r\n|\r|\n/)
  for (let at = 0; at < natural.length; at++) {
    const line = at + 1
    let content = withoutIndent(natural[at] as string)
    // A line with only a backslash has no content to continue.
    if (content === '' || content === '\\' || /^[#!]/.test(content)) continue
    while (goesOn(content)) {
      at += 1
      // After the last line there is no continuation, and the backslash is dropped.
      content = content.slice(0, -1) + withoutIndent(natural[at] ?? '')
      if (at >= natural.length) break
    }
    yield { content, line }
  }
}

function withoutIndent(line: string): string {
  return line.replace(/^[ \t\f]+/, '')
}

/** Whether the line ends with a backslash that is not itself escaped. */
function goesOn(content: string): boolean {
  let backslashes = 0
  while (content.at(-1 - backslashes) === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** The key ends at the first unescaped `=`, `:` or white space. */
function split(content: string): { key: string; value: string } {
  const [, key = '', value = ''] =
    /^((?:\\.|[^\\=: \t\f])*)(?:[ \t\f]*[=:]?[ \t\f]*)(.*)$/s.exec(content) ?? []
  return { key, value }
}

const escapes: Readonly<Record<string, string>> = Object.freeze({
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
})

function unescape(text: string, source: string, line: number): string {
  return text.replaceAll(
    /\\(?:u([\dA-Fa-f]{4})|(.))/gs,
    (_, code: string | undefined, character) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      if (character !== 'u') return escapes[character as string] ?? (character as string)
      throw new ElasticJobError(
        'JOB_CONFIGURATION_UNREADABLE',
        String.raw`${source} cannot be read: \u needs four hexadecimal digits behind it (line ${line})`,
      )
    },
  )
}
