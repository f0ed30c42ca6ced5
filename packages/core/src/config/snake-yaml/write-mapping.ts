import { writeKey, writeScalar } from './write-scalar.ts'
import { withoutBlankEnd } from './yaml-text.ts'

/** A value of a mapping. */
export type Writable =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly YamlText[]
  | Readonly<Record<string, string>>

/** A value that already is YAML. */
interface YamlText {
  readonly yaml: string
}

/** A key of this length or more is written after a question mark. */
const longKey = 123

/** One entry of a mapping in block style, as SnakeYAML writes it, including its last line break. */
export function writeEntry(key: string, value: Writable, indent: number = 0): string {
  return entryWriter(key, indent)(value)
}

/** Writes entries of one key, for frequent keys: most of the cost is to determine the style of the key. */
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

/** Elements have the same indentation as their key. */
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
