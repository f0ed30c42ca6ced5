/**
 * Answers like a ZooKeeper that holds one node of 100 bytes and accepts every write, with replies
 * that are copied from templates: a server that costs next to nothing, to see what a client can do.
 * Listens on a port of the system's choice and says it as `{"port":12345}`; ends with its input.
 */
import { createServer, type Socket } from 'node:net'
import { JuteWriter, opCode, writeConnectResponse, writeStat } from '@elasticjob/zookeeper/protocol'
import { endOfInput, say } from './say.ts'

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

const slabSize = 256 * 1024

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
const multiReplies = new Map<number, Buffer>()
const statBytes = frameBody((writer) => writeStat(writer, stat))

const server = createServer({ noDelay: true }, converse)
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  say({ port: address.port })
})
void endOfInput().then(() => process.exit())

function converse(socket: Socket): void {
  const replies = new Replies()
  let pending: Buffer = Buffer.alloc(0)
  let connected = false
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
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
    if (replies.closeMessage) socket.end()
  })
}

function answer(bytes: Buffer, at: number, replies: Replies): void {
  const xid = bytes.readInt32BE(at + xidOffset)
  const type = bytes.readInt32BE(at + 8)
  const template = templates.get(type)
  if (type === opCode.closeSession) replies.closeMessage = true
  if (template !== undefined) replies.addReply(template, xid)
  else if (type === opCode.create || type === opCode.create2) {
    const pathEnd = at + requestHeader + 4 + bytes.readInt32BE(at + requestHeader)
    replies.addReply(empty, xid, [
      bytes.subarray(at + requestHeader, pathEnd),
      ...(type === opCode.create2 ? [statBytes] : []),
    ])
  } else if (type === opCode.multi) {
    replies.addReply(multiReply(countSets(bytes, at + requestHeader)), xid)
  } else throw new Error(`the stub knows no request of type ${type}`)
}

/** The reply to so many sets in one transaction; made once, for what is asked for is always the same. */
function multiReply(sets: number): Buffer {
  const known = multiReplies.get(sets)
  if (known !== undefined) return known
  const made = reply((writer) => {
    for (let set = 0; set < sets; set++) {
      writer.int(opCode.setData)
      writer.bool(false)
      writer.int(0)
      writeStat(writer, stat)
    }
    writer.int(-1)
    writer.bool(true)
    writer.int(-1)
  })
  multiReplies.set(sets, made)
  return made
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

/** Replies, one behind the other; `take()` hands out those since the last time, for one write. */
class Replies {
  /** The session was closed, as clients wait to see. */
  closeMessage = false
  #slab = Buffer.allocUnsafeSlow(slabSize)
  #start = 0
  #end = 0

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#slab.set(bytes, this.#end)
    this.#end += bytes.length
  }

  addReply(template: Buffer, xid: number, body: readonly Uint8Array[] = []): void {
    this.#reserve(body.reduce((sum, part) => sum + part.length, template.length))
    const start = this.#end
    this.add(template)
    for (const part of body) this.add(part)
    if (body.length > 0) this.#slab.writeInt32BE(this.#end - start - 4, start)
    this.#slab.writeInt32BE(xid, start + xidOffset)
  }

  take(): Buffer {
    const taken = this.#slab.subarray(this.#start, this.#end)
    this.#start = this.#end
    return taken
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#slab.length) return
    const kept = this.#slab.subarray(this.#start, this.#end)
    this.#slab = Buffer.allocUnsafeSlow(Math.max(slabSize, (kept.length + size) * 2))
    this.#slab.set(kept)
    this.#start = 0
    this.#end = kept.length
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
