import { cons, dump } from './connections.ts'
import type { ServerReport } from './report.ts'
import { conf, envi, mntr, srvr, stat } from './server.ts'
import { wchc, wchp, wchs } from './watches.ts'

const words: Readonly<Record<string, (report: ServerReport) => string>> = Object.freeze({
  ruok: () => 'imok',
  isro: () => 'rw',
  srvr,
  stat,
  mntr,
  conf,
  envi,
  cons,
  dump,
  wchs,
  wchp,
  wchc,
})

/** The four-letter words that this server supports. */
export const fourLetterWords: readonly string[] = Object.freeze(Object.keys(words))

/**
 * The answer to a four-letter word, given as the integer that its letters form; undefined for any other
 * integer. A word that is not allowed gets the refusal of Apache ZooKeeper.
 */
export function answerFourLetterWord(code: number, report: ServerReport): string | undefined {
  const letters = Buffer.alloc(4)
  letters.writeInt32BE(code)
  const word = letters.toString('latin1')
  const answer = Object.hasOwn(words, word) ? words[word] : undefined
  if (answer === undefined) return undefined
  const allowed = report.options.fourLetterWords
  if (!allowed.includes('*') && !allowed.includes(word)) {
    return `${word} is not executed because it is not in the whitelist.\n`
  }
  return answer(report)
}
