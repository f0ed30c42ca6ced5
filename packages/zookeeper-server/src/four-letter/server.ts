import { hostname } from 'node:os'
import { describeConnection } from './connections.ts'
import { asDouble, asHex, type ServerReport, version } from './report.ts'

function outstanding({ connections }: ServerReport): number {
  let sum = 0
  for (const connection of connections) sum += connection.outstanding
  return sum
}

function summary(report: ServerReport): string[] {
  const { statistics, connections, core } = report
  const { minLatency, averageLatency, maxLatency } = statistics
  return [
    `Latency min/avg/max: ${minLatency}/${asDouble(averageLatency)}/${maxLatency}`,
    `Received: ${statistics.received}`,
    `Sent: ${statistics.sent}`,
    `Connections: ${connections.size}`,
    `Outstanding: ${outstanding(report)}`,
    `Zxid: ${asHex(core.state.lastZxid)}`,
    'Mode: standalone',
    `Node count: ${core.state.tree.nodeCount}`,
    '',
  ]
}

/** The server's status. */
export function srvr(report: ServerReport): string {
  return [`Zookeeper version: ${version}`, ...summary(report)].join('\n')
}

/** The server's status and connections. */
export function stat(report: ServerReport): string {
  const clients = [...report.connections].map((connection) => `${describeConnection(connection)})`)
  return [`Zookeeper version: ${version}`, 'Clients:', ...clients, '', ...summary(report)].join(
    '\n',
  )
}

/** The server's metrics, machine-readable. */
export function mntr(report: ServerReport): string {
  const { statistics, connections, core } = report
  const { tree } = core.state
  const values: Readonly<Record<string, string | number>> = {
    version,
    server_state: 'standalone',
    ephemerals_count: tree.ephemeralCount,
    num_alive_connections: connections.size,
    avg_latency: asDouble(statistics.averageLatency),
    outstanding_requests: outstanding(report),
    znode_count: tree.nodeCount,
    global_sessions: core.sessions.size,
    local_sessions: 0,
    packets_sent: statistics.sent,
    packets_received: statistics.received,
    connection_rejected: statistics.connectionsRefused,
    connection_drop_count: statistics.connectionsDropped,
    watch_count: core.watches.size,
    min_latency: statistics.minLatency,
    max_latency: statistics.maxLatency,
    approximate_data_size: tree.dataSize,
    uptime: Math.floor(report.now() - report.startedAt),
  }
  return Object.entries(values)
    .map(([key, value]) => `zk_${key}\t${value}\n`)
    .join('')
}

/** The server's configuration. */
export function conf({ core, options, port }: ServerReport): string {
  const { tickTime, minSessionTimeout, maxSessionTimeout } = core.options
  const { maxConnectionsPerAddress: perAddress } = options
  return [
    `clientPort=${port}`,
    `tickTime=${tickTime}`,
    `maxClientCnxns=${Number.isFinite(perAddress) ? perAddress : 0}`,
    `minSessionTimeout=${minSessionTimeout}`,
    `maxSessionTimeout=${maxSessionTimeout}`,
    'serverId=0',
    '',
  ].join('\n')
}

/** The server's environment. */
export function envi(): string {
  const values = [
    `zookeeper.version=${version}`,
    `host.name=${hostname()}`,
    `node.version=${process.versions.node}`,
    `os.name=${process.platform}`,
    `os.arch=${process.arch}`,
  ]
  return ['Environment:', ...values, ''].join('\n')
}
