import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decodeEpoch, encodeEpoch, type Epoch, noEpoch } from '../../src/job-tree/epoch.ts'
import { instanceNumber, x, y } from '../tree.ts'

describe('the epoch', () => {
  it('comes back as it was written, whatever it says', () => {
    const instance = fc.constantFrom(x, y, instanceNumber(3), 'some "odd" id')
    const epochs: fc.Arbitrary<Epoch> = fc.record({
      digest: fc.string(),
      owners: fc.array(fc.option(instance, { nil: undefined })),
      moving: fc
        .array(fc.tuple(fc.nat(9999), instance), { maxLength: 5 })
        .map((moves) => new Map(moves)),
    })
    fc.assert(
      fc.property(epochs, (epoch) => {
        expect(decodeEpoch(encodeEpoch(epoch))).toEqual(epoch)
      }),
    )
  })

  it('without data is one of Java, which speaks of no resharding of ours', () => {
    expect(decodeEpoch('')).toBe(noEpoch)
    expect(encodeEpoch(noEpoch)).not.toBe('')
    expect(decodeEpoch(encodeEpoch(noEpoch))).toEqual(noEpoch)
  })

  it('names each instance once: 10,000 items of 200 instances fit into a node', () => {
    const owners = Array.from({ length: 10_000 }, (_, item) =>
      instanceNumber(Math.floor(item / 50)),
    )
    const text = encodeEpoch({ digest: 'd', owners, moving: new Map() })
    expect(text.length).toBeLessThan(20_000)
    const scattered = Array.from({ length: 10_000 }, (_, item) => instanceNumber(item % 200))
    expect(encodeEpoch({ digest: 'd', owners: scattered, moving: new Map() }).length).toBeLessThan(
      100_000,
    )
  })

  it('knows an instance that owns nothing yet but will', () => {
    const epoch: Epoch = { digest: 'd', owners: [x], moving: new Map([[0, y]]) }
    expect(decodeEpoch(encodeEpoch(epoch)).moving.get(0)).toBe(y)
  })
})
