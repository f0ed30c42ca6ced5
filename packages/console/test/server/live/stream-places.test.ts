import { expect, it } from 'vitest'

import { isConsoleError } from '../../../src/index.ts'
import { StreamPlaces } from '../../../src/server/live/stream-places.ts'

function fill(take: (index: number) => void): number {
  for (let taken = 0; ; taken += 1) {
    try {
      take(taken)
    } catch (error) {
      if (!isConsoleError(error, 'CONSOLE_BUSY')) throw error
      return taken
    }
  }
}

it('a session and an address have bounded numbers of streams', () => {
  const places = new StreamPlaces()
  const guest = { role: 'guest', address: 'a' }
  expect(fill(() => places.take({ ...guest, session: 'one' }))).toBe(30)
  expect(fill((index) => places.take({ ...guest, session: `s${index}` }))).toBe(270)
  expect(places.take({ role: 'guest', address: 'b', session: 'x' })).toBeTypeOf('function')
  expect(places.take({ role: 'root', address: 'a', session: 'root' })).toBeTypeOf('function')
})

it('places are left for root when guests have taken all of theirs', () => {
  const places = new StreamPlaces()
  const guests = fill((index) =>
    places.take({ role: 'guest', address: `a${index}`, session: `s${index}` }),
  )
  expect(guests).toBe(1800)
  const roots = fill((index) =>
    places.take({ role: 'root', address: 'a', session: `root${index}` }),
  )
  expect(roots).toBe(200)
})

it('a place that is given back can be taken again', () => {
  const places = new StreamPlaces()
  const reader = { role: 'guest', address: 'a', session: 'one' }
  const [giveBack] = Array.from({ length: 30 }, () => places.take(reader))
  expect(() => places.take(reader)).toThrow('the limit of 30 open streams is reached')
  giveBack?.()
  expect(places.take(reader)).toBeTypeOf('function')
})
