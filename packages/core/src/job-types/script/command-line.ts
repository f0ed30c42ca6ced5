/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * Splits a command line as Java's commons-exec does: white space separates words, quotes of either kind preserve it, a
 * backslash has no special meaning, and nothing is expanded. An error describes the problem, with the position counted
 * from 1.
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
      // Empty quotes are an argument, too.
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
