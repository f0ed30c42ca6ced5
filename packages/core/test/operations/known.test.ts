import { describe, expect, it } from 'vitest'

import {
  requireInstance,
  requireShard,
  requireServer,
  unknownJob,
  unknownServer,
} from '../../src/operations/known.ts'
import { viewOf, x, y } from '../tree.ts'

describe('names that do not exist', () => {
  const view = viewOf({ instances: [x, y] })

  it('are told with the one that may be meant', () => {
    expect(unknownJob('synk', ['sync', 'other'])).toMatchObject({
      code: 'JOB_NOT_FOUND',
      message: 'there is no job "synk" in this namespace (did you mean "sync"?)',
    })
    expect(unknownServer('10.0.0.3', ['10.0.0.1'])).toMatchObject({ code: 'JOB_SERVER_NOT_FOUND' })
    expect(() => requireServer(view, '10.0.0.12')).toThrow(/did you mean "10.0.0.[12]"/)
    expect(() => requireInstance(view, `${x}x`)).toThrow(`did you mean "${x}"`)
  })

  it('are told with what there is', () => {
    expect(() => requireShard(view, 5, 5)).toThrow('job job has no shard 5: it has shards 0 to 4')
    expect(() => requireShard(view, 1, 1)).toThrow('job job has no shard 1: it has one shard, 0')
    expect(() => requireShard(view, 0, 0)).toThrow(
      'job job has no shard 0: it has none that is known',
    )
  })

  it('are no others than those that do', () => {
    expect(() => requireServer(view, '10.0.0.1')).not.toThrow()
    expect(() => requireInstance(view, x)).not.toThrow()
    expect(() => requireShard(view, 0, 1)).not.toThrow()
  })
})
