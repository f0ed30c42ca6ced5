import { opCode } from '@elasticjob/zookeeper/protocol'
import type { Connection } from '../net/connection.ts'
import { asDate, asHex, type ServerReport } from './report.ts'

/** The short names of request types. */
const requestNames = new Map<number, string>([
  [opCode.ping, 'PING'],
  [opCode.createSession, 'SESS'],
  [opCode.closeSession, 'CLOS'],
  [opCode.multi, 'MULT'],
  [opCode.multiRead, 'MLTR'],
  [opCode.create, 'CREA'],
  [opCode.create2, 'CREA'],
  [opCode.createTtl, 'CREA'],
  [opCode.createContainer, 'CREA'],
  [opCode.delete, 'DELE'],
  [opCode.setData, 'SETD'],
  [opCode.setAcl, 'SETA'],
  [opCode.reconfig, 'RECO'],
  [opCode.sync, 'SYNC'],
  [opCode.check, 'CHEC'],
  [opCode.exists, 'EXIS'],
  [opCode.getData, 'GETD'],
  [opCode.getAcl, 'GETA'],
  [opCode.getChildren, 'GETC'],
  [opCode.getChildren2, 'GETC'],
  [opCode.getAllChildrenNumber, 'GETACN'],
  [opCode.getEphemerals, 'GETE'],
  [opCode.setWatches, 'SETW'],
  [opCode.setWatches2, 'STW2'],
  [opCode.addWatch, 'ADDW'],
  [opCode.checkWatches, 'CHKW'],
  [opCode.removeWatches, 'REMW'],
  [opCode.whoAmI, 'HOMI'],
])

/** One connection in one line. */
export function describeConnection(connection: Connection): string {
  const { address, port, outstanding, statistics, peer } = connection
  const interest = peer.session === undefined ? 0 : 1
  const counts = `queued=${outstanding},recved=${statistics.received},sent=${statistics.sent}`
  return ` /${address}:${port}[${interest}](${counts}`
}

/** All connections and their last requests. */
export function cons({ connections }: ServerReport): string {
  const lines = [...connections].map((connection) => {
    const { peer, statistics, openedAt } = connection
    const base = describeConnection(connection)
    if (peer.session === undefined) return `${base})`
    const details = [
      `sid=${asHex(peer.sessionId)}`,
      `lop=${requestNames.get(peer.lastType) ?? 'NA'}`,
      `est=${Math.floor(openedAt)}`,
      `to=${peer.session.timeout}`,
      `lcxid=${asHex(peer.lastXid >>> 0)}`,
      `lzxid=${asHex(connection.lastZxid)}`,
      `lresp=${Math.floor(connection.lastAnswerAt)}`,
      `llat=${Math.floor(statistics.lastLatency)}`,
      `minlat=${statistics.minLatency}`,
      `avglat=${Math.floor(statistics.averageLatency)}`,
      `maxlat=${statistics.maxLatency}`,
    ]
    return `${base},${details.join(',')})`
  })
  return [...lines, '', ''].join('\n')
}

/** The sessions by expiry time, their ephemeral nodes, and the connections. */
export function dump(report: ServerReport): string {
  const { sessions, state } = report.core
  const { ephemerals } = state.tree
  const buckets = [...sessions.buckets].toSorted(([a], [b]) => a - b)
  const lines = ['SessionTracker dump:', `Session Sets (${buckets.length})/(${sessions.size}):`]
  for (const [deadline, bucket] of buckets) {
    lines.push(`${bucket.size} expire at ${asDate(deadline, report)}:`)
    for (const { sessionId } of bucket) lines.push(`\t${asHex(sessionId)}`)
  }
  lines.push('ephemeral nodes dump:', `Sessions with Ephemerals (${ephemerals.size}):`)
  for (const [sessionId, paths] of ephemerals) {
    lines.push(`${asHex(sessionId)}:`)
    for (const path of paths) lines.push(`\t${path}`)
  }
  lines.push('Connections dump:', ...connectionSets(report))
  return [...lines, ''].join('\n')
}

function connectionSets(report: ServerReport): string[] {
  const sets = new Map<string, Connection[]>()
  for (const connection of report.connections) {
    const key = asDate(deadlineOf(connection, report), report)
    sets.set(key, [...(sets.get(key) ?? []), connection])
  }
  const lines = [`Connections Sets (${sets.size})/(${report.connections.size}):`]
  for (const [when, connections] of sets) {
    lines.push(`${connections.length} expire at ${when}:`)
    for (const { address, port, peer } of connections) {
      lines.push(`\tip: /${address}:${port} sessionId: ${asHex(peer.sessionId)}`)
    }
  }
  return lines
}

/** When a connection expires unless its client sends something, in monotonic time. */
function deadlineOf({ peer, openedAt }: Connection, report: ServerReport): number {
  const { session } = peer
  if (session !== undefined) return report.core.sessions.deadlineOf(session)
  return report.monotonic() + openedAt + report.options.handshakeTimeout - report.now()
}
