import { isMap, isScalar, isSeq, type Node } from 'yaml'
import { isPlain, textOf, type YamlDocument } from './document.ts'
import { kindOfPlain, toFlag, toFloat, toInteger } from './plain-scalar.ts'

/**
 * A value as the text that Java converts it to. Java first reads the values of `props` with their YAML types and then
 * converts them to text: `yes` becomes `true`, `010` becomes `8`.
 */
export function javaText(document: YamlDocument, node: Node | undefined): string {
  if (isSeq(node)) {
    const elements = node.items.map((shard) => javaText(document, document.follow(shard as Node)))
    return `[${elements.join(', ')}]`
  }
  if (isMap(node)) {
    const entries = document.entriesOf(node)
    return `{${entries.map(({ key, value }) => `${key}=${javaText(document, value)}`).join(', ')}}`
  }
  if (!isScalar(node)) return 'null'
  const text = textOf(node)
  return isPlain(node) ? javaTextOfPlain(text) : text
}

function javaTextOfPlain(text: string): string {
  switch (kindOfPlain(text)) {
    case 'null':
      return 'null'
    case 'flag':
      return String(toFlag(text))
    case 'integer':
      return String(toInteger(text))
    case 'float':
      return javaDouble(toFloat(text))
    case 'timestamp':
    case 'merge':
    case 'text':
      return text
  }
}

/** Java always prints a fraction, and an exponent from ten million on and below a thousandth. */
function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}
