/** Makes text from elsewhere safe to show: deceptive characters are shown by their code. */

/** Direction marks and controls could make a name look like another one. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, (character) => {
    if (character === '\n' || character === '\t') return ' '
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

/** The same for a text of several lines, such as a log. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line.replaceAll('\t', '  ')))
    .join('\n')
}

/** Truncates a text to a number of letters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  const letters = Array.from(text)
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}

/** `10.0.0.1 (4711)` for people; only the whole id is unique. */
export function instanceName(instance: string): string {
  const [server = '', suffix = ''] = instance.split('@-@', 2)
  return printable(suffix === '' ? server : `${server} (${suffix.split('-', 1)[0]})`)
}
