import { read, toText } from '@elasticjob/zookeeper'

import type { RegistrySession } from '../registry/registry-session.ts'
import { decodeItemWord, type ItemWord } from './item-word.ts'
import type { Versioned } from './job-view.ts'
import type { JobPaths } from './paths.ts'

const itemsPerRead = 250

/** A word, and the transaction that wrote it: that of a claim is its fencing token. */
export interface ReadWord extends Versioned<ItemWord> {
  readonly mzxid: bigint
}

/** The words of items, with their versions; an item that has none yet is left out. */
export async function readWords(
  session: RegistrySession,
  paths: JobPaths,
  items: readonly number[],
): Promise<Map<number, ReadWord>> {
  const words = new Map<number, ReadWord>()
  for (let start = 0; start < items.length; start += itemsPerRead) {
    const some = items.slice(start, start + itemsPerRead)
    const results = await session.read(some.map((item) => read.get(paths.itemWord(item))))
    for (const [index, item] of some.entries()) {
      const result = results[index]
      if (result === undefined) continue
      // Unknown is not absent.
      if ('error' in result && result.error.code !== 'ZK_NO_NODE') throw result.error
      if (!('data' in result)) continue
      const { version, mzxid } = result.stat
      words.set(item, { value: decodeItemWord(toText(result.data)), version, mzxid })
    }
  }
  return words
}
