import type { NetworkInterfaceInfo } from 'node:os'
import { ElasticJobError } from '../errors.ts'

/** How an instance chooses the address that it registers under. */
export interface AddressOptions {
  /**
   * The address to register under, regardless of the interfaces of the machine: for containers whose own
   * address is not reachable from outside.
   * @default chosen from the machine's interfaces
   */
  readonly ip?: string | undefined
  /**
   * The name of the network interface to take the address of, such as `eth0`.
   * @default any
   */
  readonly preferredNetworkInterface?: string | undefined
  /**
   * The address to take: all of it, its beginning (`10.0.`), or a regular expression that matches
   * all of it.
   * @default any
   */
  readonly preferredNetworkIp?: string | undefined
}

/** The result of `os.networkInterfaces()`. */
export type NetworkInterfaces = Readonly<
  Record<
    string,
    readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined
  >
>

interface Candidate {
  readonly name: string
  readonly address: string
}

/**
 * The address of an instance. Java supports only IPv4 here: it ignores changes of a server node with any other name.
 */
export function chooseAddress(interfaces: NetworkInterfaces, options: AddressOptions = {}): string {
  if (options.ip !== undefined) return requireAddress(options.ip)
  const candidates = candidatesOf(interfaces, false)
  const { preferredNetworkInterface: name, preferredNetworkIp: ip } = options
  const isWanted = ip === undefined ? () => true : matcherOf(ip)
  const chosen = candidates.find(
    (candidate) => (name === undefined || candidate.name === name) && isWanted(candidate.address),
  )
  if (chosen !== undefined) return chosen.address
  if (name === undefined && ip === undefined) return loopback
  throw unknownAddress(options, [...candidates, ...candidatesOf(interfaces, true)])
}

const loopback = '127.0.0.1'

function candidatesOf(interfaces: NetworkInterfaces, internal: boolean): Candidate[] {
  return Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter((info) => info.family === 'IPv4' && info.internal === internal)
      .map(({ address }) => ({ name, address })),
  )
}

/** Matches like Java: a prefix, or a regular expression for the whole address. */
function matcherOf(wanted: string): (address: string) => boolean {
  const pattern = patternOf(wanted)
  return (address) => address.startsWith(wanted) || pattern.test(address)
}

function patternOf(wanted: string): RegExp {
  try {
    return new RegExp(`^(?:${wanted})$`)
  } catch (error) {
    throw new ElasticJobError(
      'JOB_ADDRESS_UNKNOWN',
      `preferredNetworkIp "${wanted}" is neither an address, nor the beginning of one, nor a regular expression`,
      error,
    )
  }
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

function requireAddress(ip: string): string {
  if (ipv4.test(ip)) return ip
  throw new ElasticJobError(
    'JOB_ADDRESS_UNKNOWN',
    `ip "${ip}" is not an IPv4 address such as 10.0.0.1; Java instances see no other`,
  )
}

function unknownAddress(
  { preferredNetworkInterface: name, preferredNetworkIp: ip }: AddressOptions,
  known: readonly Candidate[],
): ElasticJobError {
  const wishes = [
    ...(name === undefined ? [] : [`preferredNetworkInterface "${name}"`]),
    ...(ip === undefined ? [] : [`preferredNetworkIp "${ip}"`]),
  ]
  const list = known.map((candidate) => `${candidate.name} ${candidate.address}`).join(', ')
  return new ElasticJobError(
    'JOB_ADDRESS_UNKNOWN',
    `no address of this machine fits ${wishes.join(' and ')}; it has ${list === '' ? 'none' : list}. ` +
      'Correct the preference, or give the address itself as ip',
  )
}
