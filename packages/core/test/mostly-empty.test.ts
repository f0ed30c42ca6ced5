import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MostlyEmptyMap, MostlyEmptySet } from '../src/mostly-empty.ts'

const step = fc.oneof(
  fc.record({ do: fc.constant('put'), key: fc.nat(3), value: fc.nat() }),
  fc.record({ do: fc.constant('delete'), key: fc.nat(3), value: fc.constant(0) }),
  fc.record({ do: fc.constant('clear'), key: fc.constant(0), value: fc.constant(0) }),
)

describe('MostlyEmptyMap', () => {
  it('is what a Map is, whatever is done to it', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new MostlyEmptyMap<number, number>()
        const plain = new Map<number, number>()
        for (const { do: what, key, value } of steps) {
          for (const one of [map, plain]) {
            if (what === 'put') one.set(key, value)
            else if (what === 'delete') one.delete(key)
            else one.clear()
          }
          expect(map.size).toBe(plain.size)
          expect([...map]).toEqual([...plain])
          expect([...map.entries()]).toEqual([...plain.entries()])
          expect([...map.keys()]).toEqual([...plain.keys()])
          expect([...map.values()]).toEqual([...plain.values()])
          expect(called(map)).toEqual(called(plain))
          for (const asked of [0, 1, 2, 3]) {
            expect(map.get(asked)).toBe(plain.get(asked))
            expect(map.has(asked)).toBe(plain.has(asked))
          }
        }
      }),
    )
  })

  it('may lose entries while it is iterated, the last one included', () => {
    const map = new MostlyEmptyMap<number, string>()
    for (const key of [1, 2, 3]) map.set(key, 'there')
    const met: number[] = []
    for (const key of map.keys()) {
      met.push(key)
      map.delete(key)
    }
    expect(met).toEqual([1, 2, 3])
    expect(map.size).toBe(0)
  })

  it('ends iterations when it is cleared', () => {
    const map = new MostlyEmptyMap<number, string>()
    for (const key of [1, 2, 3]) map.set(key, 'there')
    const met: number[] = []
    for (const key of map.keys()) {
      met.push(key)
      map.clear()
    }
    expect(met).toEqual([1])
  })
})

describe('MostlyEmptySet', () => {
  it('is what a Set is, whatever is done to it', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const set = new MostlyEmptySet<number>()
        const plain = new Set<number>()
        for (const { do: what, key } of steps) {
          for (const one of [set, plain]) {
            if (what === 'put') one.add(key)
            else if (what === 'delete') one.delete(key)
            else one.clear()
          }
          expect(set.size).toBe(plain.size)
          expect([...set]).toEqual([...plain])
          expect([...set.entries()]).toEqual([...plain.entries()])
          expect([...set.keys()]).toEqual([...plain.keys()])
          expect([...set.values()]).toEqual([...plain.values()])
          expect(called(set)).toEqual(called(plain))
          for (const asked of [0, 1, 2, 3]) expect(set.has(asked)).toBe(plain.has(asked))
        }
      }),
    )
  })
})

function called(all: {
  forEach(act: (value: number, key: number) => void): void
}): [number, number][] {
  const calls: [number, number][] = []
  all.forEach((value, key) => calls.push([value, key]))
  return calls
}
