import { describe, expect, it } from 'vitest'

import {
  type MembershipEvent,
  MembershipPhase,
  type Phase,
} from '../../src/scheduler/membership-phase.ts'

const events: readonly MembershipEvent[] = [
  'watched',
  'set up',
  'registered',
  'node lost',
  'clock refused',
  'clock right',
  'stop requested',
  'runs ended',
]

/** How each phase is reached, and which events lead where from it. */
const phases: readonly [
  Phase,
  readonly MembershipEvent[],
  Partial<Record<MembershipEvent, Phase>>,
][] = [
  ['starting', [], { watched: 'setting up', 'stop requested': 'stopping' }],
  ['setting up', ['watched'], { 'set up': 'joining', 'stop requested': 'stopping' }],
  ['joining', ['watched', 'set up'], { registered: 'registered', 'stop requested': 'stopping' }],
  [
    'registered',
    ['watched', 'set up', 'registered'],
    { 'node lost': 'joining', 'clock refused': 'withdrawn', 'stop requested': 'stopping' },
  ],
  [
    'withdrawn',
    ['watched', 'set up', 'registered', 'clock refused'],
    { 'clock right': 'joining', 'stop requested': 'stopping' },
  ],
  ['stopping', ['watched', 'stop requested'], { 'runs ended': 'stopped' }],
  ['stopped', ['stop requested', 'runs ended'], {}],
]

function phaseAfter(path: readonly MembershipEvent[]): MembershipPhase {
  const phase = new MembershipPhase()
  for (const event of path) phase.after(event)
  return phase
}

describe('MembershipPhase', () => {
  it.each(phases)('goes from %s where an event leads, and nowhere else', (from, path, expected) => {
    const led = events.flatMap((event) => {
      const phase = phaseAfter(path)
      expect(phase.current).toBe(from)
      const before = phase.current
      const hasMeaning = phase.after(event)
      expect(hasMeaning).toBe(phase.current !== before)
      return hasMeaning ? [[event, phase.current]] : []
    })
    expect(Object.fromEntries(led)).toEqual(expected)
  })

  it('has a node of its own only between the set-up of the job and the request to stop', () => {
    const may = phases.filter(([, path]) => phaseAfter(path).mayHaveNode).map(([phase]) => phase)
    expect(may).toEqual(['joining', 'registered', 'withdrawn'])
  })

  it('does not join once it was asked to stop, even if the job is set up then', () => {
    const phase = phaseAfter(['watched', 'stop requested', 'set up', 'registered'])
    expect(phase.current).toBe('stopping')
  })
})
