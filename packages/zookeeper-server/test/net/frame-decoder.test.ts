import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameDecoder } from '../../src/net/frame-decoder.ts'

function framed(bodies: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    bodies.flatMap((body) => {
      const prefix = Buffer.alloc(4)
      prefix.writeInt32BE(body.length)
      return [prefix, body]
    }),
  )
}

/** The lengths of the decoded frames, and a sum over their bytes. */
function decode(chunks: readonly Uint8Array[], max = 1_000): { frames: string[]; bad: unknown } {
  const decoder = new FrameDecoder(max)
  const frames: string[] = []
  for (const chunk of chunks) {
    decoder.push(chunk, (frame) => {
      let bytes = ''
      while (frame.remaining > 0) bytes += frame.bool() ? '1' : '0'
      frames.push(bytes)
      return true
    })
    if (decoder.badLength !== undefined) break
  }
  return { frames, bad: decoder.badLength }
}

describe('FrameDecoder', () => {
  it('returns the same frames for every way to split the stream', () => {
    const body = fc.uint8Array({ maxLength: 30 })
    const cuts = fc.array(fc.nat(200), { maxLength: 10 })
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), cuts, (bodies, at) => {
        const stream = framed(bodies)
        const places = [...new Set(at.filter((place) => place < stream.length))].toSorted(
          (a, b) => a - b,
        )
        const chunks = [0, ...places].map((start, index) => stream.subarray(start, places[index]))
        const expected = bodies.map((bytes) =>
          [...bytes].map((byte) => (byte === 0 ? '0' : '1')).join(''),
        )
        expect(decode(chunks)).toEqual({ frames: expected, bad: undefined })
      }),
    )
  })

  it('accepts chunks that are not Buffers', () => {
    const chunk = new Uint8Array(framed([Buffer.from([1, 0])]))
    expect(decode([chunk]).frames).toEqual(['10'])
  })

  it.each([-1, 11, 0x72756f6b, -2_147_483_648])('rejects a frame of %d bytes', (length) => {
    const prefix = Buffer.alloc(4)
    prefix.writeInt32BE(length)
    expect(decode([prefix], 10).bad).toBe(length)
    expect(decode([prefix.subarray(0, 2), prefix.subarray(2)], 10).bad).toBe(length)
  })

  it('accepts the largest allowed frame, and empty frames', () => {
    expect(decode([framed([Buffer.alloc(10), Buffer.alloc(0)])], 10)).toEqual({
      frames: ['0000000000', ''],
      bad: undefined,
    })
  })

  it('stops when the handler returns false', () => {
    const decoder = new FrameDecoder(10)
    let count = 0
    decoder.push(framed([Buffer.alloc(1), Buffer.alloc(1)]), () => {
      count++
      return false
    })
    expect(count).toBe(1)
  })

  it('allocates no more memory than has arrived', () => {
    const decoder = new FrameDecoder(1_000_000_000)
    const prefix = Buffer.alloc(4)
    prefix.writeInt32BE(1_000_000_000)
    const before = process.memoryUsage().arrayBuffers
    decoder.push(prefix, () => true)
    decoder.push(Buffer.alloc(1), () => true)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000)
  })
})
