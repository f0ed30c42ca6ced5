import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpiryQueue } from '../../src/session/expiry-queue.ts'

describe('ExpiryQueue', () => {
  it('expires each element after its timeout, and less than a tick later', () => {
    const touch = fc.record({ who: fc.nat(3), timeout: fc.integer({ min: 1, max: 50 }) })
    const wait = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(fc.array(fc.tuple(touch, wait), { maxLength: 30 }), (steps) => {
        const queue = new ExpiryQueue<number>(10)
        const ends = new Map<number, number>()
        let now = 0
        for (const [{ who, timeout }, milliseconds] of steps) {
          queue.touch(who, now, timeout)
          ends.set(who, now + timeout)
          now += milliseconds
          for (const ended of queue.takeExpired(now)) {
            expect(ends.get(ended)).toBeLessThanOrEqual(now)
            ends.delete(ended)
          }
          for (const end of ends.values()) expect(end + 10).toBeGreaterThan(now)
        }
        expect(queue.size).toBe(ends.size)
      }),
    )
  })

  it('returns expired elements in the order of their time', () => {
    const queue = new ExpiryQueue<string>(10)
    queue.touch('late', 0, 50)
    queue.touch('early', 0, 20)
    queue.touch('later', 0, 90)
    expect(queue.takeExpired(70)).toEqual(['early', 'late'])
    expect(queue.takeExpired(70)).toEqual([])
  })

  it('does not return removed elements', () => {
    const queue = new ExpiryQueue<string>(10)
    queue.touch('a', 0, 20)
    queue.remove('a')
    queue.remove('a')
    expect([queue.size, queue.buckets.size, queue.deadlineOf('a')]).toEqual([0, 0, undefined])
    expect(queue.takeExpired(1_000)).toEqual([])
  })
})
