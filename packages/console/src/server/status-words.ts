/** Messages of status changes are stored in English, by Java as by us: the parts of those that are known. */
import { say, type Sentence } from '@elasticjob/core'

type Reader = (...parts: readonly string[]) => Sentence

const known: readonly (readonly [RegExp, Reader])[] = [
  [/^Job '(.*)' execute begin\.$/su, (job = '') => say`Job '${job}' execute begin.`],
  [/^Instance (.*) is gone\.$/su, (instance = '') => say`Instance ${instance} is gone.`],
  [
    /^Sharding item for job '(.*)' is empty\.$/su,
    (job = '') => say`Sharding item for job '${job}' is empty.`,
  ],
  [
    /^Previous job '(.*)' - shardingItems '(.*)' is still running, misfired job will start after previous job completed\.$/su,
    (job = '', items = '') =>
      say`Previous job '${job}' - shardingItems '${items}' is still running, misfired job will start after previous job completed.`,
  ],
]

/** Undefined for all others, such as what a job has thrown. */
export function statusWords(message: string): Sentence | undefined {
  for (const [pattern, read] of known) {
    const found = pattern.exec(message)
    if (found !== null) return read(...found.slice(1))
  }
  return undefined
}
