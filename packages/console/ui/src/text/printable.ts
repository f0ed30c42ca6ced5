/** Text of others on the page: what of it a reader could be deceived with is shown by its number. */

/** Direction marks and controls could make a name read as another one. */
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

/** At most so many letters, with a mark that there were more. */
export function shortened(text: string, length: number): string {
  const letters = Array.from(text)
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}

/** `10.0.0.1 (4711)` for people; the whole id is what tells two of them apart. */
export function instanceName(instance: string): string {
  const [server = '', suffix = ''] = instance.split('@-@', 2)
  return printable(suffix === '' ? server : `${server} (${suffix.split('-', 1)[0]})`)
}
