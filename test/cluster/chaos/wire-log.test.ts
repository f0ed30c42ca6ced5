import { describe, expect, it } from 'vitest'
import { opCode, serverError } from '@elasticjob/zookeeper/protocol'
import { newTalk, WireLog } from './wire-log.ts'

const instance = '10.0.0.1@-@1-a'
const session = 0x17n

/** A client that talks to a server, with a lease of 4 for each second of its timeout of 6. */
function talking(isNew = true): {
  wire: WireLog
  send: (at: number, xid: number, type: number, text: string) => void
  answer: (at: number, xid: number, error?: number) => void
} {
  const wire = new WireLog({ namespace: 'chaos', leaseOf: (timeout) => (timeout * 2) / 3 })
  const talk = newTalk()
  const request = Buffer.alloc(44)
  request.writeBigInt64BE(isNew ? 0n : session, 16)
  wire.sent(talk, 0, request, 100)
  const response = Buffer.alloc(36)
  response.writeInt32BE(6000, 4)
  response.writeBigInt64BE(session, 8)
  wire.answered(talk, 0, response, 110)
  return {
    wire,
    send(at, xid, type, text) {
      const frame = Buffer.alloc(12 + text.length)
      frame.writeInt32BE(xid, 0)
      frame.writeInt32BE(type, 4)
      frame.writeInt32BE(text.length, 8)
      frame.write(text, 12)
      wire.sent(talk, 1, frame, at)
    },
    answer(at, xid, error = 0) {
      const frame = Buffer.alloc(16)
      frame.writeInt32BE(xid, 0)
      frame.writeInt32BE(error, 12)
      wire.answered(talk, 1, frame, at)
    },
  }
}

function named(isNew = true): ReturnType<typeof talking> {
  const talk = talking(isNew)
  talk.send(200, 1, opCode.create2, `/chaos.state/alive/${instance}`)
  return talk
}

describe('a lease', () => {
  it('begins with the session, and lasts from the moment that was sent', () => {
    expect(named().wire.leasesOf(instance)).toEqual([[110, 4100]])
  })

  it('does not begin with a session that is only taken up again', () => {
    expect(named(false).wire.leasesOf(instance)).toEqual([])
  })

  it('is prolonged by a write, from when it was sent, once it is answered', () => {
    const { wire, send, answer } = named()
    send(3000, 2, opCode.setData, '/x')
    expect(wire.leasesOf(instance)).toEqual([[110, 4100]])
    answer(3900, 2)
    expect(wire.leasesOf(instance)).toEqual([[110, 7000]])
  })

  it('begins anew after it was over', () => {
    const { wire, send, answer } = named()
    send(5000, 2, opCode.multi, '')
    answer(5500, 2, serverError.BAD_VERSION)
    expect(wire.leasesOf(instance)).toEqual([
      [110, 4100],
      [5500, 9000],
    ])
  })

  it.each([
    ['a read', opCode.getData, 0],
    ['a ping', opCode.ping, 0],
    ['the answer that the session is over', opCode.setData, serverError.SESSION_EXPIRED],
  ])('is not prolonged by %s', (_, type, error) => {
    const { wire, send, answer } = named()
    send(3000, 2, type, '/x')
    answer(3100, 2, error)
    expect(wire.leasesOf(instance)).toEqual([[110, 4100]])
  })

  it('is not prolonged by an answer that comes when it would be over', () => {
    const { wire, send, answer } = named()
    send(3000, 2, opCode.setData, '/x')
    answer(7000, 2)
    expect(wire.leasesOf(instance)).toEqual([[110, 4100]])
  })

  it("is nobody else's", () => {
    expect(named().wire.leasesOf('somebody')).toEqual([])
  })
})

describe('what is written about a run', () => {
  const shardState = (state: string, begin: number, end: number, by = instance): string =>
    `\0\0${JSON.stringify({ state, run: 'r1', instance: by, fireTime: 1000, begin, end })}\0`

  it('is when it was claimed, and when it ended', () => {
    const { wire, send } = named()
    send(1000, 2, opCode.multi, shardState('running', 1001, 0))
    expect(wire.run('r1')).toEqual({ begin: 1001, end: undefined })
    send(2000, 3, opCode.multi, shardState('idle', 1001, 1999))
    expect(wire.run('r1')).toEqual({ begin: 1001, end: 1999 })
  })

  it('is the last word about it, also if an earlier one was held back', () => {
    const { wire, send } = named()
    send(1000, 2, opCode.multi, shardState('idle', 1001, 5000))
    send(2000, 3, opCode.multi, shardState('idle', 1001, 1999))
    send(2000, 4, opCode.multi, shardState('running', 1001, 0))
    expect(wire.run('r1')).toEqual({ begin: 1001, end: 5000 })
  })

  it('is not what others write about it', () => {
    const { wire, send } = named()
    send(1000, 2, opCode.multi, shardState('crashed', 1001, 1500, '10.0.0.2@-@2-b'))
    expect(wire.run('r1')).toBeUndefined()
  })
})
