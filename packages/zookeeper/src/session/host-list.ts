import { ZooKeeperError } from '../errors.ts'
import { validatePath } from '../paths.ts'
import { type Random, shuffled } from '../random.ts'

/** One server as written in the connect string: a name or an address, and a port. */
export interface Host {
  readonly host: string
  readonly port: number
}

export interface ConnectString {
  readonly hosts: readonly Host[]
  /** The chroot; empty for the root. */
  readonly chroot: string
}

const defaultPort = 2181

/**
 * Parses `host:port,host:port/chroot`, the format of all ZooKeeper clients. The default port is 2181; an IPv6
 * address is in brackets.
 */
export function parseConnectString(servers: string | readonly string[]): ConnectString {
  const joined = typeof servers === 'string' ? servers : servers.join(',')
  const slash = joined.indexOf('/')
  const list = slash === -1 ? joined : joined.slice(0, slash)
  if (list.includes('@')) throw withCredentials()
  const path = slash === -1 ? '' : joined.slice(slash)
  const hosts = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => parseHost(entry, joined))
  if (hosts.length === 0) {
    throw invalid(joined, 'it names no server; write for example "127.0.0.1:2181"')
  }
  const chroot = path.trim() === '/' ? '' : path.trim()
  if (chroot !== '') validatePath(chroot)
  return { hosts, chroot }
}

function parseHost(entry: string, joined: string): Host {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(entry)
  if (match === null) {
    // The slash may belong to a password; the entry is then a part of it and must not be printed.
    if (joined.includes('@')) throw withCredentials()
    throw invalid(entry, 'write "host:port", or "[address]:port" for IPv6')
  }
  const port = match[3] === undefined ? defaultPort : Number(match[3])
  if (port < 1 || port > 65535)
    throw invalid(entry, `the port must be from 1 to 65535, not ${port}`)
  return { host: (match[1] ?? match[2]) as string, port }
}

/** Does not repeat the input: it may contain a password. */
function withCredentials(): ZooKeeperError {
  return new ZooKeeperError(
    'ZK_INVALID_ARGUMENT',
    'invalid server list: it contains "@"; pass user and password in the option "auth" instead',
  )
}

function invalid(text: string, reason: string): ZooKeeperError {
  return new ZooKeeperError('ZK_INVALID_ARGUMENT', `invalid server list "${text}": ${reason}`)
}

/** The servers in the order of attempts: shuffled once, then round robin. */
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
