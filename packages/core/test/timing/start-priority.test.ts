import { beforeEach, describe, expect, it } from 'vitest'

import { StartPriority } from '../../src/timing/start-priority.ts'
import { HandClock } from '../support/hand-clock.ts'

/** So long does each work take, in milliseconds. */
const effort = 0.9

describe('Rush', () => {
  let clock: HandClock
  let startPriority: StartPriority
  let done: string[]
  let failures: unknown[]

  beforeEach(() => {
    clock = new HandClock()
    done = []
    failures = []
    startPriority = new StartPriority(clock, (error) => failures.push(error))
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
    startPriority.afterwards(work('a'))
    expect(done).toEqual(['a'])
    startPriority.enter()
    startPriority.leave()
    startPriority.afterwards(work('b'))
    expect(done).toEqual(['a', 'b'])
    expect([clock.waiting, clock.timers.length]).toEqual([0, 0])
  })

  it('lets it wait until the last has begun, then does it in its order and in portions', () => {
    startPriority.enter()
    startPriority.enter()
    for (const name of 'abcde') startPriority.afterwards(work(name))
    startPriority.leave()
    expect(portions()).toEqual([])
    startPriority.leave()
    expect(done).toEqual([])
    expect(portions()).toEqual(['abc', 'de'])
    startPriority.afterwards(work('f'))
    expect(done.at(-1)).toBe('f')
  })

  it('goes on waiting for somebody who comes before it is done', () => {
    startPriority.enter()
    for (const name of 'abcde') startPriority.afterwards(work(name))
    startPriority.leave()
    clock.poll()
    startPriority.enter()
    clock.poll()
    expect(done).toEqual(['a', 'b', 'c'])
    startPriority.leave()
    expect(portions()).toEqual(['de'])
  })

  it('what comes while others are worked off does not overtake them', () => {
    startPriority.enter()
    startPriority.afterwards(() => {
      work('a')()
      startPriority.afterwards(work('c'))
    })
    startPriority.afterwards(work('b'))
    startPriority.leave()
    expect(portions()).toEqual(['abc'])
  })

  it('does not wait for ever: a process with too much to do still does both', () => {
    startPriority.enter()
    startPriority.afterwards(work('a'))
    startPriority.afterwards(work('b'))
    expect(clock.timers.map(({ after }) => after)).toEqual([250])
    clock.timers[0]?.ring()
    expect(portions()).toEqual(['ab'])
    // From then on it has patience again.
    startPriority.afterwards(work('c'))
    expect(portions()).toEqual([])
    expect(clock.timers).toHaveLength(2)
  })

  it('one that fails does not keep the others waiting', () => {
    startPriority.enter()
    startPriority.afterwards(() => {
      throw new Error('cannot')
    })
    startPriority.afterwards(work('b'))
    startPriority.leave()
    expect(portions()).toEqual(['b'])
    expect(failures).toEqual([new Error('cannot')])
  })

  it('leaves nothing undone when it stops', () => {
    startPriority.enter()
    for (const name of 'abcde') startPriority.afterwards(work(name))
    startPriority.stop()
    expect(done.join('')).toBe('abcde')
    startPriority.leave()
    expect(portions()).toEqual([])
  })
})
