import { kindOfPlain } from './plain-scalar.ts'

/** The YAML style of a text. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal'

/**
 * The style that SnakeYAML chooses for a text in a block mapping, so that a written configuration is byte for byte what
 * Java would write. There are two exceptions, for texts that Java cannot read back from its own form: texts with
 * control characters (Java writes binary data, which breaks `props`), and texts with Unicode line breaks. Both are
 * escaped.
 */
export function styleOf(text: string): ScalarStyle {
  if (!isPrintable(text) || /[\u0085\u2028\u2029]/.test(text)) return 'double'
  const isMultiline = text.includes('\n')
  const needsEscapes = escaped.test(text) || / \n/.test(text)
  if (isMultiline) return needsEscapes || text.endsWith(' ') ? 'double' : 'literal'
  if (needsEscapes) return 'double'
  return isPlain(text) ? 'plain' : 'single'
}

/** Whether YAML 1.1 allows every character of a text without an escape. */
export function isPrintable(text: string): boolean {
  return /^[\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text)
}

const escaped = /[\t\r]/

/** Whether a one-line text without quotes is read back as the same text. */
function isPlain(text: string): boolean {
  return (
    kindOfPlain(text) === 'text' &&
    !text.startsWith(' ') &&
    !text.endsWith(' ') &&
    !/^(?:---|\.\.\.)/.test(text) &&
    !/^[#,[\]{}&*!|>'"%@`]/.test(text) &&
    !/^[-?:](?: |$)/.test(text) &&
    !/:(?: |$)/.test(text) &&
    !text.includes(' #') &&
    !/^0[0-9_]+$/.test(text)
  )
}
