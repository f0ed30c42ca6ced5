import { describe, expect, it } from 'vitest'

import {
  requireInstance,
  requireItem,
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
    expect(() => requireItem(view, 5, 5)).toThrow('job job has no item 5: it has items 0 to 4')
    expect(() => requireItem(view, 1, 1)).toThrow('job job has no item 1: it has one item, 0')
    expect(() => requireItem(view, 0, 0)).toThrow(
      'job job has no item 0: it has none that is known',
    )
  })

  it('are no others than those that do', () => {
    expect(() => requireServer(view, '10.0.0.1')).not.toThrow()
    expect(() => requireInstance(view, x)).not.toThrow()
    expect(() => requireItem(view, 0, 1)).not.toThrow()
  })
})
