import type { SeededRandom } from '@elasticjob/zookeeper/testing'
import { JuteWriter, opCode, operations, writeConnectRequest } from '@elasticjob/zookeeper/protocol'

/** The bytes that one hostile connection sends, and the number of frames in them. */
export interface Attack {
  readonly bytes: Buffer
  readonly frames: number
}

const handshake = framed((writer) =>
  writeConnectRequest(writer, {
    lastZxidSeen: 0n,
    timeout: 1,
    sessionId: 0n,
    password: Buffer.alloc(16),
    readOnly: false,
  }),
)

/** Bytes that no correct client sends. */
export function nextAttack(chance: SeededRandom): Attack {
  switch (chance.below(8)) {
    case 0:
      // A handshake that is missing or incomplete.
      return { bytes: handshake.subarray(0, chance.below(handshake.length)), frames: 1 }
    case 1:
      return { bytes: chance.bytes(1 + chance.below(300)), frames: 1 }
    case 2:
      return { bytes: lengthOf(chance.pick([-1, -(2 ** 31), 0xfffff + 1, 2 ** 31 - 1])), frames: 1 }
    case 3:
      return { bytes: withLength(mutated(handshake.subarray(4), chance)), frames: 1 }
    default:
      return afterHandshake(chance)
  }
}

function afterHandshake(chance: SeededRandom): Attack {
  const count = 1 + chance.below(6)
  const frames = Array.from({ length: count }, (_, index) => nextFrame(index + 1, chance))
  // Sometimes truncated in the middle of the last frame.
  const bytes = Buffer.concat([handshake, ...frames])
  const end = chance.below(4) === 0 ? bytes.length - chance.below(bytes.length) : bytes.length
  return { bytes: bytes.subarray(0, end), frames: count + 1 }
}

function nextFrame(xid: number, chance: SeededRandom): Buffer {
  const sound = soundFrame(xid, chance)
  switch (chance.below(9)) {
    case 0:
      return withLength(chance.bytes(chance.below(100)))
    case 1:
      return withLength(sound.subarray(4, 4 + chance.below(sound.length - 3)))
    case 2:
      return withLength(mutated(sound.subarray(4), chance))
    case 3:
      return Buffer.concat([lengthOf(0x7fffffff), sound])
    case 4:
      // Out of order: an unexpected xid, or a reserved one.
      return soundFrame(chance.pick([-1, -2, -4, -8, 0, 7, 2 ** 31 - 1]), chance)
    case 5:
      return framed((writer) => {
        writer.int(xid)
        writer.int(chance.pick([0, 10, 23, 99, 108, -1, -10, -11, 2 ** 31 - 1]))
        writer.buffer(chance.bytes(20))
      })
    case 6:
      // A vector whose length exceeds the frame.
      return framed((writer) => {
        writer.int(xid)
        writer.int(
          chance.pick([opCode.setWatches, opCode.setWatches2, opCode.create, opCode.setAcl]),
        )
        writer.long(1n)
        writer.int(chance.pick([2 ** 31 - 1, -7, 2 ** 24]))
      })
    case 7:
      return Buffer.concat([handshake, sound])
    default:
      return sound
  }
}

function soundFrame(xid: number, chance: SeededRandom): Buffer {
  const path = chance.pick(['/hostile', '/', '/good', '', 'x', '/a//b', '/\u0000'])
  return framed((writer) => {
    writer.int(xid)
    switch (chance.below(5)) {
      case 0:
        writer.int(opCode.getData)
        return operations.getData.writeRequest(writer, { path, watch: true })
      case 1:
        writer.int(opCode.addWatch)
        return operations.addWatch.writeRequest(writer, { path, mode: chance.below(4) })
      case 2:
        writer.int(opCode.multi)
        return operations.multi.writeRequest(writer, [
          { type: opCode.check, path, version: 7 },
          { type: opCode.delete, path, version: -1 },
        ])
      case 3:
        writer.int(opCode.create2)
        return operations.create2.writeRequest(writer, {
          path,
          data: null,
          acl: [],
          flags: chance.below(20),
        })
      default:
        writer.int(opCode.getChildren2)
        return operations.getChildren2.writeRequest(writer, { path, watch: true })
    }
  })
}

function mutated(bytes: Buffer, chance: SeededRandom): Buffer {
  const copy = Buffer.from(bytes)
  for (let i = 0; i <= chance.below(6); i++) copy[chance.below(copy.length)] = chance.below(256)
  return copy
}

function framed(write: (writer: JuteWriter) => void): Buffer {
  const writer = new JuteWriter()
  const mark = writer.beginFrame()
  write(writer)
  writer.endFrame(mark)
  return writer.take()
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(length)
  return bytes
}

function withLength(body: Buffer): Buffer {
  return Buffer.concat([lengthOf(body.length), body])
}
