/** Makes text from elsewhere safe for a terminal, and measures its width. */

/** Names, errors and parameters come from the registry: escape sequences in them are shown, not executed. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, (character) => {
    if (character === '\n' || character === '\t') return ' '
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** The colours of `Style`, and no other escape sequence. */
const escape = '\u001B'
const ownColors = new RegExp(String.raw`(${escape}\[(?:1|2|22|31|32|33|36|39)m)`, 'u')

/** For lines composed here: keeps our own colours, and shows any other control character. */
export function paintedLines(text: string): string {
  const parts = text.split(ownColors)
  return parts.map((part) => (ownColors.test(part) ? part : printableLines(part))).join('')
}

/** JSON allows control characters above ASCII and bidirectional overrides: they are escaped here. */
export function asciiControls(json: string): string {
  return json.replaceAll(/[\u007F-\u009F]|\p{Cf}|\p{Zl}|\p{Zp}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** East Asian characters and emoji take two columns. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
const mark = /\p{Mn}|\p{Me}/u

/** The number of columns of a text without escape sequences. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (!mark.test(character)) width += wide.test(character) ? 2 : 1
  }
  return width
}

/** The text, truncated to the width with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let left = width - 1
  for (const character of text) {
    left -= widthOf(character)
    if (left < 0) break
    kept += character
  }
  return `${kept}…`
}
