/** Status messages are stored in English, by Java and by this library: returns the parts of known ones. */
import { message, type Message } from '@elasticjob/core'

type Reader = (...parts: readonly string[]) => Message

const known: readonly (readonly [RegExp, Reader])[] = [
  [/^Job '(.*)' execute begin\.$/su, (job = '') => message`Job '${job}' execute begin.`],
  [/^Instance (.*) is gone\.$/su, (instance = '') => message`Instance ${instance} is gone.`],
  [
    /^Sharding item for job '(.*)' is empty\.$/su,
    (job = '') => message`Sharding item for job '${job}' is empty.`,
  ],
  [
    /^Previous job '(.*)' - shardingItems '(.*)' is still running, misfired job will start after previous job completed\.$/su,
    (job = '', shards = '') =>
      message`Previous job '${job}' - shardingItems '${shards}' is still running, misfired job will start after previous job completed.`,
  ],
]

/** Undefined for all others, such as the message of an error. */
export function statusMessage(text: string): Message | undefined {
  for (const [pattern, read] of known) {
    const found = pattern.exec(text)
    if (found !== null) return read(...found.slice(1))
  }
  return undefined
}
