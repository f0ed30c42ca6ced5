import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  decodeAssignment,
  encodeAssignment,
  type StoredAssignment,
  noAssignment,
} from '../../src/job-tree/stored-assignment.ts'
import { instanceNumber, x, y } from '../tree.ts'
import { readable } from '../support/readable.ts'

describe('the epoch', () => {
  it('comes back as it was written, whatever it says', () => {
    const instance = fc.constantFrom(x, y, instanceNumber(3), 'some "odd" id')
    const epochs: fc.Arbitrary<StoredAssignment> = fc.record({
      digest: fc.string(),
      owners: fc.array(fc.option(instance, { nil: undefined })),
      moving: fc
        .array(fc.tuple(fc.nat(9999), instance), { maxLength: 5 })
        .map((moves) => new Map(moves)),
    })
    fc.assert(
      fc.property(epochs, (assignment) => {
        expect(readable(decodeAssignment(encodeAssignment(assignment), 'node'))).toEqual(assignment)
      }),
    )
  })

  it('without data is one of Java, which speaks of no resharding of ours', () => {
    expect(readable(decodeAssignment('', 'node'))).toBe(noAssignment)
    expect(encodeAssignment(noAssignment)).not.toBe('')
    expect(readable(decodeAssignment(encodeAssignment(noAssignment), 'node'))).toEqual(noAssignment)
  })

  it('names each instance once: 10,000 shards of 200 instances fit into a node', () => {
    const owners = Array.from({ length: 10_000 }, (_, shard) =>
      instanceNumber(Math.floor(shard / 50)),
    )
    const text = encodeAssignment({ digest: 'd', owners, moving: new Map() })
    expect(text.length).toBeLessThan(20_000)
    const scattered = Array.from({ length: 10_000 }, (_, shard) => instanceNumber(shard % 200))
    expect(
      encodeAssignment({ digest: 'd', owners: scattered, moving: new Map() }).length,
    ).toBeLessThan(100_000)
  })

  it('knows an instance that owns nothing yet but will', () => {
    const assignment: StoredAssignment = { digest: 'd', owners: [x], moving: new Map([[0, y]]) }
    expect(readable(decodeAssignment(encodeAssignment(assignment), 'node')).moving.get(0)).toBe(y)
  })
})
