import { writeKey, writeScalar } from './write-scalar.ts'
import { withoutBlankEnd } from './yaml-text.ts'

/** What a mapping of ours may hold. */
export type Writable =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly YamlText[]
  | Readonly<Record<string, string>>

/** A value that is YAML already. */
interface YamlText {
  readonly yaml: string
}

/** From this length on, a key is announced by a question mark. */
const longKey = 123

/** One entry of a mapping in block style, as SnakeYAML writes it, its last line break included. */
export function writeEntry(key: string, value: Writable, indent: number = 0): string {
  return entryWriter(key, indent)(value)
}

/** Writes entries of one key, for keys that are written often: most of the work is in finding its style. */
export function entryWriter(key: string, indent: number = 0): (value: Writable) => string {
  const margin = ' '.repeat(indent)
  if (key === '' || key.length >= longKey || key.includes('\n')) {
    const place = { column: indent + 1, indent: indent + 2 }
    const start = `${margin}?${writeScalar(key, place)}\n${margin}:`
    return (value) => `${start}${writeValue(value, indent, place)}\n`
  }
  const start = `${margin}${writeKey(key)}:`
  const place = { column: start.length, indent: indent + 2 }
  return (value) => `${start}${writeValue(value, indent, place)}\n`
}

function writeValue(
  value: Writable,
  indent: number,
  place: { readonly column: number; readonly indent: number },
): string {
  if (typeof value === 'string') return writeScalar(value, place)
  if (typeof value !== 'object') return ` ${String(value)}`
  if (isList(value)) return value.map((element) => writeElement(element, indent)).join('')
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => writeEntry(key, value[key] as string, indent + 2))
  return `\n${entries.join('').slice(0, -1)}`
}

/** Elements stand at the indentation of their key. */
function writeElement(element: string | YamlText, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`
  if (typeof element === 'string') {
    return `${margin}-${writeScalar(element, { column: indent + 1, indent: indent + 2 })}`
  }
  return `${margin}- ${withoutBlankEnd(element.yaml).replaceAll(/\n(?!\n|$)/g, `${margin}  `)}`
}

function isList(value: object): value is readonly (string | YamlText)[] {
  return Array.isArray(value)
}
