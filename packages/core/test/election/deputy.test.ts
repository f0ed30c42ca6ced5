import { describe, expect, it } from 'vitest'

import { isDeputy } from '../../src/election/deputy.ts'
import { java, viewOf, x, y } from '../tree.ts'

describe('who speaks for ours', () => {
  it('is the leader, if it is one of ours', () => {
    const view = viewOf({ instances: [x, y], leader: y })
    expect(isDeputy(view, y)).toBe(true)
    expect(isDeputy(view, x)).toBe(false)
  })

  it('is the first of ours under a leader of Java', () => {
    const view = viewOf({ instances: [java, y, x], leader: java })
    expect(isDeputy(view, x)).toBe(true)
    expect(isDeputy(view, y)).toBe(false)
    expect(isDeputy(view, java)).toBe(false)
  })

  it('is not one whose server is disabled', () => {
    const servers = { '10.0.0.1': 'DISABLED' }
    const view = viewOf({ instances: [java, y, x], leader: java, servers })
    expect(isDeputy(view, x)).toBe(false)
    expect(isDeputy(view, y)).toBe(true)
  })

  it('is nobody while there is no leader', () => {
    expect(isDeputy(viewOf({ instances: [x] }), x)).toBe(false)
  })
})
