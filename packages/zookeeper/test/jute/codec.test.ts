import {
  JuteReader,
  JuteWriter,
  MalformedRecordError,
  opCode,
  type Operation,
  operations,
  type Stat,
} from '@elasticjob/zookeeper/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const text = fc.string({ unit: 'grapheme', maxLength: 80 })
const bytes = fc.uint8Array({ maxLength: 300 })
const data = fc.option(bytes, { nil: null })
const acl = fc.array(fc.record({ permissions: int, id: fc.record({ scheme: text, id: text }) }), {
  maxLength: 4,
})
const stat: fc.Arbitrary<Stat> = fc.record({
  czxid: long,
  mzxid: long,
  ctime: long,
  mtime: long,
  version: int,
  cversion: int,
  aversion: int,
  ephemeralOwner: long,
  dataLength: int,
  numChildren: int,
  pzxid: long,
})
const texts = fc.array(text, { maxLength: 5 })
const watched = fc.record({ path: text, watch: fc.boolean() })
const versioned = fc.record({ path: text, version: int })
const create = fc.record({ path: text, data, acl, flags: int })
const nothing = fc.constant(undefined)

interface Case<Request, Reply> {
  readonly operation: Operation<Request, Reply>
  readonly request: fc.Arbitrary<Request>
  readonly reply: fc.Arbitrary<Reply>
}

const of = <Request, Reply>(
  operation: Operation<Request, Reply>,
  request: fc.Arbitrary<Request>,
  reply: fc.Arbitrary<Reply>,
): Case<unknown, unknown> => ({ operation, request, reply }) as unknown as Case<unknown, unknown>

const created = fc.record({ path: text, stat })
const oneShot = { relativeZxid: long, data: texts, exist: texts, child: texts }
const none = fc.constant<string[]>([])

const multiPart = fc.oneof(
  create.map((request) => ({ type: opCode.create, ...request })),
  create.map((request) => ({ type: opCode.create2, ...request })),
  create.map((request) => ({ type: opCode.createContainer, ...request })),
  fc.tuple(create, long).map(([request, ttl]) => ({ type: opCode.createTtl, ...request, ttl })),
  versioned.map((request) => ({ type: opCode.delete, ...request })),
  versioned.map((request) => ({ type: opCode.check, ...request })),
  fc.record({ path: text, data, version: int }).map((set) => ({ type: opCode.setData, ...set })),
)
const multiResult = fc.oneof(
  text.map((path) => ({ type: opCode.create, path })),
  created.map((reply) => ({ type: opCode.create2, ...reply })),
  fc.constant({ type: opCode.delete }),
  fc.constant({ type: opCode.check }),
  stat.map((one) => ({ type: opCode.setData, stat: one })),
  fc.record({ data, stat }).map((content) => ({ type: opCode.getData, ...content })),
  texts.map((children) => ({ type: opCode.getChildren, children })),
  int.map((error) => ({ type: opCode.error, error })),
)
const readPart = fc.oneof(
  watched.map((request) => ({ type: opCode.getData, ...request })),
  watched.map((request) => ({ type: opCode.getChildren, ...request })),
)

const cases: Record<string, Case<unknown, unknown>> = {
  create: of(operations.create, create, text),
  create2: of(operations.create2, create, created),
  createContainer: of(operations.createContainer, create, created),
  createTtl: of(
    operations.createTtl,
    fc.tuple(create, long).map(([request, ttl]) => ({ ...request, ttl })),
    created,
  ),
  delete: of(operations.remove, versioned, nothing),
  check: of(operations.check, versioned, nothing),
  exists: of(operations.exists, watched, stat),
  getData: of(operations.getData, watched, fc.record({ data, stat })),
  setData: of(operations.setData, fc.record({ path: text, data, version: int }), stat),
  getChildren: of(operations.getChildren, watched, texts),
  getChildren2: of(operations.getChildren2, watched, fc.record({ children: texts, stat })),
  getAcl: of(operations.getAcl, fc.record({ path: text }), fc.record({ acl, stat })),
  setAcl: of(operations.setAcl, fc.record({ path: text, acl, version: int }), stat),
  sync: of(operations.sync, fc.record({ path: text }), text),
  getEphemerals: of(operations.getEphemerals, fc.record({ path: text }), texts),
  getAllChildrenNumber: of(operations.getAllChildrenNumber, fc.record({ path: text }), int),
  whoAmI: of(operations.whoAmI, nothing, fc.array(fc.record({ scheme: text, user: text }))),
  addWatch: of(operations.addWatch, fc.record({ path: text, mode: int }), int),
  removeWatches: of(operations.removeWatches, fc.record({ path: text, type: int }), nothing),
  checkWatches: of(operations.checkWatches, fc.record({ path: text, type: int }), nothing),
  setWatches: of(
    operations.setWatches,
    fc.record({ ...oneShot, persistent: none, recursive: none }),
    nothing,
  ),
  setWatches2: of(
    operations.setWatches2,
    fc.record({ ...oneShot, persistent: texts, recursive: texts }),
    nothing,
  ),
  auth: of(operations.auth, fc.record({ scheme: text, auth: bytes }), nothing),
  sasl: of(operations.sasl, bytes, data),
  ping: of(operations.ping, nothing, nothing),
  closeSession: of(operations.closeSession, nothing, nothing),
  multi: of(
    operations.multi,
    fc.array(multiPart, { maxLength: 6 }),
    fc.array(multiResult, { maxLength: 6 }),
  ),
  multiRead: of(
    operations.multiRead,
    fc.array(readPart, { maxLength: 6 }),
    fc.array(multiResult, { maxLength: 6 }),
  ),
}

/** Compares Buffers and plain byte arrays by content. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
  }
  return value
}

describe('every operation', () => {
  it('has test values in this file', () => {
    const described = Object.values(operations).filter((one) => 'writeRequest' in one)
    const covered = new Set(Object.values(cases).map(({ operation }) => operation.code))
    expect(described.filter(({ code }) => !covered.has(code))).toEqual([])
  })

  for (const [name, { operation, request, reply }] of Object.entries(cases)) {
    it(`${name} reads back the request that it wrote`, () => {
      fc.assert(
        fc.property(request, (value) => {
          const writer = new JuteWriter()
          operation.writeRequest(writer, value)
          const reader = new JuteReader(writer.take())
          expect(plain(operation.readRequest(reader))).toEqual(plain(value))
          expect(reader.remaining).toBe(0)
        }),
      )
    })

    it(`${name} reads back the reply that it wrote`, () => {
      fc.assert(
        fc.property(reply, (value) => {
          const writer = new JuteWriter()
          operation.writeReply(writer, value)
          const reader = new JuteReader(writer.take())
          expect(plain(operation.readReply(reader))).toEqual(plain(value))
          expect(reader.remaining).toBe(0)
        }),
      )
    })

    it(`${name} rejects a truncated record and never reads past its end`, () => {
      fc.assert(
        fc.property(reply, fc.nat(), (value, cut) => {
          const writer = new JuteWriter()
          operation.writeReply(writer, value)
          const whole = writer.take()
          if (whole.length === 0) return
          const end = cut % whole.length
          // Bytes behind the frame must not be read as a part of it.
          const reader = new JuteReader(Buffer.concat([whole.subarray(0, end), whole]), 0, end)
          if (name === 'sasl' && end === 0) return
          expect(() => operation.readReply(reader)).toThrow(MalformedRecordError)
        }),
      )
    })

    it(`${name} decodes random bytes to a value or throws MalformedRecordError`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), (garbage) => {
          const read = (reading: (reader: JuteReader) => unknown): string => {
            try {
              reading(new JuteReader(garbage))
              return 'a value'
            } catch (error) {
              return error instanceof MalformedRecordError ? 'malformed' : String(error)
            }
          }
          const outcomes = [read(operation.readReply), read(operation.readRequest)]
          expect(outcomes.filter((one) => one !== 'a value' && one !== 'malformed')).toEqual([])
        }),
      )
    })
  }
})
