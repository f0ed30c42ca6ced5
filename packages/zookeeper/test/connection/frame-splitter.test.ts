import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { FrameSplitter } from '../../src/connection/frame-splitter.ts'

function framed(body: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

describe('FrameSplitter', () => {
  it('returns the same frames for every way to split the stream', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (bodies, cuts) => {
          const stream = Buffer.concat(bodies.map(framed))
          const splitter = new FrameSplitter(100)
          const found: number[][] = []
          for (let at = 0, i = 0; at < stream.length; i++) {
            const size = cuts[i % cuts.length] as number
            splitter.push(stream.subarray(at, at + size), (reader) => {
              const body: number[] = []
              while (reader.remaining > 0) body.push(Number(reader.bool()))
              found.push(body)
              return true
            })
            at += size
          }
          expect(found).toEqual(bodies.map((body) => [...body].map((byte) => (byte ? 1 : 0))))
        },
      ),
    )
  })

  it.each([
    [-1, 'ZK_MALFORMED_FRAME'],
    [101, 'ZK_FRAME_TOO_LARGE'],
  ])('refuses a length of %d at once', (length, code) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(length)
    const splitter = new FrameSplitter(100)
    expect(() => splitter.push(bytes, () => true)).toThrow(expect.objectContaining({ code }))
  })

  it('stops when the callback returns false', () => {
    const splitter = new FrameSplitter(100)
    let frames = 0
    splitter.push(Buffer.concat([framed(Buffer.alloc(1)), framed(Buffer.alloc(2))]), () => {
      frames++
      return false
    })
    expect(frames).toBe(1)
  })
})
