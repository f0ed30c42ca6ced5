import { describe, expect, it } from 'vitest'

import {
  decodeShardState,
  encodeShardState,
  type ShardState,
  neverRun,
} from '../../src/job-tree/shard-state.ts'
import { x } from '../tree.ts'
import { readable } from '../support/readable.ts'

describe('the state of a shard', () => {
  it('comes back as it was written', () => {
    const shardState: ShardState = {
      state: 'running',
      run: 'r',
      instance: x,
      fireTime: 1_767_225_600_000,
      source: 'cron',
      attempt: 2,
      round: 3,
      begin: 4,
      end: 5,
      outcome: 'failure',
      error: 'Error: "quoted"\nand more',
      nextFireTime: 6,
      since: 7,
    }
    expect(readable(decodeShardState(encodeShardState(shardState), 'node'))).toEqual(shardState)
    expect(readable(decodeShardState(encodeShardState(neverRun), 'node'))).toEqual(neverRun)
  })

  it('of a shard that has none is that it never ran', () => {
    expect(readable(decodeShardState('', 'node'))).toEqual(neverRun)
  })

  it('that says less than we know is understood: others may have written it', () => {
    expect(readable(decodeShardState('{"state":"idle","fireTime":9}', 'node'))).toEqual({
      ...neverRun,
      fireTime: 9,
    })
  })
})
