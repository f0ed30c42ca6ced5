/** Text of others on a terminal: how much room it takes, and what of it must not reach one. */

/** Names, errors and parameters come from the registry: an escape sequence in them is shown, not obeyed. */
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

/** Letters of East Asia and pictures take two columns. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
const mark = /\p{Mn}|\p{Me}/u

/** How many columns a text takes that has no escape sequences in it. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (!mark.test(character)) width += wide.test(character) ? 2 : 1
  }
  return width
}

/** The text, or as much of its beginning as fits, with a mark that something is missing. */
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
