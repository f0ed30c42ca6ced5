import { isZooKeeperError, part, toText } from '@elasticjob/zookeeper'

import type { Coordination } from '../job-tree/coordination.ts'
import { decodeRounds, encodeRounds, type RoundsWord } from './rounds-word.ts'

/** The rounds' word as it was last read or written. */
export class RoundsNode {
  readonly #host: Coordination
  #value: RoundsWord = decodeRounds('')
  #version = -1

  constructor(host: Coordination) {
    this.#host = host
  }

  get value(): RoundsWord {
    return this.#value
  }

  async read(): Promise<void> {
    const { session, replica } = this.#host
    const { data, stat } = await session.client.get(replica.paths.words, {
      whileDisconnected: 'fail',
    })
    this.#value = decodeRounds(toText(data))
    this.#version = stat.version
  }

  /** Answers whether nobody had changed it since it was read. */
  async write(word: RoundsWord): Promise<boolean> {
    const { session, replica } = this.#host
    const operation = part.set(replica.paths.words, encodeRounds(word), this.#version)
    try {
      const [result] = await session.commit([operation])
      this.#value = word
      this.#version = result?.stat?.version ?? -1
      return true
    } catch (error) {
      if (isZooKeeperError(error, 'ZK_BAD_VERSION')) return false
      throw error
    }
  }
}
