/** A program and its arguments, as a shell would be given them. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * Splits a command line as Java's commons-exec does: words end at white space, quotes of either kind
 * keep it, a backslash means itself, and nothing is expanded. An error says what is wrong, with the
 * place counted from 1.
 */
export function parseCommandLine(line: string): Command {
  const words: string[] = []
  let word: string | undefined
  let quote: { readonly mark: string; readonly at: number } | undefined
  for (const [index, character] of Array.from(line).entries()) {
    if (quote !== undefined) {
      if (character === quote.mark) quote = undefined
      else word += character
    } else if (character === '"' || character === "'") {
      quote = { mark: character, at: index + 1 }
      // Quotes with nothing in between are an argument, too.
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote !== undefined) {
    throw new SyntaxError(`the quote ${quote.mark} at character ${quote.at} is never closed`)
  }
  if (word !== undefined) words.push(word)
  const [program, ...args] = words
  if (program === undefined || program === '') throw new SyntaxError('it names no program')
  return [program, ...args]
}
