import { beforeEach, describe, expect, it } from 'vitest'

import { Packets } from '../../src/session/packets.ts'

const span = 10_000

describe('Packets', () => {
  let packets: Packets

  beforeEach(() => {
    packets = new Packets()
    packets.begin(0)
  })

  it('find the last packet until a moment, and the first after it', () => {
    for (const time of [1000, 2000, 3000]) packets.add(time, time, span)
    expect(packets.lastUntil(2500)).toBe(2000)
    expect(packets.lastUntil(2000)).toBe(2000)
    expect(packets.firstAfter(2000)).toBe(3000)
    expect(packets.firstAfter(3000)).toBeUndefined()
  })

  it('start with the handshake', () => {
    packets.add(5000, 5000, span)
    expect(packets.lastUntil(4000)).toBe(0)
  })

  it('treat packets sent close together as the first of them, so that they never prove too much', () => {
    for (let time = 1000; time < 1100; time++) packets.add(time, time, span)
    expect(packets.lastUntil(1099)).toBe(1000)
    packets.add(1100, 1100, span)
    expect(packets.lastUntil(1100)).toBe(1100)
  })

  it('drop packets that prove nothing any more', () => {
    packets.add(1000, 1000, span)
    packets.add(1000 + span + 1, 1000 + span + 1, span)
    expect(packets.lastUntil(5000)).toBe(0)
  })

  it('drop packets of a former connection', () => {
    packets.add(1000, 1000, span)
    packets.begin(2000)
    expect(packets.lastUntil(1500)).toBe(2000)
    expect(packets.firstAfter(0)).toBeUndefined()
  })

  it('count packets from their answer', () => {
    packets.add(1000, 4000, span)
    packets.add(2000, 4000, span)
    packets.add(3000, 4500, span)
    expect(packets.lastUntil(3999)).toBe(0)
    expect(packets.lastUntil(4000)).toBe(2000)
    expect(packets.firstAfter(3000)).toBe(4000)
    expect(packets.firstAfter(4000)).toBe(4500)
  })
})
