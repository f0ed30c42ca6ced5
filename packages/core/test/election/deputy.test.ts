import { describe, expect, it } from 'vitest'

import { speaksForOurs } from '../../src/election/deputy.ts'
import { java, viewOf, x, y } from '../tree.ts'

describe('who speaks for ours', () => {
  it('is the leader, if it is one of ours', () => {
    const view = viewOf({ instances: [x, y], leader: y })
    expect(speaksForOurs(view, y)).toBe(true)
    expect(speaksForOurs(view, x)).toBe(false)
  })

  it('is the first of ours under a leader of Java', () => {
    const view = viewOf({ instances: [java, y, x], leader: java })
    expect(speaksForOurs(view, x)).toBe(true)
    expect(speaksForOurs(view, y)).toBe(false)
    expect(speaksForOurs(view, java)).toBe(false)
  })

  it('is not one whose server is disabled', () => {
    const servers = { '10.0.0.1': 'DISABLED' }
    const view = viewOf({ instances: [java, y, x], leader: java, servers })
    expect(speaksForOurs(view, x)).toBe(false)
    expect(speaksForOurs(view, y)).toBe(true)
  })

  it('is nobody while there is no leader', () => {
    expect(speaksForOurs(viewOf({ instances: [x] }), x)).toBe(false)
  })
})
