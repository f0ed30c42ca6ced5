import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

import { StartPriority } from '../../src/timing/start-priority.ts'
import { type Wakeable, TimerQueue } from '../../src/timing/timer-queue.ts'
import { HandClock } from '../support/hand-clock.ts'

interface Bench {
  readonly clock: SimulatedClock
  readonly timers: TimerQueue
  readonly woken: [string, number][]
  readonly start: number
  readonly failures: unknown[]
  readonly wakeable: (name: string) => Wakeable
}

function bench(now?: (clock: SimulatedClock) => number): Bench {
  const clock = new SimulatedClock()
  const start = clock.now()
  const woken: [string, number][] = []
  const failures: unknown[] = []
  const time = (): number => now?.(clock) ?? clock.now()
  const failed = (error: unknown): unknown => failures.push(error)
  const timers = new TimerQueue(clock, time, new StartPriority(clock, failed), failed)
  const wakeable = (name: string): Wakeable => ({
    wake: () => woken.push([name, clock.now() - start]),
  })
  return { clock, timers, woken, start, failures, wakeable }
}

interface ByHand {
  readonly timers: TimerQueue
  readonly polls: HandClock
  readonly set: (time: number) => void
  readonly startPriority: StartPriority
  readonly woken: [string, number][]
  readonly wakeable: (name: string) => Wakeable
}

function byHand(effort = 0): ByHand {
  const polls = new HandClock()
  const woken: [string, number][] = []
  const startPriority = new StartPriority(polls, () => {})
  const timers = new TimerQueue(polls, polls.now, startPriority, () => {})
  const wakeable = (name: string): Wakeable => ({
    wake: () => {
      woken.push([name, polls.time])
      polls.time += effort
    },
  })
  const set = (time: number): void => {
    polls.time = time
  }
  return { timers, polls, set, woken, wakeable, startPriority }
}

describe('TimerQueue', () => {
  it('wakes everybody at its time, in the order of their times', async () => {
    const { clock, timers, woken, start, wakeable } = bench()
    timers.set(wakeable('late'), start + 300)
    timers.set(wakeable('early'), start + 100)
    timers.set(wakeable('middle'), start + 200)
    await clock.advance(1000)
    expect(woken).toEqual([
      ['early', 100],
      ['middle', 200],
      ['late', 300],
    ])
    expect(timers.size).toBe(0)
  })

  it('wakes at once whose time has passed', async () => {
    const { clock, timers, woken, start, wakeable } = bench()
    timers.set(wakeable('a'), start - 500)
    await clock.advance(0)
    expect(woken).toEqual([['a', 0]])
  })

  it('has one timer for all', () => {
    const { clock, timers, start, wakeable } = bench()
    for (let n = 0; n < 1000; n++) timers.set(wakeable(String(n)), start + n)
    expect(clock.pending).toBe(1)
    expect(timers.size).toBe(1000)
  })

  it('wakes those of one instant together', async () => {
    const { clock, timers, start } = bench()
    const instants: string[] = []
    const wakeAll = vi.fn<() => void>(() => {
      instants.push(`${clock.now() - start}/${clock.pending}`)
    })
    for (let n = 0; n < 3; n++) timers.set({ wake: wakeAll }, start + 50)
    await clock.advance(50)
    // Nothing else could happen between them.
    expect(instants).toEqual(['50/0', '50/0', '50/0'])
  })

  it('takes a new time in the place of the old one, earlier or later or none', async () => {
    const { clock, timers, woken, start, wakeable } = bench()
    const [a, b, c] = [wakeable('a'), wakeable('b'), wakeable('c')]
    for (const one of [a, b, c]) timers.set(one, start + 100)
    timers.set(a, start + 50)
    timers.set(b, start + 200)
    timers.set(c, undefined)
    timers.set(wakeable('never'), undefined)
    await clock.advance(1000)
    expect(woken).toEqual([
      ['a', 50],
      ['b', 200],
    ])
  })

  it('keeps the order of the others when one in their midst is called off', async () => {
    const { clock, timers, woken, start, wakeable } = bench()
    const calledOff = wakeable('called off')
    for (const time of [10, 100, 20]) timers.set(wakeable(String(time)), start + time)
    timers.set(calledOff, start + 110)
    for (const time of [120, 30, 25]) timers.set(wakeable(String(time)), start + time)
    timers.set(calledOff, undefined)
    await clock.advance(1000)
    expect(woken.map(([name]) => name)).toEqual(['10', '20', '25', '30', '100', '120'])
  })

  it('lets who is woken ask for its next time', async () => {
    const { clock, timers, start } = bench()
    const times: number[] = []
    const wakeable: Wakeable = {
      wake: () => {
        times.push(clock.now() - start)
        if (times.length < 4) timers.set(wakeable, clock.now() + 10)
      },
    }
    timers.set(wakeable, start + 10)
    await clock.advance(1000)
    expect(times).toEqual([10, 20, 30, 40])
  })

  it('one that fails does not keep the others asleep', async () => {
    const { clock, timers, woken, failures, start, wakeable } = bench()
    const failure = new Error('cannot')
    timers.set(
      {
        wake: () => {
          throw failure
        },
      },
      start + 10,
    )
    timers.set(wakeable('same instant'), start + 10)
    timers.set(wakeable('later'), start + 20)
    await clock.advance(100)
    expect(failures).toEqual([failure])
    expect(woken.map(([name]) => name)).toEqual(['same instant', 'later'])
  })

  it('looks at the time again and again: a clock that is set is noticed before long', async () => {
    let offset = 0
    const { clock, timers, woken, start, wakeable } = bench((local) => local.now() + offset)
    timers.set(wakeable('a'), start + 3_600_000)
    await clock.advance(1000)
    offset = 3_600_000
    await clock.advance(30_000)
    expect(woken).toHaveLength(1)
  })

  it('does not wake before the time when the clock is set back', async () => {
    let offset = 0
    const { clock, timers, woken, start, wakeable } = bench((local) => local.now() + offset)
    timers.set(wakeable('a'), start + 1000)
    offset = -5000
    await clock.advance(5999)
    expect(woken).toEqual([])
    await clock.advance(1)
    expect(woken).toEqual([['a', 6000]])
  })

  it('reads what the sockets hold before it wakes anybody', async () => {
    const { clock, timers, start } = bench()
    const order: string[] = []
    timers.set({ wake: () => order.push('woken') }, start + 10)
    clock.setTimer(() => clock.afterPoll(() => order.push('read')), 10)
    await clock.advance(10)
    // Both wait for the sockets, in the order in which their timers rang.
    expect(order).toEqual(['woken', 'read'])
    const polls: (() => void)[] = []
    const held = vi.spyOn(clock, 'afterPoll').mockImplementation((callback) => polls.push(callback))
    timers.set({ wake: () => order.push('woken again') }, clock.now() + 10)
    await clock.advance(10)
    expect(order).toHaveLength(2)
    for (const poll of polls) poll()
    expect(order.at(-1)).toBe('woken again')
    held.mockRestore()
  })

  describe('just before', () => {
    it('wakes a few milliseconds ahead, and says for which time', () => {
      const { timers, polls } = byHand()
      const times: number[] = []
      timers.set({ wake: (time) => times.push(time) }, 100, 'just before')
      const [timer] = polls.timers
      expect(timer?.after).toBe(95)
      polls.time = 95.4
      timer?.ring()
      polls.poll()
      expect(times).toEqual([100])
      expect(polls.waiting).toBe(0)
    })

    it('says what time it is where the timer was late', () => {
      const { timers, polls } = byHand()
      const times: number[] = []
      timers.set({ wake: (time) => times.push(time) }, 100, 'just before')
      polls.time = 130
      polls.timers[0]?.ring()
      polls.poll()
      expect(times).toEqual([130])
    })

    it('is of no concern to who comes about then', async () => {
      const { clock, timers, woken, start, wakeable } = bench()
      timers.set(wakeable('a'), start + 100, 'just before')
      timers.set(wakeable('b'), start + 99)
      timers.set(wakeable('c'), start + 101, 'just before')
      timers.set(wakeable('d'), start + 101)
      await clock.advance(1000)
      // Nobody overtakes who is to be woken for an earlier time.
      expect(woken.map(([name]) => name).toSorted()).toEqual(['a', 'b', 'c', 'd'])
      expect(woken.filter(([name]) => name === 'b' || name === 'd')).toEqual([
        ['b', 99],
        ['d', 101],
      ])
      expect(woken.find(([name]) => name === 'a')?.[1]).toBe(99)
    })
  })

  it('wakes many who have to be ready for one time so early that the last of them is', () => {
    const { timers, polls, woken, wakeable } = byHand(0.1)
    for (let n = 0; n < 300; n++) timers.set(wakeable(String(n)), 1000, 'just before')
    const timer = polls.timers.at(-1)
    expect(timer?.after).toBe(931)
    polls.time = 931
    timer?.ring()
    while (polls.waiting > 0) polls.poll()
    expect(woken).toHaveLength(300)
    expect(woken.at(-1)?.[1]).toBeLessThan(1000)
  })

  it('wakes earlier who was not ready in time, and later who was long before it', () => {
    const { timers, polls, wakeable } = byHand()
    const woken = (at: number, took: number): number | undefined => {
      timers.set(wakeable('a'), at, 'just before')
      const timer = polls.timers.at(-1)
      polls.time += timer?.after ?? 0
      timer?.ring()
      polls.poll()
      polls.time += took
      timers.ready(at)
      const ahead = at - (polls.time - took)
      polls.time = at
      return ahead
    }
    const slow = [1000, 2000, 3000, 4000, 5000, 6000].map((at) => woken(at, 20))
    expect(slow[0]).toBe(5)
    expect(slow.at(-1)).toBeGreaterThan(20)
    const fast = Array.from({ length: 60 }, (_, n) => woken(7000 + n * 1000, 1))
    expect(fast.at(-1)).toBeLessThan(6)
  })

  describe('many at once', () => {
    /** So long does it take to wake one, in milliseconds. */
    const effort = 0.9

    it('are woken in portions, between which sockets are read', () => {
      const { timers, polls, set, woken, wakeable } = byHand(effort)
      for (const name of ['a', 'b', 'c', 'd', 'e']) timers.set(wakeable(name), 10)
      set(10)
      polls.timers[0]?.ring()
      const portions: number[] = []
      while (polls.waiting > 0) {
        const before = woken.length
        polls.poll()
        portions.push(woken.length - before)
      }
      expect(portions).toEqual([3, 2])
      expect(woken.map(([name]) => name).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    })

    it('are not woken if they are called off between two portions', () => {
      const { timers, polls, set, woken, wakeable } = byHand(effort)
      const wakeables = ['a', 'b', 'c', 'd', 'e'].map(wakeable)
      for (const one of wakeables) timers.set(one, 10)
      set(10)
      polls.timers[0]?.ring()
      polls.poll()
      for (const one of wakeables) timers.set(one, undefined)
      polls.poll()
      expect(woken).toHaveLength(3)
    })

    it('are about to begin until the last of them is woken', () => {
      const { timers, polls, set, woken, wakeable, startPriority } = byHand(effort)
      startPriority.afterwards(() => woken.push(['at once', 0]))
      for (let n = 0; n < 5; n++) timers.set(wakeable('woken'), 10)
      set(10)
      polls.timers[0]?.ring()
      polls.poll()
      startPriority.afterwards(() => woken.push(['afterwards', 0]))
      while (polls.waiting > 0) polls.poll()
      const all = ['at once', 'woken', 'woken', 'woken', 'woken', 'woken', 'afterwards']
      expect(woken.map(([name]) => name)).toEqual(all)
    })

    it('are not woken after it has stopped in their midst', () => {
      const { timers, polls, set, woken, wakeable } = byHand(effort)
      for (let n = 0; n < 5; n++) timers.set(wakeable('woken'), 10)
      set(10)
      polls.timers[0]?.ring()
      polls.poll()
      timers.stop()
      while (polls.waiting > 0) polls.poll()
      expect(woken).toHaveLength(3)
    })
  })

  it('leaves no timer behind when it stops, whenever that is', async () => {
    const { clock, timers, woken, start, wakeable } = bench()
    timers.set(wakeable('a'), start + 100)
    timers.stop()
    expect(clock.pending).toBe(0)
    timers.set(wakeable('b'), start + 100)
    const polls: (() => void)[] = []
    const held = vi.spyOn(clock, 'afterPoll').mockImplementation((callback) => polls.push(callback))
    await clock.advance(100)
    // The timer has rung and waits for the sockets; somebody earlier comes in between.
    timers.set(wakeable('c'), start + 90)
    held.mockRestore()
    for (const poll of polls) poll()
    expect(woken.map(([name]) => name)).toEqual(['c', 'b'])
    timers.stop()
    expect(clock.pending).toBe(0)
    expect(timers.size).toBe(0)
  })

  it('does as a list would that is searched from end to end', async () => {
    const commands = fc.array(
      fc.record({
        wakeable: fc.integer({ min: 0, max: 9 }),
        in: fc.option(fc.integer({ min: -50, max: 500 }), { nil: undefined }),
        pass: fc.integer({ min: 0, max: 120 }),
      }),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(commands, async (given) => {
        const { clock, timers, woken, start, wakeable } = bench()
        const wakeables = Array.from({ length: 10 }, (_, n) => wakeable(String(n)))
        const model = new Map<number, number>()
        const expected: [string, number][] = []
        for (const command of given) {
          const at = command.in === undefined ? undefined : clock.now() + command.in
          timers.set(wakeables[command.wakeable] as Wakeable, at)
          if (at === undefined) model.delete(command.wakeable)
          else model.set(command.wakeable, Math.max(at, clock.now()))
          expect(timers.size).toBe(model.size)
          const end = clock.now() + command.pass
          for (const [n, time] of model) {
            if (time > end) continue
            model.delete(n)
            expected.push([String(n), time - start])
          }
          await clock.advance(command.pass)
          const inOrder = (a: [string, number], b: [string, number]): number =>
            a[1] - b[1] || (a[0] < b[0] ? -1 : 1)
          expect(woken.toSorted(inOrder)).toEqual(expected.toSorted(inOrder))
        }
        expect(woken.map(([, time]) => time)).toEqual(
          woken.map(([, time]) => time).toSorted((a, b) => a - b),
        )
      }),
      { numRuns: 60 },
    )
  })
})
