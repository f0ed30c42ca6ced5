/** Finds host names by address: the registry does not store them. */
import { reverse } from 'node:dns/promises'

/** The number of concurrent lookups. */
const atOnce = 16

export type HostNameOf = (ip: string) => Promise<string | undefined>

/** The host name from the machine's DNS; undefined if there is none. */
export async function reverseLookup(ip: string): Promise<string | undefined> {
  try {
    const [name] = await reverse(ip)
    return name
  } catch {
    // An address without a name is not an error.
    return undefined
  }
}

/** The host names by address; addresses without a name are absent. */
export async function hostNamesOf(
  ips: readonly string[],
  hostNameOf: HostNameOf,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; start < ips.length; start += atOnce) {
    const some = ips.slice(start, start + atOnce)
    const found = await Promise.all(some.map(hostNameOf))
    for (const [index, ip] of some.entries()) {
      const name = found[index]
      if (name !== undefined) names.set(ip, name)
    }
  }
  return names
}
