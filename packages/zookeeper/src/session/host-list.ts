import { ZooKeeperError } from '../errors.ts'
import { validatePath } from '../paths.ts'
import { type Random, shuffled } from '../random.ts'

/** One server as it was written down: a name or an address, and a port. */
export interface Host {
  readonly host: string
  readonly port: number
}

export interface ConnectString {
  readonly hosts: readonly Host[]
  /** The path that all paths are relative to; empty for the root. */
  readonly chroot: string
}

const defaultPort = 2181

/**
 * Reads `host:port,host:port/chroot`, the form that all ZooKeeper clients share. A port that is left
 * out is 2181; an IPv6 address stands in brackets.
 */
export function parseConnectString(servers: string | readonly string[]): ConnectString {
  const joined = typeof servers === 'string' ? servers : servers.join(',')
  const slash = joined.indexOf('/')
  const list = slash === -1 ? joined : joined.slice(0, slash)
  const path = slash === -1 ? '' : joined.slice(slash)
  const hosts = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseHost)
  if (hosts.length === 0) {
    throw invalid(joined, 'it names no server; write for example "127.0.0.1:2181"')
  }
  const chroot = path.trim() === '/' ? '' : path.trim()
  if (chroot !== '') validatePath(chroot)
  return { hosts, chroot }
}

function parseHost(entry: string): Host {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(entry)
  if (match === null) {
    throw invalid(entry, 'write "host:port", or "[address]:port" for IPv6')
  }
  const port = match[3] === undefined ? defaultPort : Number(match[3])
  if (port < 1 || port > 65535) throw invalid(entry, `the port ${port} is not from 1 to 65535`)
  return { host: (match[1] ?? match[2]) as string, port }
}

function invalid(text: string, reason: string): ZooKeeperError {
  return new ZooKeeperError('ZK_INVALID_ARGUMENT', `invalid server list "${text}": ${reason}`)
}

/** The servers in the order in which this client tries them: shuffled once, then round and round. */
export class HostList {
  readonly #hosts: readonly Host[]
  #next = 0

  constructor(hosts: readonly Host[], random: Random) {
    this.#hosts = shuffled(hosts, random)
  }

  get size(): number {
    return this.#hosts.length
  }

  next(): Host {
    const host = this.#hosts[this.#next % this.#hosts.length] as Host
    this.#next++
    return host
  }
}
