import { kindOfPlain } from './plain-scalar.ts'

/** How a text is written down. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal'

/**
 * The style that SnakeYAML chooses for a text in a block mapping, so that a configuration that we
 * write is, byte for byte, the one that Java would have written. We differ for two kinds of text that
 * Java itself does not read back from its own form: what has control characters (Java writes bytes,
 * which break `props`), and what has one of Unicode's own line breaks. Both are escaped.
 */
export function styleOf(text: string): ScalarStyle {
  if (!isPrintable(text) || /[\u0085\u2028\u2029]/.test(text)) return 'double'
  const isMultiline = text.includes('\n')
  const needsEscapes = escaped.test(text) || / \n/.test(text)
  if (isMultiline) return needsEscapes || text.endsWith(' ') ? 'double' : 'literal'
  if (needsEscapes) return 'double'
  return isPlain(text) ? 'plain' : 'single'
}

/** Whether YAML 1.1 lets every character of a text stand for itself. */
export function isPrintable(text: string): boolean {
  return /^[\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text)
}

const escaped = /[\t\r]/

/** Whether a text of one line, read without quotes, is the same text again. */
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
