/** Status messages are stored in English, by Java and by this library: returns the parts of known ones. */
import type { Message } from '@elasticjob/core'

import { message } from '../message.ts'

type Reader = (...parts: readonly string[]) => Message

const known: readonly (readonly [RegExp, Reader])[] = [
  [/^Job '(.*)' execute begin\.$/su, (job = '') => message('status-run-begin', { jobName: job })],
  [/^Instance (.*) is gone\.$/su, (instance = '') => message('status-instance-gone', { instance })],
  [
    /^Sharding item for job '(.*)' is empty\.$/su,
    (job = '') => message('status-shards-empty', { jobName: job }),
  ],
  [
    /^Previous job '(.*)' - shardingItems '(.*)' is still running, misfired job will start after previous job completed\.$/su,
    (job = '', shards = '') => message('status-misfire', { jobName: job, shards }),
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
