/**
 * The meaning of an unquoted scalar in YAML 1.1, as SnakeYAML reads it: the registry is shared with Java, where `yes`
 * is true, `010` is 8 and `1:30` is 90.
 */
export type PlainKind = 'null' | 'flag' | 'integer' | 'float' | 'timestamp' | 'merge' | 'text'

const flag = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/
const nothing = /^(?:~|null|Null|NULL|)$/
const integer = new RegExp(
  [
    '^[-+]?0b_*[01][01_]*$',
    '^[-+]?0_*[0-7][0-7_]*$',
    '^[-+]?(?:0|[1-9][0-9_]*)$',
    '^[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*$',
    '^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$',
  ].join('|'),
)
const float = new RegExp(
  [
    String.raw`^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?$`,
    '^[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+$',
    String.raw`^[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?$`,
    String.raw`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$`,
    String.raw`^[-+]?\.(?:inf|Inf|INF)$`,
    String.raw`^\.(?:nan|NaN|NAN)$`,
  ].join('|'),
)
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const moment = String.raw`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?`
const timestamp = new RegExp(`^(?:${day}|${moment})$`)

/** SnakeYAML does not interpret longer texts, so that a long text costs nothing. */
const longestNumber = 1024
const longestTimestamp = 50

export function kindOfPlain(text: string): PlainKind {
  if (nothing.test(text)) return 'null'
  if (flag.test(text)) return 'flag'
  if (text === '<<') return 'merge'
  if (text.length <= longestNumber && integer.test(text)) return 'integer'
  if (text.length <= longestNumber && float.test(text)) return 'float'
  if (text.length <= longestTimestamp && timestamp.test(text)) return 'timestamp'
  return 'text'
}

/** The value of a flag; undefined if the text is not a flag. Java ignores case here. */
export function toFlag(text: string): boolean | undefined {
  const lower = text.toLowerCase()
  if (lower === 'yes' || lower === 'true' || lower === 'on') return true
  if (lower === 'no' || lower === 'false' || lower === 'off') return false
  return undefined
}

/** The value of an integer in any YAML 1.1 notation; undefined if the text is not an integer. */
export function toInteger(text: string): bigint | undefined {
  if (text.length > longestNumber || !integer.test(text)) return undefined
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '')
  return text.startsWith('-') ? -magnitude(digits) : magnitude(digits)
}

function magnitude(digits: string): bigint {
  if (digits.startsWith('0b') || digits.startsWith('0x')) return BigInt(digits)
  if (digits.includes(':')) {
    return digits.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n)
  }
  return digits.length > 1 && digits.startsWith('0') ? BigInt(`0o${digits}`) : BigInt(digits)
}

/** The value of a number with a fraction or an exponent; the text has to be one. */
export function toFloat(text: string): number {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '').toLowerCase()
  const sign = text.startsWith('-') ? -1 : 1
  if (digits === '.inf') return sign * Infinity
  if (digits === '.nan') return Number.NaN
  const parts = digits.split(':')
  return sign * parts.reduce((sum, part) => sum * 60 + Number(part), 0)
}
