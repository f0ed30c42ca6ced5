import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Stat } from '../../src/jute/records.ts'
import { PackedContent } from '../../src/recipes/packed-content.ts'
import { statWith } from '../support/stats.ts'

const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const stats: fc.Arbitrary<Stat> = fc.record({
  czxid: long,
  mzxid: long,
  ctime: long,
  mtime: long,
  version: int,
  cversion: int,
  aversion: int,
  ephemeralOwner: long,
  dataLength: int,
  numChildren: int,
  pzxid: long,
})

describe('PackedContent', () => {
  it('returns any stat and any data unchanged', () => {
    const packed = new PackedContent()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), stats, (data, stat) => {
        const handle = packed.put(data, stat)
        expect(Uint8Array.from(packed.get(handle).data)).toEqual(data)
        expect(packed.get(handle).stat).toEqual(stat)
        expect(packed.stat(handle)).toEqual(stat)
        const { czxid, mzxid, pzxid } = stat
        expect(packed.zxids(handle)).toEqual({ czxid, mzxid, pzxid })
      }),
    )
  })

  it('stores a copy and returns copies', () => {
    const packed = new PackedContent()
    const data = Uint8Array.of(1, 2, 3)
    const handle = packed.put(data, statWith())
    data.fill(0)
    packed.get(handle).data.fill(9)
    expect([...packed.get(handle).data]).toEqual([1, 2, 3])
  })

  it('keeps content intact while other content is stored and freed', () => {
    const sizes = fc.oneof(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 400_000 }),
      fc.constant(1_500_000),
    )
    const actions = fc.array(
      fc.oneof(
        fc.record({ put: sizes, zxid: fc.bigInt({ min: 0n, max: 10n ** 12n }) }),
        fc.record({ free: fc.nat() }),
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(actions, (script) => {
        const packed = new PackedContent()
        const model = new Map<number, { length: number; fill: number; zxid: bigint }>()
        for (const [step, action] of script.entries()) {
          if ('put' in action) {
            const { put: length, zxid } = action
            const data = Buffer.alloc(length, step)
            const handle = packed.put(data, statWith({ mzxid: zxid }))
            if (model.has(handle)) throw new Error('the handle is in use')
            model.set(handle, { length, fill: step, zxid })
          } else if (model.size > 0) {
            const handle = [...model.keys()][action.free % model.size] as number
            packed.free(handle)
            model.delete(handle)
          }
        }
        for (const [handle, { length, fill, zxid }] of model) {
          const { data, stat } = packed.get(handle)
          expect([data.length, stat.mzxid]).toEqual([length, zxid])
          expect(Buffer.alloc(length, fill).equals(data)).toBe(true)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('isWasteful is true only when most of a large store is free', () => {
    const packed = new PackedContent()
    const half = new Uint8Array(500_000)
    const handles = Array.from({ length: 20 }, () => packed.put(half, statWith()))
    expect(packed.isWasteful).toBe(false)
    // Every second entry of every page: no page can be released, and half of each is in use.
    for (let i = 0; i < 20; i += 2) packed.free(handles[i] as number)
    expect(packed.isWasteful).toBe(true)
    // A page without content in use does not count.
    for (let i = 5; i < 20; i += 2) packed.free(handles[i] as number)
    expect(packed.isWasteful).toBe(false)
  })

  it('reuses the pages of freed content', () => {
    const packed = new PackedContent()
    const large = new Uint8Array(900_000)
    const first = packed.put(large, statWith())
    packed.put(large, statWith())
    packed.free(first)
    const third = packed.put(large, statWith())
    expect(third).toBe(first)
  })
})
