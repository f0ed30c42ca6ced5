import { beforeEach, describe, expect, it } from 'vitest'

import { Rush } from '../../src/execution/rush.ts'
import { HandClock } from '../support/hand-clock.ts'

/** So long does each work take, in milliseconds. */
const effort = 0.9

describe('Rush', () => {
  let clock: HandClock
  let rush: Rush
  let done: string[]
  let failures: unknown[]

  beforeEach(() => {
    clock = new HandClock()
    done = []
    failures = []
    rush = new Rush(clock, (error) => failures.push(error))
  })

  function work(name: string): () => void {
    return () => {
      done.push(name)
      clock.time += effort
    }
  }

  /** Reads the sockets until nobody waits for that; says what was done between each two of them. */
  function portions(): string[] {
    const all: string[] = []
    while (clock.waiting > 0) {
      done = []
      clock.poll()
      all.push(done.join(''))
    }
    return all
  }

  it('does at once what nobody has to wait for', () => {
    rush.afterwards(work('a'))
    expect(done).toEqual(['a'])
    rush.enter()
    rush.leave()
    rush.afterwards(work('b'))
    expect(done).toEqual(['a', 'b'])
    expect([clock.waiting, clock.timers.length]).toEqual([0, 0])
  })

  it('lets it wait until the last has begun, then does it in its order and in portions', () => {
    rush.enter()
    rush.enter()
    for (const name of 'abcde') rush.afterwards(work(name))
    rush.leave()
    expect(portions()).toEqual([])
    rush.leave()
    expect(done).toEqual([])
    expect(portions()).toEqual(['abc', 'de'])
    rush.afterwards(work('f'))
    expect(done.at(-1)).toBe('f')
  })

  it('goes on waiting for somebody who comes before it is done', () => {
    rush.enter()
    for (const name of 'abcde') rush.afterwards(work(name))
    rush.leave()
    clock.poll()
    rush.enter()
    clock.poll()
    expect(done).toEqual(['a', 'b', 'c'])
    rush.leave()
    expect(portions()).toEqual(['de'])
  })

  it('what comes while others are worked off does not overtake them', () => {
    rush.enter()
    rush.afterwards(() => {
      work('a')()
      rush.afterwards(work('c'))
    })
    rush.afterwards(work('b'))
    rush.leave()
    expect(portions()).toEqual(['abc'])
  })

  it('does not wait for ever: a process with too much to do still does both', () => {
    rush.enter()
    rush.afterwards(work('a'))
    rush.afterwards(work('b'))
    expect(clock.timers.map(({ after }) => after)).toEqual([250])
    clock.timers[0]?.ring()
    expect(portions()).toEqual(['ab'])
    // From then on it has patience again.
    rush.afterwards(work('c'))
    expect(portions()).toEqual([])
    expect(clock.timers).toHaveLength(2)
  })

  it('one that fails does not keep the others waiting', () => {
    rush.enter()
    rush.afterwards(() => {
      throw new Error('cannot')
    })
    rush.afterwards(work('b'))
    rush.leave()
    expect(portions()).toEqual(['b'])
    expect(failures).toEqual([new Error('cannot')])
  })

  it('leaves nothing undone when it stops', () => {
    rush.enter()
    for (const name of 'abcde') rush.afterwards(work(name))
    rush.stop()
    expect(done.join('')).toBe('abcde')
    rush.leave()
    expect(portions()).toEqual([])
  })
})
