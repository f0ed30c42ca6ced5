import {
  type Acl,
  JuteReader,
  MalformedRecordError,
  opCode,
  operations,
  readConnectResponse,
  readStat,
  readWatcherEvent,
  type Stat,
} from '@elasticjob/zookeeper/protocol'
import type { Request } from './operation.ts'

/** Maps values of one server to common names, so that the answers of both can be compared. */
export interface Perspective {
  zxid(zxid: bigint): string
  session(sessionId: bigint): string
  /** All times within the run count as equal. */
  time(milliseconds: bigint): string
}

/** A frame as text that can be compared and printed. */
export type Heard = Readonly<Record<string, unknown>>

export function decodeHandshake(frame: Buffer, seen: Perspective): Heard {
  return decode(frame, (reader) => {
    const { timeout, sessionId, password, readOnly } = readConnectResponse(reader)
    const session = seen.session(sessionId)
    return { connected: { timeout, session, passwordLength: password.length, readOnly } }
  })
}

export function decodeEvent(frame: Buffer, seen: Perspective): Heard {
  return decode(frame, (reader) => {
    const header = readHeader(reader, seen)
    const { type, state, path } = readWatcherEvent(reader)
    return { event: type, path, state, ...header }
  })
}

export function decodeReply(frame: Buffer, request: Request, seen: Perspective): Heard {
  return decode(frame, (reader) => {
    const header = readHeader(reader, seen)
    const heard = { answer: request.do, ...header }
    // No client reads past an error. The real server leaves its partial body there.
    if (header.error !== 0) return ignoringRest(reader, heard)
    const body = readBody(reader, request, seen)
    return body === undefined ? heard : { ...heard, body }
  })
}

function ignoringRest(reader: JuteReader, heard: Heard): Heard {
  reader.frame(0, 0)
  return heard
}

function decode(frame: Buffer, read: (reader: JuteReader) => Heard): Heard {
  const reader = new JuteReader(frame)
  try {
    const heard = read(reader)
    if (reader.remaining === 0) return heard
    return { ...heard, rest: frame.subarray(frame.length - reader.remaining).toString('hex') }
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error
    return { malformed: error.message, frame: frame.toString('hex') }
  }
}

function readHeader(
  reader: JuteReader,
  seen: Perspective,
): { xid: number; zxid: string; error: number } {
  return { xid: reader.int(), zxid: seen.zxid(reader.long()), error: reader.int() }
}

function readBody(reader: JuteReader, request: Request, seen: Perspective): unknown {
  switch (request.do) {
    case 'create':
      return operations.create.readReply(reader)
    case 'create2':
    case 'createContainer':
    case 'createTtl':
      return { path: reader.string(), stat: readNamedStat(reader, seen) }
    case 'exists':
    case 'setData':
    case 'setAcl':
      return readNamedStat(reader, seen)
    case 'getData':
      return readData(reader, seen)
    case 'getChildren':
      return operations.getChildren.readReply(reader).toSorted()
    case 'getChildren2':
      return {
        children: operations.getChildren.readReply(reader).toSorted(),
        stat: readNamedStat(reader, seen),
      }
    case 'getEphemerals':
      return operations.getEphemerals.readReply(reader).toSorted()
    case 'getAcl': {
      const { acl, stat } = operations.getAcl.readReply(reader)
      return { acl: inOrder(acl), stat: namedStat(stat, seen) }
    }
    case 'getAllChildrenNumber':
    case 'addWatch':
      return reader.int()
    case 'sync':
      return reader.string()
    case 'sasl':
      return operations.sasl.readReply(reader)
    case 'whoAmI':
      return operations.whoAmI
        .readReply(reader)
        .map(({ scheme, user }) => `${scheme}:${user}`)
        .toSorted()
    case 'multi':
    case 'multiRead':
      return readResults(reader, seen)
    default:
      return undefined
  }
}

function readResults(reader: JuteReader, seen: Perspective): unknown[] {
  const results: unknown[] = []
  for (;;) {
    const header = { type: reader.int(), isEnd: reader.bool(), error: reader.int() }
    results.push({ ...header, ...readResult(reader, header.type, header.isEnd, seen) })
    if (header.isEnd) return results
  }
}

function readResult(
  reader: JuteReader,
  type: number,
  isEnd: boolean,
  seen: Perspective,
): Record<string, unknown> {
  if (isEnd) return {}
  switch (type) {
    case opCode.create:
      return { path: reader.string() }
    case opCode.create2:
    case opCode.createContainer:
    case opCode.createTtl:
      return { path: reader.string(), stat: readNamedStat(reader, seen) }
    case opCode.setData:
      return { stat: readNamedStat(reader, seen) }
    case opCode.getData:
      return readData(reader, seen)
    case opCode.getChildren:
      return { children: operations.getChildren.readReply(reader).toSorted() }
    case opCode.error:
      return { code: reader.int() }
    default:
      return {}
  }
}

function readData(reader: JuteReader, seen: Perspective): { data: string | null; stat: unknown } {
  const data = reader.buffer()
  return { data: data === null ? null : data.toString(), stat: readNamedStat(reader, seen) }
}

function readNamedStat(reader: JuteReader, seen: Perspective): unknown {
  return namedStat(readStat(reader), seen)
}

function namedStat(stat: Stat, seen: Perspective): unknown {
  const { version, cversion, aversion, dataLength, numChildren } = stat
  return {
    created: `${seen.zxid(stat.czxid)} at ${seen.time(stat.ctime)}`,
    changed: `${seen.zxid(stat.mzxid)} at ${seen.time(stat.mtime)}`,
    childrenChanged: seen.zxid(stat.pzxid),
    versions: `${version} ${cversion} ${aversion}`,
    owner: seen.session(stat.ephemeralOwner),
    dataLength,
    numChildren,
  }
}

/**
 * The real server replaces an entry of scheme `auth` by several entries in the order of a Java hash table: neighbors
 * with the same permissions and scheme are sorted.
 */
function inOrder(acl: readonly Acl[]): string[] {
  const runs: { key: string; ids: string[] }[] = []
  for (const { permissions, id } of acl) {
    const key = `${permissions} ${id.scheme}`
    const last = runs.at(-1)
    if (last?.key === key) last.ids.push(id.id)
    else runs.push({ key, ids: [id.id] })
  }
  return runs.flatMap(({ key, ids }) => ids.toSorted().map((id) => `${key}:${id}`))
}
