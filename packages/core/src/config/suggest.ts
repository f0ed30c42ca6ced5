import { message, type Message } from '../message.ts'

/** The known name that is closest to an unknown one; undefined if none is close. */
export function closest(
  name: string,
  known: readonly string[],
  mostLetters: number = Math.max(2, Math.floor(name.length * 0.4)),
): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let least = mostLetters + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance >= least) continue
    least = distance
    best = candidate
  }
  return best
}

/** The message with a suggestion for the name, if a known name is close. */
export function suggesting(messageParts: Message, name: string, known: readonly string[]): Message {
  const best = closest(name, known)
  return best === undefined
    ? messageParts
    : message('suggestion', { problem: messageParts, suggestion: best })
}

/** A suggestion for an unknown name: ` (did you mean "cron"?)`, or empty if no known name is close. */
export function suggest(name: string, known: readonly string[]): string {
  const best = closest(name, known)
  return best === undefined ? '' : ` (did you mean "${best}"?)`
}

/** The edit distance: how many letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const exchanged = (previous[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      row.push(Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, exchanged))
    }
    previous = row
  }
  return previous[to.length] as number
}
