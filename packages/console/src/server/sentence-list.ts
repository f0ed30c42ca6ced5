import { say, type Sentence } from '@elasticjob/core'

/** One after the other; there has to be one. */
export function listOf(sentences: readonly Sentence[]): Sentence {
  return sentences.reduce((list, next) => say`${list}; ${next}`)
}
