/** The names of hosts, found by their addresses: nobody writes them down. */
import { reverse } from 'node:dns/promises'

/** How many lookups are under way at once. */
const atOnce = 16

export type HostNameOf = (ip: string) => Promise<string | undefined>

/** What the machine's DNS says; undefined if it says nothing. */
export async function reverseLookup(ip: string): Promise<string | undefined> {
  try {
    const [name] = await reverse(ip)
    return name
  } catch {
    // An address without a name is nothing unusual.
    return undefined
  }
}

/** Those that have a name, by their address. */
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
