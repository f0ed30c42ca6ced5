/**
 * Answers like a ZooKeeper that holds one node of 100 bytes and accepts every write, with replies
 * that are copied from templates: a server that costs next to nothing, to see what a client can do.
 * Listens on a port of the system's choice and says it as `{"port":12345}`; ends with its input.
 */
import { createServer, type Socket } from 'node:net'
import { JuteWriter, opCode, writeConnectResponse, writeStat } from '@elasticjob/zookeeper/protocol'

const stat = {
  czxid: 1n,
  mzxid: 1n,
  ctime: 1_700_000_000_000n,
  mtime: 1_700_000_000_000n,
  version: 1,
  cversion: 0,
  aversion: 0,
  ephemeralOwner: 0n,
  dataLength: 100,
  numChildren: 0,
  pzxid: 1n,
}

/** Where the xid stands in a reply frame: behind the frame's length. */
const xidOffset = 4
/** The shortest request: its length, its xid, its type. */
const requestHeader = 12

const empty = reply(() => {})
const withStat = reply((writer) => writeStat(writer, stat))
const templates = new Map<number, Buffer>([
  [opCode.ping, empty],
  [opCode.delete, empty],
  [opCode.closeSession, empty],
  [opCode.setData, withStat],
  [opCode.exists, withStat],
  [
    opCode.getData,
    reply((writer) => {
      writer.buffer(Buffer.alloc(100, 'x'))
      writeStat(writer, stat)
    }),
  ],
])
const oneSetOfMulti = frameBody((writer) => {
  writer.int(opCode.setData)
  writer.bool(false)
  writer.int(0)
  writeStat(writer, stat)
})
const endOfMulti = frameBody((writer) => {
  writer.int(-1)
  writer.bool(true)
  writer.int(-1)
})
const statBytes = frameBody((writer) => writeStat(writer, stat))

const server = createServer({ noDelay: true }, converse)
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`)
})
process.stdin.on('end', () => process.exit()).resume()

function converse(socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0)
  let connected = false
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const replies = new Replies()
    let at = 0
    while (bytes.length - at >= 4) {
      const end = at + 4 + bytes.readInt32BE(at)
      if (end > bytes.length) break
      if (connected) answer(bytes, at, replies)
      else replies.add(connectResponse(bytes.readInt32BE(at + 16)))
      connected = true
      at = end
    }
    pending = bytes.subarray(at)
    socket.write(replies.take())
  })
}

function answer(bytes: Buffer, at: number, replies: Replies): void {
  const xid = bytes.readInt32BE(at + xidOffset)
  const type = bytes.readInt32BE(at + 8)
  const template = templates.get(type)
  if (template !== undefined) replies.addReply(template, xid)
  else if (type === opCode.create || type === opCode.create2) {
    const pathEnd = at + requestHeader + 4 + bytes.readInt32BE(at + requestHeader)
    replies.addReply(empty, xid, [
      bytes.subarray(at + requestHeader, pathEnd),
      ...(type === opCode.create2 ? [statBytes] : []),
    ])
  } else if (type === opCode.multi) {
    const sets = countSets(bytes, at + requestHeader)
    replies.addReply(empty, xid, [...Array.from({ length: sets }, () => oneSetOfMulti), endOfMulti])
  } else throw new Error(`the stub knows no request of type ${type}`)
}

/** The parts of a transaction that is made of sets alone. */
function countSets(bytes: Buffer, from: number): number {
  let at = from
  for (let sets = 0; ; sets++) {
    const isEnd = bytes[at + 4] === 1
    if (isEnd) return sets
    at += 9
    at += 4 + bytes.readInt32BE(at)
    at += 4 + bytes.readInt32BE(at)
    at += 4
  }
}

/** The replies to one chunk, in one buffer. */
class Replies {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #length = 0

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  addReply(template: Buffer, xid: number, body: readonly Uint8Array[] = []): void {
    const start = this.#length
    this.add(template)
    for (const part of body) this.add(part)
    if (body.length > 0) this.#buffer.writeInt32BE(this.#length - start - 4, start)
    this.#buffer.writeInt32BE(xid, start + xidOffset)
  }

  take(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe((this.#length + size) * 2)
    larger.set(this.take())
    this.#buffer = larger
  }
}

function connectResponse(timeout: number): Buffer {
  return framed((writer) =>
    writeConnectResponse(writer, {
      timeout,
      sessionId: 1n,
      password: Buffer.alloc(16),
      readOnly: false,
    }),
  )
}

function reply(body: (writer: JuteWriter) => void): Buffer {
  return framed((writer) => {
    writer.int(0)
    writer.long(1n)
    writer.int(0)
    body(writer)
  })
}

function framed(body: (writer: JuteWriter) => void): Buffer {
  return frameBody((writer) => {
    const mark = writer.beginFrame()
    body(writer)
    writer.endFrame(mark)
  })
}

function frameBody(body: (writer: JuteWriter) => void): Buffer {
  const writer = new JuteWriter()
  body(writer)
  return Buffer.from(writer.take())
}
