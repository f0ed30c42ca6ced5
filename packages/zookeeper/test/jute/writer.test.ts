import { JuteReader, JuteWriter } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'

describe('JuteWriter', () => {
  it('fills in the length of a frame', () => {
    const writer = new JuteWriter()
    const mark = writer.beginFrame()
    writer.int(7)
    expect(writer.endFrame(mark)).toBe(4)
    expect([...writer.take()]).toEqual([0, 0, 0, 4, 0, 0, 0, 7])
  })

  it('rollback discards everything since the mark', () => {
    const writer = new JuteWriter()
    writer.int(1)
    const mark = writer.beginFrame()
    writer.string('never sent')
    writer.rollback(mark)
    expect([...writer.take()]).toEqual([0, 0, 0, 1])
  })

  it('never writes to bytes that take() returned', () => {
    const writer = new JuteWriter()
    writer.string('first')
    const taken = writer.take()
    const before = Buffer.from(taken)
    for (let i = 0; i < 50_000; i++) writer.string(`later ${i}`)
    writer.take()
    expect(taken.equals(before)).toBe(true)
  })

  it('grows for a value larger than a slab', () => {
    const writer = new JuteWriter()
    const large = Buffer.alloc(300_000, 7)
    writer.string('before')
    writer.buffer(large)
    const reader = new JuteReader(writer.take())
    expect(reader.string()).toBe('before')
    expect(reader.buffer()?.equals(large)).toBe(true)
  })

  it('writes long and short non-ASCII text as UTF-8', () => {
    for (const text of ['é', '任务'.repeat(5), 'x'.repeat(63) + '任', '任务'.repeat(200), '']) {
      const writer = new JuteWriter()
      writer.string(text)
      const taken = writer.take()
      expect(taken.readInt32BE(0)).toBe(Buffer.byteLength(text))
      expect(new JuteReader(taken).string()).toBe(text)
    }
  })
})
